package dev.zcp.wire;

/// One thing that an end says. Each kind checks itself, so a frame that exists can be sent, and a
/// frame that arrived breaks no limit.
///
/// [#type] is for a plain `switch`: one over the patterns of a sealed type costs 7 ms of start-up
/// the first time (measured on JDK 25).
public sealed interface Frame
    permits Manifest,
        Accept,
        Offer,
        Reply,
        Wants,
        Show,
        Part,
        Data,
        Trailer,
        EntryEnds,
        Lost,
        Verdicts,
        Done,
        Beat,
        LimitedBy,
        SurplusNames,
        Chunks {

  default FrameType type() {
    return FrameType.of(this);
  }

  /// Whether raw bytes follow it as [pieces][PieceHead].
  default boolean isZstd() {
    return false;
  }
}
