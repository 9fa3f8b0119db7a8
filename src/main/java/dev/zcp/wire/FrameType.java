package dev.zcp.wire;

import dev.zcp.core.Name;

/// The kinds of frames, and what the header of each may say.
public enum FrameType {
  META(1, 0, Meta.FIXED_BYTES + 1, Meta.FIXED_BYTES + Name.BYTES_MAX),
  DATA(2, 0, 1, Limits.DATA_BYTES_MAX),
  TRAILER(3, Trailer.LAST, Trailer.PAYLOAD_BYTES, Trailer.PAYLOAD_BYTES),
  ACK(4, Ack.PUBLISHED, Ack.PAYLOAD_BYTES, Ack.PAYLOAD_BYTES),
  NACK(5, 0, Nack.FIXED_BYTES, Nack.FIXED_BYTES + Limits.TEXT_BYTES_MAX),
  DONE(6, 0, Done.FIXED_BYTES, Done.FIXED_BYTES + Limits.TEXT_BYTES_MAX),
  BEAT(7, 0, Beat.PAYLOAD_BYTES, Beat.PAYLOAD_BYTES);

  static final int LONGEST_PAYLOAD_BYTES = Done.FIXED_BYTES + Limits.TEXT_BYTES_MAX;

  private static final FrameType[] ALL = values();

  private final int code;
  private final int flags;
  private final int lengthMin;
  private final int lengthMax;

  FrameType(int code, int flags, int lengthMin, int lengthMax) {
    this.code = code;
    this.flags = flags;
    this.lengthMin = lengthMin;
    this.lengthMax = lengthMax;
  }

  int code() {
    return code;
  }

  /// All the flags that a frame of this type may have.
  int flags() {
    return flags;
  }

  int lengthMin() {
    return lengthMin;
  }

  int lengthMax() {
    return lengthMax;
  }

  /// Whether the header names a file; else its file id is 0.
  boolean namesFile() {
    return this != DONE && this != BEAT;
  }

  /// Whether the header names an offset; else it is 0.
  boolean namesOffset() {
    return this == DATA || this == TRAILER;
  }

  /// @throws IllegalArgumentException where no type has this code
  static FrameType ofCode(int code) {
    for (FrameType type : ALL) {
      if (type.code == code) {
        return type;
      }
    }
    throw new IllegalArgumentException("unknown frame type " + code);
  }
}
