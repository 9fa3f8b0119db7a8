package dev.zcp.wire;

import dev.zcp.core.Name;
import java.time.Instant;

/// The sender announces a file: its blocks follow.
///
/// @param fileId 0 for the first file of a session, then one more each time
/// @param size in bytes, or [#SIZE_UNKNOWN] for a pipe
/// @param mode the permission bits, at most 0777: setuid and the like do not travel
/// @param mtimeSeconds since 1970, within what [Instant] holds
/// @param mtimeNanos 0 to 999,999,999
/// @param name a bare name: see [Name]
public record Meta(long fileId, long size, int mode, long mtimeSeconds, int mtimeNanos, Name name)
    implements Frame {

  public static final long SIZE_UNKNOWN = -1;
  public static final int MODE_MAX = 0777;

  /// The payload before the name.
  static final int FIXED_BYTES = 22;

  private static final int NANOS_MAX = 999_999_999;

  public Meta {
    Limits.requireFileId(fileId);
    if (size != SIZE_UNKNOWN) {
      Limits.requireSize(size);
    }
    if (mode < 0 || mode > MODE_MAX) {
      throw new IllegalArgumentException("a mode above 0777: 0" + Integer.toOctalString(mode));
    }
    if (mtimeSeconds < Instant.MIN.getEpochSecond()
        || mtimeSeconds > Instant.MAX.getEpochSecond()) {
      throw new IllegalArgumentException("a time of " + mtimeSeconds + " seconds");
    }
    if (mtimeNanos < 0 || mtimeNanos > NANOS_MAX) {
      throw new IllegalArgumentException("a time of " + mtimeNanos + " nanoseconds");
    }
  }

  public boolean hasSize() {
    return size != SIZE_UNKNOWN;
  }

  @Override
  public FrameType type() {
    return FrameType.META;
  }
}
