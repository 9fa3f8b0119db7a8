package dev.zcp.core;

/// Numbers in an array of bytes, the lowest byte first. Without a buffer, whose methods the first
/// compiler does not inline.
public final class LittleEndian {

  private LittleEndian() {}

  public static int getInt(byte[] bytes, int at) {
    return bytes[at] & 0xff
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | bytes[at + 3] << 24;
  }

  public static long getLong(byte[] bytes, int at) {
    return getInt(bytes, at) & 0xffff_ffffL
        | (long) getInt(bytes, at + Integer.BYTES) << Integer.SIZE;
  }

  public static void putInt(byte[] bytes, int at, int value) {
    bytes[at] = (byte) value;
    bytes[at + 1] = (byte) (value >>> 8);
    bytes[at + 2] = (byte) (value >>> 16);
    bytes[at + 3] = (byte) (value >>> 24);
  }

  public static void putLong(byte[] bytes, int at, long value) {
    putInt(bytes, at, (int) value);
    putInt(bytes, at + Integer.BYTES, (int) (value >>> Integer.SIZE));
  }
}
