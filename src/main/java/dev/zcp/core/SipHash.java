package dev.zcp.core;

/// SipHash-2-4 of a few bytes: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF",
/// 2012.
///
/// For what has to tell many short records apart by chance, and not against an adversary who knows
/// the key: SHA-256 of a record takes ten times as long as all else that is done about a small
/// file, where only the second compiler has an intrinsic for it.
public final class SipHash {

  private static final int ROUNDS_A_WORD = 2;
  private static final int ROUNDS_AT_THE_END = 4;

  private long v0;
  private long v1;
  private long v2;
  private long v3;

  private SipHash(long key0, long key1) {
    v0 = 0x736f6d6570736575L ^ key0;
    v1 = 0x646f72616e646f6dL ^ key1;
    v2 = 0x6c7967656e657261L ^ key0;
    v3 = 0x7465646279746573L ^ key1;
  }

  /// @param key0 the first half of the key, its first byte the lowest
  /// @param key1 the second half
  public static long of(long key0, long key1, byte[] message) {
    SipHash hash = new SipHash(key0, key1);
    int whole = message.length & -Long.BYTES;
    for (int at = 0; at < whole; at += Long.BYTES) {
      hash.word(word(message, at, Long.BYTES));
    }
    long rest = word(message, whole, message.length - whole);
    hash.word(rest | (long) message.length << Long.SIZE - Byte.SIZE);
    return hash.end();
  }

  /// So many bytes, the first the lowest.
  private static long word(byte[] message, int at, int count) {
    long word = 0;
    for (int i = 0; i < count; i++) {
      word |= (message[at + i] & 0xffL) << Byte.SIZE * i;
    }
    return word;
  }

  private void word(long word) {
    v3 ^= word;
    rounds(ROUNDS_A_WORD);
    v0 ^= word;
  }

  private long end() {
    v2 ^= 0xff;
    rounds(ROUNDS_AT_THE_END);
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void rounds(int count) {
    for (int i = 0; i < count; i++) {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
