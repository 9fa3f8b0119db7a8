package dev.zcp.wire;

import java.util.List;

/// The end of files that went in blocks, and of directories when all in them is over. A unit of its
/// connection. The receiver publishes a file, or completes a directory, by it. Every block of such
/// a file was acknowledged before.
///
/// @param endings 1 to [Limits#RECORDS_MAX]
public record EntryEnds(List<Ending> endings) implements Frame {

  static final int RECORD_BYTES = 21;

  public EntryEnds {
    endings = List.copyOf(endings);
    Limits.requireRecords(endings.size());
  }

  @Override
  public FrameType type() {
    return FrameType.END;
  }
}
