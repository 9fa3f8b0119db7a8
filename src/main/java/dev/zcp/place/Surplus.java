package dev.zcp.place;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;

/// Deletes entries of a directory, with all that is in them: `--delete`. What this run has made or
/// kept stays whatever its name is, and so does what something is mounted on.
///
/// Names are looked up in directories that are held open, and no link is followed. Of the
/// directories that are being deleted one is open at a time, however deep they are. It belongs to
/// one thread, which may sweep one directory after the other.
public final class Surplus {

  /// A directory in which somebody makes entries all the time has no end.
  private static final int LISTINGS_MAX = 100;

  private final Conflict conflict;
  private final Rules rules;

  // Nothing of the listing is left to be read between two calls.
  private final Listing listing = new Listing();

  private OpenDirectory top;
  private boolean countsOnly;

  /// What is to go, and who hears of it. Paths are below the directory that is swept: a name alone
  /// is that of one of its own entries.
  public interface Rules {

    /// Whether an entry stays, and with it the directories that it is in.
    ///
    /// @param above of the directory that it is in
    boolean stays(byte[] path, FileStatus status, FileStatus above) throws IOException, Failure;

    /// An entry is deleted, or if it is only counted, would be.
    void gone(byte[] path);

    /// An entry cannot be deleted, so it stays. May be told again.
    void failed(byte[] path, IOException cause);

    /// Whether to stop.
    boolean isOver();

    /// The path, for messages.
    String label(byte[] path);
  }

  /// @param conflict knows what this run has made
  public Surplus(Conflict conflict, Rules rules) {
    this.conflict = conflict;
    this.rules = rules;
  }

  /// A directory on the way down.
  private static final class Descent {

    /// Null for the top, of which only some entries go.
    final Descent above;

    final FileStatus status;

    /// Null for the top.
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

  /// Whether the path is that of an entry of the directory itself.
  public static boolean isOwn(byte[] path) {
    boolean isOwn = true;
    for (byte each : path) {
      isOwn &= each != '/';
    }
    return isOwn;
  }

  /// Deletes what does not stay.
  ///
  /// @param directory stays open
  /// @param countsOnly whether it is only told what would be deleted
  /// @return whether the directory has lost an entry
  /// @throws Failure DESTINATION if somebody moved what was being deleted
  public boolean run(OpenDirectory directory, boolean countsOnly) throws IOException, Failure {
    this.top = directory;
    this.countsOnly = countsOnly;
    Descent level = new Descent(null, directory.status(), null);
    boolean anyLost = false;
    OpenDirectory here = directory;
    try {
      while (!rules.isOver()) {
        byte[] name = nextName(level, here);
        if (name != null) {
          FileStatus status = statusOf(level, here, name);
          if (status == null) {
            continue;
          }
          boolean stays =
              status.isMountRoot()
                  || conflict.isOfThisRun(status)
                  || rules.stays(level.pathOf(name), status, level.status);
          if (stays) {
            level.keepsSome = true;
          } else if (status.isDirectory()) {
            OpenDirectory below = open(level, here, name);
            if (below != null) {
              close(here);
              here = below;
              level = new Descent(level, below.status(), level.pathOf(name));
            }
          } else {
            delete(level, here, name, false);
          }
        } else if (level.above == null) {
          return anyLost;
        } else {
          Descent left = level;
          level = left.above;
          OpenDirectory above = level.above == null ? top : here.above();
          close(here);
          here = above;
          if (!here.status().isSameFile(level.status)) {
            throw Failure.of(
                ExitCode.DESTINATION,
                rules.label(left.path),
                "was moved while it was being deleted");
          }
          if (left.keepsSome) {
            level.keepsSome = true;
          } else {
            delete(level, here, RawPath.of(left.path).lastComponent(), true);
          }
        }
        anyLost |= level.above == null && level.isChanged;
      }
      return anyLost;
    } finally {
      close(here);
    }
  }

  private void close(OpenDirectory directory) throws IOException {
    if (directory != top) {
      directory.close();
    }
  }

  /// @return null if it is gone, or cannot be looked at, which is told
  private FileStatus statusOf(Descent level, OpenDirectory here, byte[] name) {
    try {
      return here.statusOf(name);
    } catch (IOException e) {
      keep(level, level.pathOf(name), e);
      return null;
    }
  }

  /// @return null if there is none left, or the directory cannot be read, which is told
  /// @throws IOException if that is the top
  private byte[] nextName(Descent level, OpenDirectory here) throws IOException {
    try {
      return nextListed(level, here);
    } catch (IOException e) {
      if (level.above == null) {
        throw e;
      }
      keep(level, level.path, e);
      level.isListed = true;
      return null;
    }
  }

  private byte[] nextListed(Descent level, OpenDirectory here) throws IOException {
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

  private void delete(Descent level, OpenDirectory here, byte[] name, boolean isDirectory) {
    byte[] path = level.pathOf(name);
    if (!countsOnly) {
      try {
        if (isDirectory) {
          here.removeDirectory(name);
        } else {
          here.remove(name);
        }
      } catch (IOException e) {
        keep(level, path, e);
        return;
      }
      level.isChanged = true;
    }
    rules.gone(path);
  }

  /// @return null if it cannot be opened, which is told
  private OpenDirectory open(Descent level, OpenDirectory here, byte[] name) {
    try {
      return here.directory(name, false);
    } catch (IOException e) {
      keep(level, level.pathOf(name), e);
      return null;
    }
  }

  /// An entry cannot be deleted, so its directory stays, too.
  private void keep(Descent level, byte[] path, IOException cause) {
    level.keepsSome = true;
    rules.failed(path, cause);
  }
}
