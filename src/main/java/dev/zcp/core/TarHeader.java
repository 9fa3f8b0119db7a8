package dev.zcp.core;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/// Headers of a tar archive: those of POSIX.1-1988, and of GNU tar for what does not fit there,
/// which every tar reads. See tar(5).
public final class TarHeader {

  /// A header fills whole blocks, and so must what follows it.
  public static final int BLOCK_BYTES = 512;

  // The types of entries.
  public static final char FILE = '0';
  public static final char LINK = '2';
  public static final char DIRECTORY = '5';

  // Of GNU tar: what follows is the name of the next entry, or where that link leads.
  private static final char LONG_NAME = 'L';
  private static final char LONG_LINK = 'K';

  private static final byte[] NONE = {};
  private static final byte[] OF_LONG = "././@LongLink".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MAGIC = "ustar  ".getBytes(StandardCharsets.US_ASCII);

  private static final int NAME_BYTES_MAX = 100;
  private static final int MODE_AT = 100;
  private static final int UID_AT = 108;
  private static final int GID_AT = 116;
  private static final int SIZE_AT = 124;
  private static final int TIME_AT = 136;
  private static final int CHECKSUM_AT = 148;
  private static final int TYPE_AT = 156;
  private static final int LINK_AT = 157;
  private static final int MAGIC_AT = 257;
  private static final int SHORT_BYTES = 8;
  private static final int LONG_BYTES = 12;

  private TarHeader() {}

  /// What comes before the content of an entry. The owner and the group are root.
  ///
  /// @param type one of those above
  /// @param link where a link leads; else empty
  /// @param bytes of the content
  /// @param modifiedSeconds since 1970, negative before
  public static byte[] of(
      char type, byte[] name, byte[] link, int mode, long bytes, long modifiedSeconds) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(BLOCK_BYTES);
    addLong(all, LONG_NAME, name);
    addLong(all, LONG_LINK, link);
    all.writeBytes(block(type, name, link, mode, bytes, modifiedSeconds));
    return all.toByteArray();
  }

  /// What comes after so many bytes.
  public static byte[] padding(long bytes) {
    return new byte[(int) (-bytes & (BLOCK_BYTES - 1))];
  }

  /// What ends an archive.
  public static byte[] end() {
    return new byte[2 * BLOCK_BYTES];
  }

  private static void addLong(ByteArrayOutputStream all, char type, byte[] name) {
    if (name.length > NAME_BYTES_MAX) {
      // With the zero byte behind it.
      int bytes = name.length + 1;
      all.writeBytes(block(type, OF_LONG, NONE, 0, bytes, 0));
      all.writeBytes(name);
      all.write(0);
      all.writeBytes(padding(bytes));
    }
  }

  private static byte[] block(
      char type, byte[] name, byte[] link, int mode, long bytes, long modifiedSeconds) {
    byte[] block = new byte[BLOCK_BYTES];
    System.arraycopy(name, 0, block, 0, Math.min(name.length, NAME_BYTES_MAX));
    number(block, MODE_AT, SHORT_BYTES, mode);
    number(block, UID_AT, SHORT_BYTES, 0);
    number(block, GID_AT, SHORT_BYTES, 0);
    number(block, SIZE_AT, LONG_BYTES, bytes);
    number(block, TIME_AT, LONG_BYTES, modifiedSeconds);
    block[TYPE_AT] = (byte) type;
    System.arraycopy(link, 0, block, LINK_AT, Math.min(link.length, NAME_BYTES_MAX));
    System.arraycopy(MAGIC, 0, block, MAGIC_AT, MAGIC.length);
    // As if its own bytes were spaces.
    int sum = SHORT_BYTES * ' ';
    for (byte each : block) {
      sum += each & 0xff;
    }
    number(block, CHECKSUM_AT, SHORT_BYTES - 1, sum);
    block[CHECKSUM_AT + SHORT_BYTES - 1] = ' ';
    return block;
  }

  /// In octal digits and a zero byte; if it does not fit, in binary with the first bit set.
  private static void number(byte[] block, int at, int width, long number) {
    int digits = width - 1;
    boolean isOctal = number >= 0 && number >> 3 * digits == 0;
    long rest = number;
    for (int i = isOctal ? digits - 1 : digits; i >= 0; i--) {
      block[at + i] = (byte) (isOctal ? '0' + (rest & 7) : rest);
      rest >>= isOctal ? 3 : 8;
    }
    if (!isOctal) {
      block[at] |= (byte) 0x80;
    }
  }
}
