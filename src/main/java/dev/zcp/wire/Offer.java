package dev.zcp.wire;

import java.util.List;

/// Entries that the sender has; the receiver says of each what it wants of it. May be repeated
/// where the connection was lost before the answer came.
///
/// @param entries 1 to [Limits#RECORDS_MAX]
public record Offer(List<Offered> entries) implements Frame {

  public Offer {
    entries = List.copyOf(entries);
    Limits.requireRecords(entries.size());
  }

  @Override
  public FrameType type() {
    return FrameType.OFFER;
  }
}
