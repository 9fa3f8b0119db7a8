package dev.zcp.session.receive;

import dev.zcp.linux.FileStatus;
import dev.zcp.place.Durability;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Limits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;

/// The directories of one session that are open, below the receiver's own. Each is reached from the
/// one above by its name alone, and a link is no directory: so nothing that a sender names is
/// outside.
///
/// Whoever uses one holds it meanwhile. Of those that nobody holds a bounded number stays open, and
/// the one that was used longest ago is closed first. Any thread may call it.
final class Folders implements Closeable {

  /// Only its owner gets at a directory that nobody offered yet. In place of a mode.
  private static final int DO_NOT_MAKE = -1;

  private static final int PRIVATE = 0700;

  /// Of directories that this session made and that are not complete.
  private static final int MADE_MAX = 2 * Limits.ENTRIES_UNDER_WAY_MAX;

  private final int idleMax;
  private final Durability durability;

  // All below, and what folders keep for this class, is guarded by this.
  private final HeldFolder root;
  private final Map<EntryPath, HeldFolder> open = new HashMap<>();
  private final LinkedHashSet<HeldFolder> idle = new LinkedHashSet<>();

  /// What this session made and nobody completed: what each was when it was made.
  private final Map<EntryPath, FileStatus> made = new HashMap<>();

  /// @param root stays open
  /// @param idleMax how many stay open that nobody holds
  /// @param durability told what is made
  Folders(OpenDirectory root, int idleMax, Durability durability) {
    this.root = new HeldFolder(null, root);
    this.idleMax = idleMax;
    this.durability = durability;
  }

  /// A directory that is open. Whoever got it has to close it, and so lets go of it.
  final class HeldFolder implements Closeable {

    private final EntryPath path;
    private final OpenDirectory directory;
    private int holders = 1;

    private HeldFolder(EntryPath path, OpenDirectory directory) {
      this.path = path;
      this.directory = directory;
    }

    OpenDirectory directory() {
      return directory;
    }

    @Override
    public void close() {
      release(this);
    }
  }

  /// Opens a directory.
  ///
  /// @param path null for the receiver's own
  /// @param make whether it is made if it is not there, and all above it
  synchronized HeldFolder hold(EntryPath path, boolean make) throws IOException {
    HeldFolder folder = find(path);
    if (folder != null) {
      return folder;
    }
    ArrayDeque<EntryPath> missing = new ArrayDeque<>();
    for (EntryPath each = path; folder == null; ) {
      missing.push(each);
      each = each.parent();
      folder = find(each);
    }
    while (!missing.isEmpty()) {
      try (HeldFolder above = folder) {
        folder = open(above, missing.pop(), make ? PRIVATE : DO_NOT_MAKE);
      }
    }
    return folder;
  }

  /// As [#hold], of a directory that was offered: if it is not there it is made with `mode`.
  synchronized HeldFolder make(EntryPath path, int mode) throws IOException {
    HeldFolder folder = find(path);
    if (folder != null) {
      return folder;
    }
    try (HeldFolder above = hold(path.parent(), true)) {
      return open(above, path, mode);
    }
  }

  private synchronized void release(HeldFolder folder) {
    if (--folder.holders == 0 && folder != root) {
      idle.add(folder);
      while (idle.size() > idleMax) {
        close(idle.removeFirst());
      }
    }
  }

  /// Whether this session made the directory that the caller holds, and did not complete it.
  ///
  /// @throws IOException if it is another one than was made
  synchronized boolean isMade(HeldFolder folder) throws IOException {
    FileStatus status = made.get(folder.path);
    if (status != null && !status.isSameFile(folder.directory.status())) {
      throw new IOException("was replaced by another directory while it was received");
    }
    return status != null;
  }

  /// A directory is complete: from now on it is one that was there.
  synchronized void complete(EntryPath path) {
    made.remove(path);
  }

  @Override
  public synchronized void close() {
    for (HeldFolder folder : open.values()) {
      closeQuietly(folder);
    }
    open.clear();
    idle.clear();
    made.clear();
  }

  private HeldFolder find(EntryPath path) {
    HeldFolder folder = path == null ? root : open.get(path);
    if (folder != null && folder.holders++ == 0) {
      idle.remove(folder);
    }
    return folder;
  }

  /// @param mode to make it with if it is not there; [#DO_NOT_MAKE] not to
  private HeldFolder open(HeldFolder above, EntryPath path, int mode) throws IOException {
    byte[] name = path.name().bytes();
    OpenDirectory directory;
    try {
      directory = above.directory.directory(name, false);
    } catch (NoSuchFileException e) {
      if (mode == DO_NOT_MAKE) {
        throw e;
      }
      directory = create(above, path, name, mode);
    }
    HeldFolder folder = new HeldFolder(path, directory);
    open.put(path, folder);
    return folder;
  }

  private OpenDirectory create(HeldFolder above, EntryPath path, byte[] name, int mode)
      throws IOException {
    if (made.size() >= MADE_MAX) {
      throw new IOException("too many directories are not complete");
    }
    try {
      above.directory.makeDirectory(name, mode);
    } catch (FileAlreadyExistsException e) {
      // Somebody was faster.
      return above.directory.directory(name, false);
    }
    OpenDirectory directory = above.directory.newDirectory(name);
    made.put(path, directory.status());
    durability.made(directory);
    return directory;
  }

  private void close(HeldFolder folder) {
    open.remove(folder.path);
    closeQuietly(folder);
  }

  /// What was made in it is there: close(2) has nothing to say.
  private static void closeQuietly(HeldFolder folder) {
    try {
      folder.directory.close();
    } catch (IOException e) {
      // Nothing was written by this descriptor.
    }
  }
}
