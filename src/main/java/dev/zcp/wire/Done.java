package dev.zcp.wire;

import dev.zcp.core.ExitCode;

/// The last frame of a direction. A connection that ends without the peer's has failed, whatever
/// TCP says.
///
/// @param exitCode what this end tells its shell
/// @param files from the sender: how many it announced; from the receiver: how many it acknowledged
/// @param bytes from the sender: how many went as [Data]; from the receiver: the sum of the files
///   it acknowledged
/// @param text the first cause of a failure, in words for the user; cut where it is longer than
///   [Limits#TEXT_BYTES_MAX]. From a peer it may hold any character
public record Done(ExitCode exitCode, long files, long bytes, String text) implements Frame {

  /// The payload before the text.
  static final int FIXED_BYTES = 17;

  public Done {
    if (files < 0 || files > Limits.FILES_MAX) {
      throw new IllegalArgumentException(Long.toUnsignedString(files) + " files");
    }
    Limits.requireSize(bytes);
    text = Text.capped(text);
  }

  @Override
  public FrameType type() {
    return FrameType.DONE;
  }
}
