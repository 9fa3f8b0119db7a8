package dev.zcp.session;

import dev.zcp.linux.FileStatus;
import java.io.IOException;
import java.nio.file.Path;

/// Whose the files are that this process makes.
///
/// @param owner [#UNKNOWN] if the system does not say
public record OwnUser(int owner, int group) {

  static final int UNKNOWN = -1;

  /// By who owns the process's directory in procfs: proc(5).
  public static OwnUser ofProcess() {
    try {
      FileStatus self = FileStatus.of(Path.of("/proc/self"));
      return new OwnUser(self.owner(), self.group());
    } catch (IOException e) {
      return new OwnUser(UNKNOWN, UNKNOWN);
    }
  }

  /// Whether the system says who that is.
  boolean isKnown() {
    return owner != UNKNOWN;
  }
}
