package dev.zcp.cli;

import dev.zcp.core.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// The last run of this user that took some time, for `zcp report last`.
final class LastRun {

  /// The operand that stands for it.
  static final String WORD = "last";

  /// To keep a run takes some 45 ms of a processor. A shorter one needs no explanation.
  static final long NS_MIN = 2_000_000_000;

  /// How often its rate is looked at, at first.
  static final long STEP_NS = 100_000_000;

  /// What is larger is not kept: only many losses make a run so large.
  private static final int BYTES_MAX = 1 << 20;

  private static final FileAttribute<?> OWN_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private static final FileAttribute<?> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private LastRun() {}

  /// Keeps a run in place of the one before, if it can: nobody asked for that, so a place that
  /// cannot be written to is no failure.
  ///
  /// @param lines what `--json` would have written of it
  /// @return whether it is kept
  static boolean keep(byte[] lines, Path file) {
    if (lines.length > BYTES_MAX) {
      return false;
    }
    try {
      Files.createDirectories(file.getParent(), OWN_DIRECTORY);
      WholeFile.write(file, lines, false, OWN_FILE);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
