package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.Conflict.ClaimSource;
import dev.zcp.place.Metadata;
import dev.zcp.place.PlaceOther;
import dev.zcp.tree.FileKey;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Limits;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// The directories of one session that are open, below the receiver's own. Each is reached from the
/// one above by its name alone, and a link is no directory: so nothing that a sender names is
/// outside.
///
/// Whoever uses one holds it meanwhile. Of those that nobody holds a bounded number stays open, and
/// the one that was used longest ago is closed first. Any thread may call it.
final class Folders implements Closeable {

  /// Of directories that this session made and that are not complete.
  private static final int MADE_MAX = 2 * Limits.ENTRIES_UNDER_WAY_MAX;

  /// Of directories that sessions made and none completed.
  private static final int INCOMPLETE_MAX = 1 << 16;

  /// Of a directory that nobody offered yet.
  private static final FileStatus UNKNOWN =
      FileStatus.ofNew(FileType.DIRECTORY | 0700, Instant.EPOCH);

  private final int idleMax;
  private final PlaceOther other;
  private final FileWork work;

  /// Shared by all sessions of a target.
  private final Set<FileKey> incomplete;

  // All below, and what folders keep for this class, is guarded by this.
  private final HeldFolder root;
  private final Map<EntryPath, HeldFolder> open = new HashMap<>();
  private final LinkedHashSet<HeldFolder> idle = new LinkedHashSet<>();

  /// What this session made and nobody completed: what each was when it was made.
  private final Map<EntryPath, FileStatus> made = new HashMap<>();

  /// What another session made and has not completed, as when its sender was killed; or another
  /// receiver, which was.
  private final Set<EntryPath> takenUp = new HashSet<>();

  /// @param root stays open
  /// @param idleMax how many stay open that nobody holds
  /// @param other makes directories
  /// @param work told before one is made
  /// @param incomplete the directories that a session made and none completed; concurrent
  Folders(
      OpenDirectory root, int idleMax, PlaceOther other, FileWork work, Set<FileKey> incomplete) {
    this.root = new HeldFolder(null, root, false);
    this.idleMax = idleMax;
    this.other = other;
    this.work = work;
    this.incomplete = incomplete;
  }

  /// A directory that is open. Whoever got it has to close it, and so lets go of it.
  final class HeldFolder implements Closeable {

    private final EntryPath path;
    private final OpenDirectory directory;
    private int holders = 1;

    /// Whether this session made it, and did not complete it.
    private volatile boolean isNew;

    private HeldFolder(EntryPath path, OpenDirectory directory, boolean isNew) {
      this.path = path;
      this.directory = directory;
      this.isNew = isNew;
    }

    OpenDirectory directory() {
      return directory;
    }

    boolean isNew() {
      return isNew;
    }

    /// Claims a name in it, for what was offered under this path.
    ///
    /// @param status of what is to be made
    <C extends Claim> C claim(C claim, EntryPath entry, FileStatus status) {
      OfferedName offered = new OfferedName(entry);
      claim.begin(offered, directory, entry.name().bytes(), status, isNew, false);
      return claim;
    }

    @Override
    public void close() {
      release(this);
    }
  }

  /// For messages an entry is known by its path below the receiver's directory.
  private record OfferedName(EntryPath source) implements ClaimSource {

    @Override
    public Object target() {
      return source;
    }
  }

  /// Opens a directory.
  ///
  /// @param path null for the receiver's own
  /// @param make whether it is made if it is not there, and all above it
  /// @throws IOException unless it is to be made
  /// @throws Failure that names which of them cannot be made
  synchronized HeldFolder hold(EntryPath path, boolean make) throws IOException, Failure {
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
      EntryPath next = missing.pop();
      try (HeldFolder above = folder) {
        folder = open(above, next, make ? UNKNOWN : null);
      } catch (IOException e) {
        if (make) {
          throw Reasons.destination(next, e);
        }
        throw e;
      }
    }
    return folder;
  }

  /// As [#hold], of a directory that was offered: if it is not there it is made.
  ///
  /// @param status of its source
  /// @throws Failure EXISTS if something else has the name, or another directory of this session is
  ///   the same one there
  synchronized HeldFolder make(EntryPath path, FileStatus status) throws IOException, Failure {
    try (HeldFolder above = hold(path.parent(), true)) {
      Claim claim = above.claim(new Claim(), path, status);
      HeldFolder folder = find(path);
      boolean isBegun = false;
      try {
        folder = folder == null ? open(above, path, status) : folder;
        if (isMade(folder)) {
          // What is in it may have come before it, and so made it.
          other.begin(status, folder.directory);
        } else {
          other.refuseTaken(claim, folder.directory);
          boolean isUnfinished = Metadata.isUnfinished(folder.directory.status());
          if ((isUnfinished || incomplete.contains(key(folder))) && takenUp.size() < MADE_MAX) {
            takenUp.add(path);
          }
        }
        isBegun = true;
        return folder;
      } catch (IOException e) {
        PlaceOther.refuseOtherThanDirectory(claim);
        throw e;
      } finally {
        if (!isBegun && folder != null) {
          release(folder);
        }
      }
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

  /// Whether the directory was there, and lacks what the session that made it was offered with it.
  synchronized boolean isTakenUp(HeldFolder folder) {
    return takenUp.contains(folder.path);
  }

  /// The directory that the caller holds is complete: from now on it is one that was there.
  synchronized void complete(HeldFolder folder) {
    made.remove(folder.path);
    takenUp.remove(folder.path);
    incomplete.remove(key(folder));
    folder.isNew = false;
  }

  private static FileKey key(HeldFolder folder) {
    return FileKey.of(folder.directory.status());
  }

  @Override
  public synchronized void close() {
    for (HeldFolder folder : open.values()) {
      Quietly.close(folder.directory);
    }
    open.clear();
    idle.clear();
    made.clear();
  }

  private HeldFolder find(EntryPath path) {
    HeldFolder folder = path == null || path.isTop() ? root : open.get(path);
    if (folder != null && folder.holders++ == 0) {
      idle.remove(folder);
    }
    return folder;
  }

  /// @param status of its source, to make it if it is not there; null not to
  private HeldFolder open(HeldFolder above, EntryPath path, FileStatus status)
      throws IOException, Failure {
    OpenDirectory directory = null;
    // What is in a new directory is mostly new, and then it is made at once.
    if (status == null || !above.isNew || made.containsKey(path)) {
      try {
        directory = above.directory.directoryToUse(path.name().bytes());
      } catch (IOException e) {
        // Nothing is there, or what makes way for it; else it fails once more.
        if (status == null) {
          throw e;
        }
      }
    }
    if (directory == null) {
      directory = create(above, path, status);
    }
    FileStatus before = made.get(path);
    boolean isNew = before != null && before.isSameFile(directory.status());
    HeldFolder folder = new HeldFolder(path, directory, isNew);
    open.put(path, folder);
    return folder;
  }

  private OpenDirectory create(HeldFolder above, EntryPath path, FileStatus status)
      throws IOException, Failure {
    if (made.size() >= MADE_MAX) {
      throw new IOException("too many directories are not complete");
    }
    Claim claim = above.claim(new Claim(), path, status);
    work.use(path, 0);
    boolean isCreated = false;
    try {
      PlaceOther.PlacedDirectory placed =
          status == UNKNOWN ? other.earlyDirectory(claim) : other.directory(claim);
      isCreated = placed.created();
      if (isCreated) {
        made.put(path, placed.directory().status());
        if (incomplete.size() < INCOMPLETE_MAX) {
          incomplete.add(FileKey.of(placed.directory().status()));
        }
      }
      return placed.directory();
    } finally {
      if (!isCreated) {
        work.giveBack(0);
      }
    }
  }

  private void close(HeldFolder folder) {
    open.remove(folder.path);
    Quietly.close(folder.directory);
  }
}
