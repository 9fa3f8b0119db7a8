package dev.zcp.wire;

import java.util.List;

/// The end of files that went in blocks, and of directories in which nothing more will be offered.
/// A unit of its connection. The receiver publishes a file by it; every block of the file was
/// acknowledged before. It completes a directory once all in it is over, and says so by [Reply].
///
/// @param endings 1 to [Limits#RECORDS_MAX]
public record EntryEnds(List<Ending> endings) implements Frame {

  static final int RECORD_BYTES = 21;

  public EntryEnds {
    endings = List.copyOf(endings);
    Limits.requireRecords(endings.size());
  }
}
