package dev.zcp.wire;

import java.util.List;

/// The sender has given these connections up. What was under way on them comes again, after this
/// frame, so the receiver must let go of it first.
///
/// @param connections their numbers: 1 to [Limits#RECORDS_MAX], each 0 to 65535
public record Lost(List<Integer> connections) implements Frame {

  static final int RECORD_BYTES = 2;

  public Lost {
    connections = List.copyOf(connections);
    Limits.requireRecords(connections.size());
  }
}
