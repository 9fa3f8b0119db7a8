package dev.zcp.walk;

import dev.zcp.core.Failure;
import dev.zcp.tree.Listing;
import dev.zcp.walk.WorkerPool.Worker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Gives the workers the entries that a list names, with the directories that lead to them; or an
/// operand in the same way. The directories of the latest name stay open, so that each is entered
/// once if the list is in order.
public final class ListedNames {

  private final Walk walk;
  private final Runnable afterEach;
  private final boolean areOperands;
  private final Worker worker = new Worker();

  /// The directories of the latest name, the source first.
  private final List<Folder> way = new ArrayList<>();

  private EntryBatch batch;
  private Folder batchFolder;

  /// @param top the one source; it counts as pending already
  /// @param afterEach run after each name
  public ListedNames(Walk walk, Folder top, Runnable afterEach) {
    this(walk, top, afterEach, false);
  }

  /// @param areOperands whether the user typed the names, so that links on the way are followed
  ListedNames(Walk walk, Folder top, Runnable afterEach, boolean areOperands) {
    this.walk = walk;
    this.afterEach = afterEach;
    this.areOperands = areOperands;
    way.add(top);
  }

  /// @throws Failure if the source cannot be opened
  public void add(NameLists names) throws Failure {
    Folder top = way.getFirst();
    try {
      new FolderWalk(walk, top).open();
      walk.folders().release(top);
      boolean more = true;
      while (more && !walk.errors().isOver()) {
        more = addNext(names);
        afterEach.run();
      }
    } finally {
      end();
    }
  }

  /// There are no more names.
  void end() {
    flush();
    leave(0);
  }

  private boolean addNext(NameLists names) {
    try {
      byte[] name = names.next();
      if (name != null) {
        add(name);
      }
      return name != null;
    } catch (Failure failure) {
      walk.errors().tell(walk.selection().names().file(), failure);
      return true;
    }
  }

  /// @param path below the top, its names with one slash between
  void add(byte[] path) throws Failure {
    if (path.length == 0) {
      Folder top = way.getFirst();
      top.oneMore();
      walk.push(top);
      return;
    }
    byte[] name = enterAbove(path);
    if (name == null) {
      return;
    }
    Folder folder = way.getLast();
    if (batch != null && (batchFolder != folder || batch.isFull())) {
      flush();
    }
    if (batch == null) {
      batch = new EntryBatch(walk, folder, null, areOperands);
      batchFolder = folder;
    }
    batch.add(name, Listing.UNKNOWN);
  }

  /// As [#add], of an operand that is a directory, or a link to one if that is followed.
  void addDirectory(byte[] path) throws Failure {
    byte[] name = enterAbove(path);
    Folder folder = way.getLast();
    folder.oneMore();
    walk.push(folder.child(name, true));
  }

  /// Enters the directories that lead to `path`, and leaves the others.
  ///
  /// @return the last name of `path`; null if a filter leaves out a directory on the way
  private byte[] enterAbove(byte[] path) throws Failure {
    int depth = 1;
    int start = 0;
    for (int end = indexOfSlash(path, 0); end >= 0; end = indexOfSlash(path, start)) {
      if (!enter(depth++, Arrays.copyOfRange(path, start, end))) {
        return null;
      }
      start = end + 1;
    }
    leave(depth);
    return Arrays.copyOfRange(path, start, path.length);
  }

  /// @return whether no filter leaves it out
  private boolean enter(int depth, byte[] name) throws Failure {
    if (way.size() > depth && Arrays.equals(way.get(depth).sourceName, name)) {
      return true;
    }
    leave(depth);
    Folder parent = way.getLast();
    if (!areOperands && walk.isExcluded(parent, name, true)) {
      return false;
    }
    Folder folder = parent.child(name, areOperands);
    parent.oneMore();
    try {
      new FolderWalk(walk, folder).open();
    } catch (Failure failure) {
      walk.oneIsOver(folder);
      throw failure;
    }
    walk.folders().release(folder);
    way.add(folder);
    return true;
  }

  private void leave(int depth) {
    while (way.size() > depth) {
      walk.oneIsOver(way.removeLast());
    }
  }

  private void flush() {
    if (batch != null) {
      EntryBatch full = batch;
      batch = null;
      walk.workers().offer(full, worker);
    }
  }

  private static int indexOfSlash(byte[] path, int from) {
    for (int i = from; i < path.length; i++) {
      if (path[i] == '/') {
        return i;
      }
    }
    return -1;
  }
}
