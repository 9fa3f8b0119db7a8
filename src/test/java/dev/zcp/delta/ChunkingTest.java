package dev.zcp.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zcp.core.Span;
import dev.zcp.spi.UserSpaceSource;
import dev.zcp.wire.Limits;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class ChunkingTest {

  private static final int BYTES = 8 << 20;

  private final Random random = new Random(17);

  private record Chunk(long offset, int length, long digest) {}

  @Test
  void chunksFollowEachOtherAndHaveTheirLengths() throws Exception {
    byte[] bytes = noise(BYTES);
    Chunking chunking = Chunking.of(BYTES);
    long end = 0;
    List<Chunk> chunks = cut(bytes, chunking);
    for (Chunk each : chunks) {
      assertThat(each.offset()).isEqualTo(end);
      end += each.length();
      assertThat(each.length()).isLessThanOrEqualTo(chunking.bytesMax());
      assertThat(end == BYTES || each.length() >= chunking.bytesMin()).isTrue();
    }
    assertThat(end).isEqualTo(BYTES);
    assertThat(chunks.size()).isBetween(BYTES / (2 << chunking.bits()), BYTES >> chunking.bits());
    assertThat(chunks.size()).isLessThanOrEqualTo((int) chunking.countMax(BYTES, 1));
  }

  @Test
  void whatIsInsertedChangesTheChunksBesideItOnly() throws Exception {
    byte[] bytes = noise(BYTES);
    byte[] more = Arrays.copyOf(bytes, BYTES + 7);
    System.arraycopy(bytes, BYTES / 2, more, BYTES / 2 + 7, BYTES / 2);
    Chunking chunking = Chunking.of(BYTES);
    Set<Long> before = new HashSet<>();
    cut(bytes, chunking).forEach(each -> before.add(each.digest()));
    long others =
        cut(more, chunking).stream().filter(each -> !before.contains(each.digest())).count();
    assertThat(others).isBetween(1L, 4L);
  }

  @Test
  void whatNeverCutsIsCutAtTheGreatestLength() throws Exception {
    Chunking chunking = Chunking.of(1 << 20);
    for (Chunk each : cut(new byte[1 << 20], chunking)) {
      assertThat(each.length()).isEqualTo(chunking.bytesMax());
    }
  }

  /// Those of protocol/delta.md: another implementation must find the same.
  @Test
  void theCutsAndDigestsAreThoseOfTheProtocol() throws Exception {
    byte[] bytes = new byte[1 << 20];
    for (int i = 0; i < bytes.length; i += 32) {
      byte[] block = sha256().digest(Integer.toString(i).getBytes("US-ASCII"));
      System.arraycopy(block, 0, bytes, i, block.length);
    }
    List<Chunk> expected = new ArrayList<>();
    long[] gear = new long[256];
    for (int i = 0; i < 256; i++) {
      MessageDigest sha = sha256();
      sha.update("zcp/1 gear ".getBytes("US-ASCII"));
      gear[i] = first(sha.digest(new byte[] {(byte) i}));
    }
    int begin = 0;
    while (begin < bytes.length) {
      int end = begin + (1 << 13);
      long hash = 0;
      boolean isCut = false;
      while (!isCut && end < bytes.length && end < begin + (1 << 15)) {
        hash = (hash << 1) + gear[bytes[end] & 0xff];
        isCut = Long.numberOfLeadingZeros(hash) >= 11;
        end++;
      }
      end = Math.min(end, bytes.length);
      expected.add(new Chunk(begin, end - begin, first(tag(bytes, begin, end - begin))));
      begin = end;
    }
    assertThat(cut(bytes, new Chunking(13))).isEqualTo(expected);
  }

  @Test
  void longerFilesHaveLongerChunksAndOfTheLongestNotTooMany() {
    assertThat(Chunking.of(1 << 20).bits()).isEqualTo(12);
    assertThat(Chunking.of(1L << 26).bits()).isEqualTo(12);
    assertThat(Chunking.of((1L << 26) + 1).bits()).isEqualTo(13);
    assertThat(Chunking.of(1L << 38).bits()).isEqualTo(18);
    assertThat(Chunking.of((1L << 38) + 1).bits()).isEqualTo(19);
    assertThat(Chunking.of(Chunking.FILE_BYTES_MAX).bits()).isEqualTo(19);
    assertThat(Chunking.of(Chunking.FILE_BYTES_MAX).bytesMax()).isEqualTo(Limits.CHUNK_BYTES_MAX);
    assertThat(Chunking.fits((1 << 20) - 1)).isFalse();
    assertThat(Chunking.fits(Chunking.FILE_BYTES_MAX + 1)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> new Chunking(20));
  }

  @Test
  void aFileThatEndsEarlyIsSaidTo() throws Exception {
    ChunkReader reader = reader(new byte[100], new Chunking(13));
    reader.begin(new Span(0, 101));
    assertThatExceptionOfType(EOFException.class).isThrownBy(reader::fill);
  }

  private byte[] noise(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<Chunk> cut(byte[] bytes, Chunking chunking) throws Exception {
    List<Chunk> chunks = new ArrayList<>();
    ChunkReader reader = reader(bytes, chunking);
    reader.begin(new Span(0, bytes.length));
    while (!reader.isAtEnd()) {
      if (reader.isLow()) {
        reader.fill();
      }
      int length = reader.cut();
      chunks.add(new Chunk(reader.offset(), length, reader.digest(length)));
      reader.take(length);
    }
    return chunks;
  }

  private static ChunkReader reader(byte[] bytes, Chunking chunking) throws Exception {
    ChunkReader reader = new ChunkReader(sha256(), gcm());
    reader.open(new Bytes(bytes), chunking, new byte[16]);
    return reader;
  }

  private static MessageDigest sha256() throws NoSuchAlgorithmException {
    return MessageDigest.getInstance("SHA-256");
  }

  private static byte[] tag(byte[] bytes, int begin, int length) throws Exception {
    Cipher gcm = gcm();
    gcm.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(new byte[16], "AES"),
        new GCMParameterSpec(128, new byte[12]));
    return Arrays.copyOfRange(gcm.doFinal(bytes, begin, length), length, length + 16);
  }

  private static Cipher gcm() throws Exception {
    return Cipher.getInstance("AES/GCM/NoPadding");
  }

  private static long first(byte[] digest) {
    return Long.reverseBytes(ByteBuffer.wrap(digest).getLong());
  }

  /// A file in memory, read in pieces of any length.
  private record Bytes(byte[] bytes) implements UserSpaceSource {

    @Override
    public int read(ByteBuffer target, long offset) {
      int count = (int) Math.min(Math.min(target.remaining(), 100_003), bytes.length - offset);
      if (count < 1) {
        return -1;
      }
      target.put(bytes, (int) offset, count);
      return count;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
