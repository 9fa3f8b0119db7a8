package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.Listing;
import dev.zcp.walk.NameLists.ListUse;
import dev.zcp.walk.Selection.Links;
import dev.zcp.walk.WorkerPool.Worker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// Gives the workers the entries that a list names, with the directories that lead to them; or an
/// operand in the same way. Belongs to one thread.
///
/// If there is room for that, a directory is entered once, in whatever order the names come, and
/// completed when all of the list is over: one that is read-only takes no file any more, and one
/// with a default access control list gives it to what comes later. Else only the directories of
/// the latest name stay as they are.
public final class ListedNames {

  private final Walk walk;
  private final Runnable afterEach;
  private final boolean areOperands;
  private final boolean keepsAll;
  private final Worker worker = new Worker();

  /// The one source, in which all names are.
  private final Folder top;

  private boolean isTopListed;

  /// Directories that are entered at a time: of more, the eldest is completed.
  private static final int ENTERED_MAX = 1 << 16;

  /// The directories that were entered, by their paths below the top as Latin-1; null for one that
  /// a filter leaves out.
  private final LinkedHashMap<String, Folder> entered = new LinkedHashMap<>();

  /// Of those, the ones that come with all that is in them.
  private final Set<Folder> whole = new HashSet<>();

  private EntryBatch batch;
  private Folder batchFolder;

  /// @param top the one source; it counts as pending already
  /// @param afterEach run after each name
  /// @param keepsAll whether there is room for all directories
  public ListedNames(Walk walk, Folder top, Runnable afterEach, boolean keepsAll) {
    this(walk, top, afterEach, keepsAll, false);
  }

  /// @param areOperands whether the user typed the names, so that links on the way are followed
  ListedNames(Walk walk, Folder top, Runnable afterEach, boolean keepsAll, boolean areOperands) {
    this.walk = walk;
    this.keepsAll = keepsAll;
    this.afterEach = afterEach;
    this.areOperands = areOperands;
    this.top = top;
  }

  /// @throws Failure if the source cannot be opened
  public void add(NameLists names) throws Failure {
    try {
      new FolderWalk(walk, top).open();
      walk.folders().release(top);
      boolean more = true;
      while (more && !walk.errors().isOver()) {
        more = addNext(names);
        afterEach.run();
      }
    } finally {
      top.isImplied = !isTopListed && walk.selection().isFor(ListUse.COPY);
      end();
    }
  }

  /// There are no more names.
  void end() {
    flush();
    while (!entered.isEmpty()) {
      leave(entered.pollFirstEntry().getValue());
    }
    walk.oneIsOver(top);
  }

  /// @param folder null if it was left out
  private void leave(Folder folder) {
    if (folder != null) {
      whole.remove(folder);
      walk.oneIsOver(folder);
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

  /// @param path below the top, its names with one slash between
  void add(byte[] path) throws Failure {
    if (path.length == 0) {
      isTopListed = true;
      walkWhole(top);
      return;
    }
    Folder folder = folderAbove(path);
    if (folder == null) {
      return;
    }
    byte[] name = lastName(path);
    int type = areOperands ? Listing.UNKNOWN : typeOf(folder, name);
    if (type == FileType.DIRECTORY) {
      Folder listed = enter(path, folder, name);
      if (listed != null) {
        walkWhole(listed);
      }
      return;
    }
    if (batch != null && (batchFolder != folder || batch.isFull())) {
      flush();
    }
    if (batch == null) {
      batch = new EntryBatch(walk, folder, null, areOperands);
      batchFolder = folder;
    }
    batch.add(name, type);
  }

  /// As [#add], of an operand that is a directory, or a link to one if that is followed.
  void addDirectory(byte[] path) throws Failure {
    Folder folder = folderAbove(path);
    folder.oneMore();
    walk.push(folder.child(lastName(path), true));
  }

  /// @return [Listing#UNKNOWN] if it cannot be told: whoever takes the entry tells what is wrong
  private int typeOf(Folder folder, byte[] name) throws Failure {
    walk.folders().hold(folder);
    try {
      boolean follows = walk.selection().links() == Links.FOLLOWED;
      FileStatus status = follows ? folder.source.statusBehind(name) : folder.source.statusOf(name);
      return status == null ? Listing.UNKNOWN : status.type();
    } catch (IOException e) {
      return Listing.UNKNOWN;
    } finally {
      walk.folders().release(folder);
    }
  }

  /// Leaves all that is in a directory to the workers, if that is asked for.
  private void walkWhole(Folder folder) {
    if (walk.selection().recursive() && whole.add(folder)) {
      folder.oneMore();
      walk.push(folder);
    }
  }

  /// @return the directory that the path ends in; null if it is left out, or comes as a whole
  private Folder folderAbove(byte[] path) throws Failure {
    if (!keepsAll) {
      leaveOthers(path);
    }
    Folder folder = top;
    int start = 0;
    for (int end = indexOfSlash(path, 0); end >= 0; end = indexOfSlash(path, start)) {
      if (whole.contains(folder)) {
        return null;
      }
      byte[] name = Arrays.copyOfRange(path, start, end);
      folder = enter(Arrays.copyOf(path, end), folder, name);
      if (folder == null) {
        return null;
      }
      start = end + 1;
    }
    return whole.contains(folder) ? null : folder;
  }

  /// Leaves the directories that `path` is not in.
  private void leaveOthers(byte[] path) {
    String text = new String(path, StandardCharsets.ISO_8859_1);
    Iterator<Map.Entry<String, Folder>> each = entered.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, Folder> directory = each.next();
      String name = directory.getKey();
      boolean isAbove =
          text.length() > name.length()
              && text.startsWith(name)
              && text.charAt(name.length()) == '/';
      if (!isAbove) {
        each.remove();
        leave(directory.getValue());
      }
    }
  }

  private static byte[] lastName(byte[] path) {
    int start = path.length;
    while (start > 0 && path[start - 1] != '/') {
      start--;
    }
    return Arrays.copyOfRange(path, start, path.length);
  }

  /// @return null if a filter leaves it out
  private Folder enter(byte[] path, Folder parent, byte[] name) throws Failure {
    String key = new String(path, StandardCharsets.ISO_8859_1);
    Folder known = entered.get(key);
    if (known != null || entered.containsKey(key)) {
      return known;
    }
    if (!areOperands && walk.isExcluded(parent, name, true)) {
      entered.put(key, null);
      return null;
    }
    boolean follows = areOperands || walk.selection().links() == Links.FOLLOWED;
    Folder folder = parent.child(name, follows);
    parent.oneMore();
    try {
      new FolderWalk(walk, folder).open();
    } catch (Failure failure) {
      walk.oneIsOver(folder);
      throw failure.exitCode() == ExitCode.VANISHED
          ? Failure.of(ExitCode.SOURCE, folder.label(), "no such file or directory")
          : failure;
    }
    walk.folders().release(folder);
    entered.put(key, folder);
    if (entered.size() > ENTERED_MAX) {
      leave(entered.pollFirstEntry().getValue());
    }
    return folder;
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
