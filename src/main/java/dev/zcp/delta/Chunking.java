package dev.zcp.delta;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;

/// Cuts the bytes of a file into chunks where their contents say so: what was inserted or changed
/// moves only the cuts beside it. With the hash of FastCDC (Xia and others, USENIX ATC 2016) and
/// the parameters of zcp/1.
///
/// @param bits a chunk has 2^bits bytes and a quarter more, on average
public record Chunking(int bits) {

  /// Smaller files are sent as fast as they are looked at.
  public static final long FILE_BYTES_MIN = 1 << 20;

  /// Of larger ones, both ends would remember too many chunks.
  public static final long FILE_BYTES_MAX = 1L << 40;

  private static final int BITS_MIN = 12;
  private static final int BITS_MAX = 19;

  private static final int COUNT_BITS_MAX = 21;

  /// How many fewer bits than [#bits] must be 0 for a cut.
  private static final int FEWER_BITS = 2;

  private static final byte[] GEAR_SEED = {'z', 'c', 'p', '/', '1', ' ', 'g', 'e', 'a', 'r', ' '};

  public Chunking {
    if (bits < BITS_MIN || bits > BITS_MAX) {
      throw new IllegalArgumentException("chunks of 2^" + bits + " bytes");
    }
  }

  /// Whether files of this size are cut.
  public static boolean fits(long fileBytes) {
    return fileBytes >= FILE_BYTES_MIN && fileBytes <= FILE_BYTES_MAX;
  }

  /// For a file that [fits][#fits]: longer chunks for longer files, as both their number and what a
  /// small change costs are to grow slowly. Of the longest, both ends remember up to 2^21.
  ///
  /// @param fileBytes of the new version
  public static Chunking of(long fileBytes) {
    int bits = BITS_MIN;
    while (fileBytes > 1L << Math.min(2 * bits + 2, bits + COUNT_BITS_MAX)) {
      bits++;
    }
    return new Chunking(bits);
  }

  /// No chunk is shorter, but the last before a hole or the end.
  public int bytesMin() {
    return 1 << bits;
  }

  public int bytesMax() {
    return 4 << bits;
  }

  /// How many chunks a file may have at most.
  ///
  /// @param runs of data between holes
  public long countMax(long fileBytes, int runs) {
    return fileBytes / bytesMin() + runs;
  }

  /// Where the chunk ends that begins at `from`.
  ///
  /// @param gear as [#gear] makes it
  /// @param end of what is there: at least [#bytesMax] after `from`, unless no more will come
  public int cut(byte[] bytes, int from, int end, long[] gear) {
    int limit = Math.min(end, from + bytesMax());
    long mask = -1L << Long.SIZE - bits + FEWER_BITS;
    long hash = 0;
    for (int at = from + bytesMin(); at < limit; at++) {
      hash = (hash << 1) + gear[bytes[at] & 0xff];
      if ((hash & mask) == 0) {
        return at + 1;
      }
    }
    return limit;
  }

  /// A number for each value of a byte: the first 8 bytes of the SHA-256 of `zcp/1 gear ` and that
  /// byte, little-endian.
  public static long[] gear(MessageDigest sha256) {
    long[] gear = new long[256];
    for (int i = 0; i < gear.length; i++) {
      sha256.update(GEAR_SEED);
      sha256.update((byte) i);
      gear[i] = ByteBuffer.wrap(sha256.digest()).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }
    return gear;
  }
}
