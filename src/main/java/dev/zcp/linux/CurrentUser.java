package dev.zcp.linux;

import java.io.IOException;
import java.nio.file.Path;

/// The user that this process acts as. Java can tell the name, which need not be known, and not the
/// number; proc(5) shows it as the owner of `/proc/self`.
public final class CurrentUser {

  /// In place of a number that cannot be known: nobody owns files by it.
  static final int UNKNOWN = -1;

  private CurrentUser() {}

  /// The effective user id, or [#UNKNOWN].
  public static int id() {
    try {
      return FileStatus.of(Path.of("/proc/self")).owner();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
