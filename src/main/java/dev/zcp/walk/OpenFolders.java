package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Folder.TargetName;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The folders that are open, a bounded number of them. Whoever uses one holds it meanwhile. Of
/// those that nobody holds, the one that was used longest ago is closed if another is to be opened;
/// it is opened again by the nearest ancestor that is open, one name at a time, and must be the
/// same directory then.
public final class OpenFolders implements Closeable {

  /// Held while folders are opened again, and nothing else is to wait for that: on NFS it may take
  /// long.
  private final Object opening = new Object();

  // All below, and what folders keep for this class, is guarded by this.
  private final LinkedHashSet<Folder> idle = new LinkedHashSet<>();
  private int open;
  private int openMax;

  /// @param openMax how many are open at once, but for those that are held: two descriptors each
  public OpenFolders(int openMax) {
    this.openMax = openMax;
  }

  /// Takes charge of a folder's directories. The caller holds it from now on.
  synchronized void add(Folder folder, OpenDirectory source, OpenDirectory target) {
    if (holdIfOpen(folder)) {
      // From below, meanwhile.
      Quietly.close(source);
      Quietly.close(target);
      return;
    }
    folder.source = source;
    folder.target = target;
    if (!folder.isKnown()) {
      folder.sourceStatus = source.status();
      folder.targetStatus = target == null ? null : target.status();
    }
    folder.holders = 1;
    open++;
    closeSurplus();
  }

  /// Keeps a folder open until it is [released][#release], and opens it if it is not.
  ///
  /// @throws Failure SOURCE or DESTINATION if it cannot be opened, or is another directory now
  public void hold(Folder folder) throws Failure {
    if (!holdIfOpen(folder)) {
      synchronized (opening) {
        openAgain(folder);
      }
    }
  }

  private synchronized boolean holdIfOpen(Folder folder) {
    boolean isOpen = folder.source != null;
    if (isOpen && folder.holders++ == 0) {
      idle.remove(folder);
    }
    return isOpen;
  }

  public synchronized void release(Folder folder) {
    if (--folder.holders > 0) {
      return;
    }
    if (folder.completed) {
      close(folder);
    } else {
      idle.add(folder);
      closeSurplus();
    }
  }

  /// Says that a folder is of no use any more: it is closed once nobody holds it. If the caller
  /// holds it, its parent may be of use, and if that was closed, the way up is the shortest to it.
  public synchronized void complete(Folder folder) {
    folder.completed = true;
    if (folder.holders == 0) {
      if (idle.remove(folder)) {
        close(folder);
      }
      return;
    }
    Folder parent = folder.parent;
    if (parent != null && parent.source == null && !parent.isAnchor() && !parent.completed) {
      openFromBelow(parent, folder);
    }
  }

  private void openFromBelow(Folder parent, Folder child) {
    if (child.target == null && parent.targetStatus != null) {
      // A dry run did not make the child, so there is no way up to the parent's target.
      return;
    }
    OpenDirectory source = null;
    OpenDirectory target = null;
    try {
      source = child.source.above();
      target = child.target == null ? null : child.target.above();
      boolean same =
          source.status().isSameFile(parent.sourceStatus)
              && (target == null || target.status().isSameFile(parent.targetStatus));
      if (same) {
        parent.source = source;
        parent.target = target;
        open++;
        idle.add(parent);
        closeSurplus();
        return;
      }
    } catch (IOException e) {
      // The way from above is left, and that tells what is wrong.
    }
    Quietly.close(source);
    Quietly.close(target);
  }

  private void openAgain(Folder folder) throws Failure {
    List<Folder> way = new ArrayList<>();
    Folder held = folder;
    boolean isHeld = holdIfOpen(held);
    while (!isHeld && held.parent != null) {
      way.add(held);
      held = held.parent;
      isHeld = holdIfOpen(held);
    }
    if (!isHeld) {
      openAnchor(held);
    }
    for (int i = way.size() - 1; i >= 0; i--) {
      Folder next = way.get(i);
      try {
        openIn(held, next);
      } finally {
        release(held);
      }
      held = next;
    }
  }

  private void openAnchor(Folder anchor) throws Failure {
    RawPath from = RawPath.of(anchor.sourceName);
    RawPath to = anchor.targetName == null ? null : RawPath.of(anchor.targetName);
    OpenDirectory source;
    try {
      source = OpenDirectory.open(from);
    } catch (IOException e) {
      throw Reasons.source(from, e);
    }
    try {
      OpenDirectory target = to == null ? null : OpenDirectory.open(to);
      register(anchor, from, to, source, target);
    } catch (IOException e) {
      Quietly.close(source);
      throw Reasons.destination(to, e);
    }
  }

  private void openIn(Folder parent, Folder child) throws Failure {
    String from = parent.sourceLabel(child.sourceName);
    OpenDirectory source;
    try {
      source = parent.source.directory(child.sourceName, child.followLink);
    } catch (IOException e) {
      throw child.failure(e);
    }
    try {
      OpenDirectory target =
          child.targetStatus == null ? null : parent.target.directory(child.targetName, false);
      register(child, from, new TargetName(parent, child.targetName), source, target);
    } catch (IOException e) {
      Quietly.close(source);
      throw Reasons.destination(parent.targetLabel(child.targetName), e);
    }
  }

  private void register(
      Folder folder, Object from, Object to, OpenDirectory source, OpenDirectory target)
      throws Failure {
    boolean sameSource = !folder.isKnown() || source.status().isSameFile(folder.sourceStatus);
    boolean sameTarget =
        folder.targetStatus == null || target.status().isSameFile(folder.targetStatus);
    if (!sameSource || !sameTarget) {
      Quietly.close(source);
      Quietly.close(target);
      throw Failure.of(
          sameSource ? ExitCode.DESTINATION : ExitCode.SOURCE,
          (sameSource ? to : from).toString(),
          "was replaced by another directory meanwhile");
    }
    add(folder, source, target);
  }

  /// Closes those that nobody holds. The others are closed when they are released.
  @Override
  public synchronized void close() {
    openMax = 0;
    closeSurplus();
  }

  private void closeSurplus() {
    while (open > openMax && !idle.isEmpty()) {
      close(idle.removeFirst());
    }
  }

  private void close(Folder folder) {
    open--;
    Quietly.close(folder.source);
    Quietly.close(folder.target);
    folder.source = null;
    folder.target = null;
  }
}
