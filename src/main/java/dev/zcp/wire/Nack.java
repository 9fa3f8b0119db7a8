package dev.zcp.wire;

import dev.zcp.core.ExitCode;

/// The receiver does not have the file and will not take it.
///
/// @param exitCode why, as a number for scripts; never OK
/// @param text why, in words for the user; cut where it is longer than [Limits#TEXT_BYTES_MAX].
///   From a peer it may hold any character
public record Nack(long fileId, ExitCode exitCode, String text) implements Frame {

  /// The payload before the text.
  static final int FIXED_BYTES = 1;

  public Nack {
    Limits.requireFileId(fileId);
    if (exitCode == ExitCode.OK) {
      throw new IllegalArgumentException("a file refused with exit code 0");
    }
    text = Text.capped(text);
  }

  @Override
  public FrameType type() {
    return FrameType.NACK;
  }
}
