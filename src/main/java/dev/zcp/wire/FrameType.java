package dev.zcp.wire;

/// The kinds of frames, and what the header of each may say.
public enum FrameType {
  MANIFEST(1, Manifest.class, 0, Manifest.PAYLOAD_BYTES, Manifest.PAYLOAD_BYTES),
  ACCEPT(2, Accept.class, Accept.IN_ORDER, Accept.PAYLOAD_BYTES, Accept.PAYLOAD_BYTES),
  OFFER(3, Offer.class, 0, OfferRecords.FIXED_BYTES, Limits.PAYLOAD_BYTES_MAX),
  REPLY(4, Reply.class, 0, ReplyRecords.FIXED_BYTES, Limits.PAYLOAD_BYTES_MAX),
  WANTS(5, Wants.class, 0, Wants.HEAD_BYTES + 1, Wants.HEAD_BYTES + Part.FILES_MAX),
  DATA(6, Data.class, Data.HOLE | Data.ZSTD, 1, Limits.DATA_BYTES_MAX),
  TRAILER(7, Trailer.class, 0, Trailer.PAYLOAD_BYTES, Trailer.PAYLOAD_BYTES),
  END(8, EntryEnds.class, 0, EntryEnds.RECORD_BYTES, Limits.RECORDS_MAX * EntryEnds.RECORD_BYTES),
  LOST(9, Lost.class, 0, Lost.RECORD_BYTES, Limits.RECORDS_MAX * Lost.RECORD_BYTES),
  VERDICTS(10, Verdicts.class, 0, VerdictRecords.UNITS_BYTES, Limits.PAYLOAD_BYTES_MAX),
  DONE(
      11,
      Done.class,
      Done.EARLY | Done.OWNERS | Done.AS_USER | Done.LACKS_NAMES,
      Done.FIXED_BYTES,
      Done.FIXED_BYTES + Limits.TEXT_BYTES_MAX + TimingRecords.BYTES_MAX),
  BEAT(12, Beat.class, 0, Beat.PAYLOAD_BYTES, Beat.PAYLOAD_BYTES),
  PART(
      13,
      Part.class,
      Part.SHA256 | Part.REPEATED | Part.LOOK | Part.ZSTD,
      Part.HEAD_BYTES + Part.FIXED_BYTES + Part.FOLDER_BYTES + Part.OWNER_BYTES + 1,
      Limits.PAYLOAD_BYTES_MAX),
  SHOW(14, Show.class, 0, Show.PAYLOAD_BYTES, Show.PAYLOAD_BYTES),
  LIMITED(15, LimitedBy.class, LimitedBy.SURE, LimitedBy.FIXED_BYTES, LimitedBy.BYTES_MAX),
  SURPLUS(16, SurplusNames.class, 0, SurplusNames.HEAD_BYTES + 1, Limits.PAYLOAD_BYTES_MAX),
  CHUNKS(
      17,
      Chunks.class,
      Chunks.LAST,
      Chunks.HEAD_BYTES,
      Chunks.HEAD_BYTES + Limits.RECORDS_MAX * Chunks.RECORD_BYTES);

  private static final FrameType[] ALL = values();

  private final int code;
  private final Class<? extends Frame> frame;
  private final int flags;
  private final int lengthMin;
  private final int lengthMax;

  FrameType(int code, Class<? extends Frame> frame, int flags, int lengthMin, int lengthMax) {
    this.code = code;
    this.frame = frame;
    this.flags = flags;
    this.lengthMin = lengthMin;
    this.lengthMax = lengthMax;
  }

  int code() {
    return code;
  }

  int flags() {
    return flags;
  }

  int lengthMin() {
    return lengthMin;
  }

  int lengthMax() {
    return lengthMax;
  }

  boolean isOf(Side side) {
    return switch (this) {
      case MANIFEST, OFFER, PART, SHOW, CHUNKS, DATA, TRAILER, END, LOST, LIMITED ->
          side == Side.SENDER;
      case ACCEPT, REPLY, WANTS, VERDICTS, SURPLUS -> side == Side.RECEIVER;
      case DONE, BEAT -> true;
    };
  }

  /// Whether the header names a file and an offset in it; else both are 0.
  boolean namesBytes() {
    return this == DATA || this == TRAILER;
  }

  static FrameType of(Frame frame) {
    for (FrameType type : ALL) {
      if (type.frame == frame.getClass()) {
        return type;
      }
    }
    throw new IllegalArgumentException(frame.getClass().getName());
  }

  static FrameType ofCode(int code) {
    for (FrameType type : ALL) {
      if (type.code == code) {
        return type;
      }
    }
    return null;
  }
}
