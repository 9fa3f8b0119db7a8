package dev.zcp.session.receive;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.linux.OwnProcess;
import dev.zcp.place.Partials;
import dev.zcp.session.Admission;
import dev.zcp.session.Sessions;
import dev.zcp.tree.FileKey;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The directory that a receiver was started for, held open, with what its sessions have in common.
/// Any thread may call it.
public final class TargetDirectory implements Closeable {

  // Of the descriptors of the process each session gets a share: one for a directory that nobody
  // uses now, three for a file under way with its journal and its directory.
  private static final int FOLDERS_SHARE = 6 * Sessions.SESSIONS_MAX;
  private static final int FOLDERS_MIN = 8;
  private static final int FOLDERS_MAX = 256;
  private static final int OPEN_SHARE = 6 * Sessions.SESSIONS_MAX;
  private static final int OPEN_MIN = 3 * ReceivingWorkers.WORKERS_MAX;
  private static final int OPEN_MAX = 2048;
  private static final int GROUP_SHARE = 2 * Sessions.SESSIONS_MAX;

  /// Entries whose names are known to be taken, in up to 64 bytes each: 1 MB that a session is sure
  /// of, and 32 MB besides.
  private static final int TAKEN_PART = 1 << 14;

  private static final int TAKEN_COMMON = 1 << 19;

  private final RawPath path;
  private final OpenDirectory directory;
  private final Partials partials = new Partials();
  private final PathLocks pathLocks = new PathLocks();
  private final Set<FileKey> incomplete = ConcurrentHashMap.newKeySet();
  private final Budget names = new Budget(FirstNames.PART, FirstNames.COMMON);
  private final Budget taken = new Budget(TAKEN_PART, TAKEN_COMMON);
  private final int umask = OwnProcess.umask();
  private final int descriptorsMax = OwnProcess.descriptorsMax();

  private TargetDirectory(RawPath path, OpenDirectory directory) {
    this.path = path;
    this.directory = directory;
  }

  /// @throws Failure DESTINATION if it is no directory, or cannot be opened or written to
  public static TargetDirectory open(RawPath path) throws Failure {
    try {
      OpenDirectory directory = OpenDirectory.open(path);
      try {
        requireWritable(directory);
        return new TargetDirectory(path, directory);
      } catch (IOException e) {
        Quietly.close(directory);
        throw e;
      }
    } catch (NoSuchFileException e) {
      String name = path.toString();
      throw Failure.of(ExitCode.DESTINATION, name, "no such directory")
          .with(
              name.indexOf(':') > 0
                  ? "create it first; or name a DIRECTORY after it, if it is the ADDRESS of a"
                      + " sender"
                  : "create it first")
          .because(e);
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
  }

  /// By its descriptor: the way there may have a name that Java's file API cannot say.
  private static void requireWritable(OpenDirectory directory) throws IOException {
    Path path = Path.of("/proc/self/fd/" + directory.descriptor());
    path.getFileSystem().provider().checkAccess(path, AccessMode.WRITE);
  }

  /// A place in it for one session.
  ///
  /// @param holder asked to give way if another session wants one of its files
  /// @param work told how many bytes of files that are there were read, piece by piece: the peer
  ///   must not wait in silence. What it throws ends the reading
  Place begin(Admission admission, PathLocks.Holder holder, FileWork work) {
    return new DirectoryPlace(this, admission, holder, work);
  }

  /// The process ends: what nobody can go on with is deleted, and nothing gets its name any more.
  void abandon() {
    partials.abandon();
  }

  @Override
  public void close() {
    Quietly.close(directory);
  }

  public OpenDirectory directory() {
    return directory;
  }

  /// Its path, for messages.
  String label() {
    return path.toString();
  }

  Partials partials() {
    return partials;
  }

  PathLocks pathLocks() {
    return pathLocks;
  }

  /// The directories that a session made and none completed.
  Set<FileKey> incomplete() {
    return incomplete;
  }

  /// How many names of what has arrived are remembered.
  Budget names() {
    return names;
  }

  /// How many entries are remembered that were made or kept.
  Budget taken() {
    return taken;
  }

  int umask() {
    return umask;
  }

  /// How many directories of a session stay open that nobody uses now.
  int foldersMax() {
    return Math.clamp(descriptorsMax / FOLDERS_SHARE, FOLDERS_MIN, FOLDERS_MAX);
  }

  /// How many partial files a session may have open: those [under way][#filesMax], one in each hand
  /// that writes small ones, and what there is to go on with, as far as that leaves room for it.
  int openMax() {
    return Math.clamp(descriptorsMax / OPEN_SHARE, OPEN_MIN, OPEN_MAX);
  }

  /// How many files a session may have under way that do not fit a part.
  int filesMax() {
    return (openMax() - ReceivingWorkers.WORKERS_MAX) / 2;
  }

  /// How many descriptors one hand of a session may hold of files that wait to be forced.
  int groupDescriptorsMax() {
    return descriptorsMax / GROUP_SHARE;
  }

  /// How many partial files a session may open before anything of them is sent.
  int heldMax() {
    return openMax() - ReceivingWorkers.WORKERS_MAX - filesMax();
  }
}
