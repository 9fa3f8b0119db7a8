package dev.zcp.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/// What a file of megabytes must hold. AssertJ's own assertions read byte by byte, some 40 ns each:
/// for a file that zcp moves in a moment they take many times as long as zcp.
public final class FileContent {

  private static final int SAME = -1;

  private FileContent() {}

  /// Asserts that `actual` holds what `expected` holds.
  public static void assertSame(Path actual, Path expected) throws IOException {
    assertThat(Files.mismatch(actual, expected))
        .as("the first byte of %s that differs", actual)
        .isEqualTo(SAME);
  }

  /// Asserts that `actual` holds these bytes and no more.
  public static void assertHolds(Path actual, byte[] expected) throws IOException {
    assertHolds(actual, expected, "in the end");
  }

  /// @param when for the message
  public static void assertHolds(Path actual, byte[] expected, String when) throws IOException {
    assertThat(Arrays.mismatch(Files.readAllBytes(actual), expected))
        .as("%s: the first byte of %s that differs", when, actual)
        .isEqualTo(SAME);
  }
}
