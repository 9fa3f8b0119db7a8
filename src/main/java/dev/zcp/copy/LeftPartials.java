package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.place.PrivateFile;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What interrupted copies left in a tree, that nobody goes on with any more: partial files without
/// a journal, and journals without a partial file. Both together are of a session, which its
/// receiver looks after.
public final class LeftPartials {

  /// Who copies a file, or goes on with it, does so within this time.
  public static final Duration AGE_MIN = Duration.ofDays(1);

  /// Deeper directories are left alone: each level is a descriptor.
  private static final int LEVELS_MAX = 512;

  /// Told what is found.
  public interface Finds {

    /// @param path as the user named its tree, and the names below that
    void removed(RawPath path, long bytes);

    void failed(Failure failure);
  }

  private final Finds finds;
  private final boolean isDryRun;
  private final Instant newest;

  /// @param isDryRun whether what would be removed stays
  /// @param age for how long nothing may have changed of a file; usually [#AGE_MIN]
  public LeftPartials(Finds finds, boolean isDryRun, Duration age) {
    this.finds = finds;
    this.isDryRun = isDryRun;
    this.newest = Instant.now().minus(age);
  }

  /// Removes those of this user below a directory. Links are not followed.
  ///
  /// @throws Failure DESTINATION if it is none, or cannot be opened
  public void sweep(RawPath directory) throws Failure {
    try (OpenDirectory top = OpenDirectory.open(directory)) {
      sweep(top, directory, 0);
    } catch (IOException e) {
      throw Reasons.destination(directory, e);
    }
  }

  private void sweep(OpenDirectory directory, RawPath path, int level) throws IOException {
    List<byte[]> names = directory.names();
    for (byte[] name : names) {
      RawPath here = path.resolve(name);
      try {
        FileStatus status = directory.statusOf(name);
        if (status == null) {
          continue;
        }
        if (status.isDirectory()) {
          enter(directory, name, here, level + 1);
        } else if (isLeft(directory, name, status)
            && PrivateFile.removeIfNobodys(directory, name, newest, isDryRun)) {
          finds.removed(here, status.dataBytes());
        }
      } catch (IOException e) {
        finds.failed(Reasons.destination(here, e));
      }
    }
  }

  private void enter(OpenDirectory directory, byte[] name, RawPath path, int level)
      throws IOException {
    if (level > LEVELS_MAX) {
      finds.failed(Failure.of(ExitCode.DESTINATION, path, "too deep"));
      return;
    }
    try (OpenDirectory below = directory.directory(name, false)) {
      sweep(below, path, level);
    }
  }

  private static boolean isLeft(OpenDirectory directory, byte[] name, FileStatus status)
      throws IOException {
    byte[] partner = HiddenName.partner(name);
    return partner != null && status.isRegular() && directory.statusOf(partner) == null;
  }
}
