package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;

/// What the receiver does not take as it came.
public sealed interface Rejection {

  long fileId();

  /// The receiver does not have the file and will not take it.
  ///
  /// @param exitCode why, as a number for scripts; never OK
  /// @param text why, in words for the user; cut if it is longer than [Limits#TEXT_BYTES_MAX]. From
  ///   a peer it may hold any character
  record Refused(long fileId, ExitCode exitCode, String text) implements Rejection {

    public Refused {
      if (exitCode == ExitCode.OK) {
        throw new IllegalArgumentException("a file refused with exit code 0");
      }
      text = Text.capped(text);
    }
  }

  /// What exists under the name of a file of a [Part] stays, as [KeepExisting] asks.
  record Kept(long fileId) implements Rejection {}

  /// What exists under the name of a file is not what was shown, and may be replaced: its bytes are
  /// wanted. Those of a file of a [Part] in another part, those of one of a [Show] as after ALL.
  record Wanted(long fileId) implements Rejection {}

  /// These bytes did not arrive as they were sent: their digest differs. The sender sends them
  /// again.
  ///
  /// @param span a block
  record Again(long fileId, Span span) implements Rejection {}
}
