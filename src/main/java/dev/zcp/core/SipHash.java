package dev.zcp.core;

import java.security.SecureRandom;

/// SipHash-2-4 of a few bytes: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF",
/// 2012.
///
/// For what has to tell many short records apart by chance, and not against an adversary who knows
/// the key: until the second compiler has its intrinsic for it, SHA-256 of a record takes ten times
/// as long as all else that is done about a small file.
public final class SipHash {

  private static final int ROUNDS_A_WORD = 2;
  private static final int ROUNDS_AT_THE_END = 4;

  /// Made when it is first asked for: that takes 14 ms.
  private static final class OwnKey {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long FIRST = RANDOM.nextLong();
    private static final long SECOND = RANDOM.nextLong();
  }

  private SipHash() {}

  /// For tables in memory whose keys a peer chooses. The key is this process's own, so that nobody
  /// can choose many of one hash.
  ///
  /// @param seed of which another one has other hashes
  public static long own(long seed, byte[] message) {
    return of(OwnKey.FIRST ^ seed, OwnKey.SECOND, message);
  }

  /// @param key0 the first half of the key, its first byte the lowest
  /// @param key1 the second half
  public static long of(long key0, long key1, byte[] message) {
    return of(key0, key1, message, message.length);
  }

  /// As [#of(long, long, byte[])], of the first `length` bytes.
  public static long of(long key0, long key1, byte[] message, int length) {
    // In one method, without fields: the first compiler keeps nothing else in registers.
    long v0 = 0x736f6d6570736575L ^ key0;
    long v1 = 0x646f72616e646f6dL ^ key1;
    long v2 = 0x6c7967656e657261L ^ key0;
    long v3 = 0x7465646279746573L ^ key1;
    int words = length / Long.BYTES + 1;
    for (int i = 0; i <= words; i++) {
      boolean isEnd = i == words;
      long word = isEnd ? 0 : word(message, length, i);
      v3 ^= word;
      v2 ^= isEnd ? 0xff : 0;
      for (int round = isEnd ? ROUNDS_AT_THE_END : ROUNDS_A_WORD; round > 0; round--) {
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
      v0 ^= word;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /// Eight bytes, the first the lowest. The last word has what is left, at most seven, and the
  /// length above them.
  private static long word(byte[] message, int length, int index) {
    int start = index * Long.BYTES;
    if (start + Long.BYTES <= length) {
      return LittleEndian.getLong(message, start);
    }
    long word = (long) length << Long.SIZE - Byte.SIZE;
    for (int i = start; i < length; i++) {
      word |= (message[i] & 0xffL) << Byte.SIZE * (i - start);
    }
    return word;
  }
}
