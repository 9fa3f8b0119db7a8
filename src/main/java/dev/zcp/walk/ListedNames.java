package dev.zcp.walk;

import dev.zcp.core.Failure;
import dev.zcp.tree.Listing;
import dev.zcp.walk.WorkerPool.Worker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Gives the workers the entries that a list names, with the directories that lead to them. Of
/// these, those of the latest name are kept, so a list in order makes each of them once.
public final class ListedNames {

  private final Walk walk;
  private final Runnable afterEach;
  private final Worker worker = new Worker();

  /// The directories of the latest name, the source first.
  private final List<Folder> way = new ArrayList<>();

  private EntryBatch batch;
  private Folder batchFolder;

  /// @param top the one source; it counts as pending already
  /// @param afterEach run after each name
  public ListedNames(Walk walk, Folder top, Runnable afterEach) {
    this.walk = walk;
    this.afterEach = afterEach;
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
      flush();
      leave(0);
    }
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

  private void add(byte[] path) throws Failure {
    if (path.length == 0) {
      Folder top = way.getFirst();
      top.oneMore();
      walk.push(top);
      return;
    }
    int depth = 1;
    int start = 0;
    for (int end = indexOfSlash(path, 0); end >= 0; end = indexOfSlash(path, start)) {
      enter(depth++, Arrays.copyOfRange(path, start, end));
      start = end + 1;
    }
    leave(depth);
    Folder folder = way.getLast();
    if (batch != null && (batchFolder != folder || batch.isFull())) {
      flush();
    }
    if (batch == null) {
      batch = new EntryBatch(walk, folder, null, false);
      batchFolder = folder;
    }
    batch.add(Arrays.copyOfRange(path, start, path.length), Listing.UNKNOWN);
  }

  private void enter(int depth, byte[] name) throws Failure {
    if (way.size() > depth && Arrays.equals(way.get(depth).sourceName, name)) {
      return;
    }
    leave(depth);
    Folder parent = way.getLast();
    Folder folder = parent.child(name, false);
    parent.oneMore();
    try {
      new FolderWalk(walk, folder).open();
    } catch (Failure failure) {
      walk.oneIsOver(folder);
      throw failure;
    }
    walk.folders().release(folder);
    way.add(folder);
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
