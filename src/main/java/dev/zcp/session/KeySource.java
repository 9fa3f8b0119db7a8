package dev.zcp.session;

import dev.zcp.core.RawPath;
import java.io.InputStream;

/// Where the key may come from, as the command line and the environment named it. The address's own
/// key comes first, then the file, then the environment, then the file that an end of the same user
/// that listens on the same machine left.
///
/// @param file what `--key-file` named, or null; `-` is standard input
/// @param in standard input; null if nothing is to be read from there
/// @param environment the value of `ZCP_KEY`, or null
/// @param shared the user's own directory on this machine where keys are left, or null if the user
///   has none
public record KeySource(RawPath file, InputStream in, String environment, RawPath shared) {

  /// One that reads no standard input.
  public KeySource(RawPath file, String environment, RawPath shared) {
    this(file, null, environment, shared);
  }

  /// Without the key, so that no log or message can show it.
  @Override
  public String toString() {
    return "KeySource[file=" + file + ", shared=" + shared + "]";
  }
}
