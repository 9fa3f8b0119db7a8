package dev.zcp.spi;

/// What one call of [Mover#move] did. Failures are exceptions; these are not failures.
public sealed interface Step {

  /// The first `bytes` of the span are in the sink. At least 1: a mover with nothing to show must
  /// decline or find the end, or the engine would turn for ever.
  record Moved(long bytes) implements Step {
    public Moved {
      if (bytes < 1) {
        throw new IllegalArgumentException("a step that moved nothing: " + bytes);
      }
    }
  }

  /// The source has no byte at this offset. Only a read that returned the end of the file proves
  /// it: a 0 from sendfile(2) or copy_file_range(2) does not.
  record Exhausted() implements Step {}

  /// Nothing was moved, and this strategy will not move anything here.
  record Declined(Reach reach, String reason) implements Step {}

  /// How far a refusal reaches.
  enum Reach {
    /// This pair of ends.
    ROUTE,
    /// These two file systems: no transfer of this process between files of theirs need ask again.
    FILE_SYSTEMS,
    /// This kernel or this process: no transfer need ask again.
    MACHINE
  }
}
