package dev.zcp.wire;

/// How much a receiver has room for, in its [Hello]: a sender that surely has less need not count
/// first what it has. It shows a stranger the order of magnitude and no more.
///
/// @param bytesBits the receiver has room for 2 to the power of this, less one, at least: 0 if it
///   says nothing, at most [#BITS_MAX]
/// @param entriesBits the same of entries of all kinds
public record RoomThere(int bytesBits, int entriesBits) {

  public static final int BITS_MAX = Long.SIZE - 1;

  public static final RoomThere UNSAID = new RoomThere(0, 0);

  public RoomThere {
    if (Math.min(bytesBits, entriesBits) < 0 || Math.max(bytesBits, entriesBits) > BITS_MAX) {
      throw new IllegalArgumentException("room of " + bytesBits + " and " + entriesBits + " bits");
    }
  }

  /// @param bytes from 0 on
  /// @param entries from 0 on
  public static RoomThere of(long bytes, long entries) {
    return new RoomThere(bits(bytes), bits(entries));
  }

  /// Whether there is room for sure.
  public boolean holds(long bytes, long entries) {
    return bytes <= least(bytesBits) && entries <= least(entriesBits);
  }

  private static int bits(long count) {
    return BITS_MAX - Long.numberOfLeadingZeros(count + 1);
  }

  private static long least(int bits) {
    return (1L << bits) - 1;
  }
}
