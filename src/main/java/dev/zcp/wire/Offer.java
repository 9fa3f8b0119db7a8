package dev.zcp.wire;

import java.util.List;

/// Entries that the sender has; the receiver says of each what it wants of it. May be repeated if
/// the connection was lost before the answer came.
///
/// @param entries 1 to [Limits#RECORDS_MAX], at most [Limits#PAYLOAD_BYTES_MAX] bytes together
public record Offer(List<Offered> entries) implements Frame {

  public Offer {
    entries = List.copyOf(entries);
    Limits.requireRecords(entries.size());
    Limits.requirePayload(OfferRecords.bytes(entries));
  }

  /// As few offers as hold `entries`, in their order; none for none.
  public static List<Offer> of(List<Offered> entries) {
    return RecordSplitter.cut(entries, OfferRecords::bytes, Limits.PAYLOAD_BYTES_MAX, Offer::new);
  }
}
