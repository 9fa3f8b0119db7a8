package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChunkSumsTest {

  private static final int CHUNK_BYTES = 700;
  private static final int HOLE_FROM = 50 * CHUNK_BYTES;
  private static final int HOLE_TO = HOLE_FROM + 12_345;

  private final byte[] file = new byte[HOLE_TO + 100 * CHUNK_BYTES];
  private final ChunkSums sums = new ChunkSums();

  ChunkSumsTest() {
    new Random(8).nextBytes(file);
    for (int i = HOLE_FROM; i < HOLE_TO; i++) {
      file[i] = 0;
    }
    add(0, HOLE_FROM);
    add(HOLE_TO, file.length);
  }

  private void add(int from, int to) {
    for (int at = from; at < to; at += CHUNK_BYTES) {
      sums.add(at, CHUNK_BYTES, of(new Span(at, CHUNK_BYTES)));
    }
  }

  private int of(Span span) {
    return Crc32c.of(ByteBuffer.wrap(file, (int) span.offset(), (int) span.length()));
  }

  @Test
  void ofAnyRunOfChunksTheSumIsKnown() {
    for (int from = 0; from < HOLE_FROM; from += CHUNK_BYTES) {
      for (int to = from + CHUNK_BYTES; to <= HOLE_FROM; to += CHUNK_BYTES) {
        assertKnown(from, to);
      }
    }
  }

  @Test
  void aHoleIsZeros() {
    assertKnown(0, file.length);
    assertKnown(HOLE_FROM - CHUNK_BYTES, HOLE_TO + CHUNK_BYTES);
    assertKnown(HOLE_TO, file.length);
    assertKnown(HOLE_FROM, HOLE_TO);
  }

  private void assertKnown(int from, int to) {
    Span span = new Span(from, to - from);
    assertThat(sums.has(span)).isTrue();
    assertThat(sums.crc32c(span)).isEqualTo(of(span));
  }

  @Test
  void nothingIsKnownOfHalvesOfChunks() {
    assertThat(sums.has(new Span(1, CHUNK_BYTES))).isFalse();
    assertThat(sums.has(new Span(0, CHUNK_BYTES + 1))).isFalse();
    assertThat(sums.has(new Span(0, file.length + CHUNK_BYTES))).isFalse();
    assertThat(new ChunkSums().has(new Span(0, CHUNK_BYTES))).isFalse();
  }
}
