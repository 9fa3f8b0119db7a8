package dev.zcp.copy;

import dev.zcp.copy.CopyRequest.Deleting;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event.Planned;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Folder.TargetName;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Deletes the entries of a target directory that the source directory merged into it does not
/// have: `--delete`.
///
/// During the walk it only notes the directories that have such entries; any thread may call it
/// then. When everything is copied and nothing has failed, one thread looks at each of them again
/// and deletes. Names are looked up in directories that are held open, and no link is followed. Of
/// the directories that are being deleted one is open at a time, however deep they are.
final class TreeDeletion {

  private static final byte[] SELF = {'.'};

  /// A directory in which somebody makes entries all the time has no end.
  private static final int LISTINGS_MAX = 100;

  private final CopyContext context;
  private final Walk walk;
  private final Filter filter;
  private final boolean oneFileSystem;
  private final Queue<Folder> folders = new ConcurrentLinkedQueue<>();
  private final Set<OperandKey> operands = ConcurrentHashMap.newKeySet();

  // Used by the thread that deletes. Nothing of the listing is left to be read between two calls.
  private final Listing listing = new Listing();
  private final Set<String> failed = new HashSet<>();
  private boolean countsOnly;
  private long found;

  private record OperandKey(long device, long inode) {

    static OperandKey of(FileStatus status) {
      return new OperandKey(status.device(), status.inode());
    }
  }

  TreeDeletion(CopyContext context, Walk walk) {
    this.context = context;
    this.walk = walk;
    this.filter = walk.selection().filter();
    this.oneFileSystem = walk.selection().oneFileSystem();
  }

  /// Keeps a source that is itself in a directory of the target.
  void spare(FileStatus operand) {
    operands.add(OperandKey.of(operand));
  }

  /// As [#spare(FileStatus)], for an operand that is no directory, and for what it leads to.
  void spare(Entry operand) throws Failure {
    spare(operand.status(false));
    if (operand.follow()) {
      spare(operand.status(true));
    }
  }

  /// Notes a folder if its target has entries that its source does not have. The caller holds it
  /// and has listed it to its end.
  ///
  /// @throws Failure if either cannot be read: then nothing will be deleted
  void look(Folder folder, Listing names) throws Failure {
    if (folder.created() || folder.target() == null || isMounted(folder)) {
      return;
    }
    try {
      names.begin(folder.target(), 0);
      while (names.fill(folder.target())) {
        while (names.next()) {
          byte[] name = names.name();
          FileStatus status = inSource(folder, name) ? null : folder.target().statusOf(name);
          if (status != null && !isExcluded(folder, name, status)) {
            folders.add(folder);
            return;
          }
        }
      }
    } catch (IOException e) {
      throw Reasons.destination(labelOf(folder), e);
    }
  }

  /// Deletes, or tells what would be deleted. To be called once, when all else is over.
  void run() {
    if (isHeldBack()) {
      return;
    }
    boolean dryRun = context.request().dryRun();
    long max = context.request().deleting().entriesMax();
    if (dryRun || max < Deleting.UNLIMITED) {
      countsOnly = true;
      folders.forEach(this::sweep);
      if (found > max) {
        context
            .insight()
            .failed(
                Failure.of(
                        ExitCode.SOME_FAILED,
                        context.request().target().toString(),
                        found + " entries are not in the source, and --max-delete is " + max)
                    .with("nothing was deleted"));
        return;
      }
    }
    if (dryRun || isHeldBack()) {
      return;
    }
    countsOnly = false;
    folders.forEach(this::sweep);
  }

  private boolean isHeldBack() {
    boolean isAnyFailed = context.insight().isAnyFailed();
    if (isAnyFailed) {
      context.insight().note("--delete: nothing is deleted, since something failed");
    }
    return isAnyFailed;
  }

  /// Deletes the surplus of one folder. What fails is told, and does not stop the other folders.
  private void sweep(Folder folder) {
    try {
      walk.folders().hold(folder);
      try {
        if (isDeleted(folder)) {
          throw Failure.of(
              ExitCode.SOURCE, folder.label().toString(), "was deleted while it was copied");
        }
        if (empty(folder)) {
          restore(folder);
        }
      } finally {
        walk.folders().release(folder);
      }
    } catch (IOException e) {
      context.errors().tell(folder.label(), Reasons.destination(labelOf(folder), e));
    } catch (Failure failure) {
      context.errors().tell(folder.label(), failure);
    }
  }

  /// Whether the source's directory is open and has no name any more: it looks empty then. Some
  /// file systems never count the links of a directory.
  private static boolean isDeleted(Folder folder) throws IOException {
    FileStatus now = folder.source().statusOf(SELF);
    return now == null || now.links() == 0 && folder.sourceStatus().links() > 0;
  }

  /// The deletion has changed the times of the directory.
  private void restore(Folder folder) throws IOException, Failure {
    context
        .preserver()
        .directory(folder.source(), folder.sourceStatus(), folder.target(), false, folder.label());
    context.durability().made(folder.target());
  }

  /// A directory on the way down.
  private static final class Descent {

    /// Null for the folder itself, of which only some entries go.
    final Descent above;

    final FileStatus status;

    /// In the folder; null for the folder itself.
    final byte[] path;

    /// Names that were listed and not looked at yet.
    final ArrayDeque<byte[]> names = new ArrayDeque<>();

    /// Where the listing goes on.
    long position;

    boolean isListed;

    /// How many listings have ended.
    int listings;

    /// Whether something was deleted since the listing began.
    boolean isChanged;

    boolean keepsSome;

    Descent(Descent above, FileStatus status, byte[] path) {
      this.above = above;
      this.status = status;
      this.path = path;
    }

    byte[] pathOf(byte[] name) {
      if (path == null) {
        return name;
      }
      byte[] joined = Arrays.copyOf(path, path.length + 1 + name.length);
      joined[path.length] = '/';
      System.arraycopy(name, 0, joined, path.length + 1, name.length);
      return joined;
    }
  }

  /// @return whether the folder has lost an entry
  private boolean empty(Folder folder) throws IOException, Failure {
    Descent level = new Descent(null, folder.target().status(), null);
    boolean anyLost = false;
    OpenDirectory here = folder.target();
    try {
      while (!context.partials().isAbandoned() && !context.errors().isOver()) {
        byte[] name = nextName(level, here);
        if (name != null) {
          FileStatus status = here.statusOf(name);
          if (status == null) {
            continue;
          }
          if (stays(folder, level, name, status)) {
            level.keepsSome = true;
          } else if (status.isDirectory()) {
            OpenDirectory below = open(folder, level, here, name);
            if (below != null) {
              close(folder, here);
              here = below;
              level = new Descent(level, below.status(), level.pathOf(name));
            }
          } else {
            delete(folder, level, here, name, false);
          }
        } else if (level.above == null) {
          return anyLost;
        } else {
          Descent left = level;
          level = left.above;
          OpenDirectory above = level.above == null ? folder.target() : here.above();
          close(folder, here);
          here = above;
          if (!here.status().isSameFile(level.status)) {
            throw Failure.of(
                ExitCode.DESTINATION,
                folder.targetLabel(left.path),
                "was moved while it was being deleted");
          }
          if (left.keepsSome) {
            level.keepsSome = true;
          } else {
            delete(folder, level, here, RawPath.of(left.path).lastComponent(), true);
          }
        }
        anyLost |= level.above == null && level.isChanged;
      }
      return anyLost;
    } finally {
      close(folder, here);
    }
  }

  private static void close(Folder folder, OpenDirectory directory) throws IOException {
    if (directory != folder.target()) {
      directory.close();
    }
  }

  /// @return null if there is none left
  private byte[] nextName(Descent level, OpenDirectory here) throws IOException {
    while (level.names.isEmpty() && !level.isListed) {
      listing.begin(here, level.position);
      if (listing.fill(here)) {
        while (listing.next()) {
          level.names.add(listing.name());
        }
        level.position = listing.position();
      } else if (level.isChanged && ++level.listings < LISTINGS_MAX) {
        // On some file systems a position is a count of entries: if some of them are gone, others
        // were passed over.
        level.isChanged = false;
        level.position = 0;
      } else {
        level.isListed = true;
      }
    }
    return level.names.poll();
  }

  private void delete(
      Folder folder, Descent level, OpenDirectory here, byte[] name, boolean isDirectory)
      throws IOException {
    TargetName label = new TargetName(folder, level.pathOf(name));
    found++;
    if (countsOnly) {
      if (context.request().dryRun()) {
        String text = label.toString();
        context.insight().planned(Planned.DELETE, text, text, -1);
      }
      return;
    }
    try {
      if (isDirectory) {
        here.removeDirectory(name);
      } else {
        here.remove(name);
      }
    } catch (IOException e) {
      keep(level, label, e);
      return;
    }
    level.isChanged = true;
    context.insight().deleted(label);
  }

  /// @return null if it cannot be opened, which is told
  private OpenDirectory open(Folder folder, Descent level, OpenDirectory here, byte[] name) {
    try {
      return here.directory(name, false);
    } catch (IOException e) {
      keep(level, new TargetName(folder, level.pathOf(name)), e);
      return null;
    }
  }

  /// An entry cannot be deleted, so its directory stays, too. Told once, however often it is tried.
  private void keep(Descent level, TargetName label, IOException cause) {
    level.keepsSome = true;
    if (failed.add(label.toString())) {
      context.errors().tell(label, Reasons.destination(label, cause));
    }
  }

  private boolean stays(Folder folder, Descent level, byte[] name, FileStatus status)
      throws IOException, Failure {
    if (level.above == null
        && (inSource(folder, name) || isOtherSpellingOfSource(folder, name, status))) {
      return true;
    }
    byte[] path = level.pathOf(name);
    if (isExcluded(folder, path, status)
        || oneFileSystem && status.device() != level.status.device()) {
      return true;
    }
    return operands.contains(OperandKey.of(status));
  }

  /// Whether the source has the name in another [spelling][NameSpelling] that is the same name on
  /// the target's file system. Then the entry is the copy, under the name that it got there.
  private boolean isOtherSpellingOfSource(Folder folder, byte[] name, FileStatus status)
      throws IOException, Failure {
    boolean hasSpellings = false;
    for (byte[] spelling : NameSpelling.others(name)) {
      hasSpellings |= isNameOf(folder, spelling, status);
    }
    if (!hasSpellings) {
      return false;
    }
    try {
      listing.begin(folder.source(), 0);
      while (listing.fill(folder.source())) {
        while (listing.next()) {
          byte[] other = listing.name();
          if (NameSpelling.areAlike(name, other) && isNameOf(folder, other, status)) {
            return true;
          }
        }
      }
    } catch (IOException e) {
      throw Reasons.source(folder.label(), e);
    }
    return false;
  }

  /// Whether the target finds the entry with this status by `name`.
  private static boolean isNameOf(Folder folder, byte[] name, FileStatus status)
      throws IOException {
    FileStatus found = folder.target().statusOf(name);
    return found != null && found.isSameFile(status);
  }

  private static boolean inSource(Folder folder, byte[] name) throws Failure {
    try {
      // By two calls: one wrong answer of a file system deletes nothing.
      return folder.source().statusOf(name) != null || folder.source().has(name);
    } catch (IOException e) {
      throw Reasons.source(folder.sourceLabel(name), e);
    }
  }

  private boolean isExcluded(Folder folder, byte[] path, FileStatus status) {
    return filter != Filter.NONE
        && filter.excludes(folder.pathInSource(path), status.isDirectory());
  }

  /// With `-x`: whether the folder is on another file system than the top of its tree.
  private boolean isMounted(Folder folder) {
    Folder top = folder;
    while (!top.parent().isAnchor()) {
      top = top.parent();
    }
    return oneFileSystem && folder.targetStatus().device() != top.targetStatus().device();
  }

  private static String labelOf(Folder folder) {
    return folder.parent().targetLabel(folder.targetName());
  }
}
