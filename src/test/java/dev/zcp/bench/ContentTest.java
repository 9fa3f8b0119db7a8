package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContentTest {

  private static final int BYTES = 3 * Content.Generated.HOLE_BYTES + 12345;

  @TempDir Path dir;

  @ParameterizedTest
  @EnumSource
  void aPartHoldsWhatTheWholeHoldsThere(Content.ContentKind kind) {
    Content.Generated content = new Content.Generated(kind, Requests.SEED);
    byte[] whole = bytes(content, 0, BYTES);
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      int from = random.nextInt(BYTES);
      int count = random.nextInt(BYTES - from);
      assertThat(bytes(content, from, count))
          .as("seed %d: %d from %d", seed, count, from)
          .isEqualTo(Arrays.copyOfRange(whole, from, from + count));
    }
    for (int page = 0; page < BYTES; page += Content.PAGE_BYTES) {
      assertThat(content.atPage(page)).isEqualTo(whole[page]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMadeFileHoldsIt(Content.ContentKind kind) throws Exception {
    Content.Generated content = new Content.Generated(kind, Requests.SEED);
    try (Workspace workspace = Workspace.open(RawPath.of(dir), content)) {
      for (int size :
          new int[] {
            1, Content.Generated.HOLE_BYTES + 7, 2 * Content.Generated.HOLE_BYTES, BYTES
          }) {
        Path file = workspace.source(size).path();
        assertThat(file).hasBinaryContent(bytes(content, 0, size));
        assertThat(ContentCheck.ofFile(file, content, size)).isEmpty();
      }
    }
  }

  @Test
  void theSeedDecides() {
    assertThat(bytes(new Content.Generated(Content.ContentKind.RANDOM, 1), 0, 100))
        .isEqualTo(bytes(new Content.Generated(Content.ContentKind.RANDOM, 1), 0, 100))
        .isNotEqualTo(bytes(new Content.Generated(Content.ContentKind.RANDOM, 2), 0, 100));
  }

  @Test
  void textIsLinesOfWords() {
    byte[] bytes = bytes(new Content.Generated(Content.ContentKind.TEXT, 1), 0, 10_000);
    assertThat(new String(bytes, StandardCharsets.US_ASCII)).matches("[a-z \n]+").contains("\n");
  }

  @Test
  void holesTakeNoSpace() throws Exception {
    Content.Generated content = new Content.Generated(Content.ContentKind.HOLES, Requests.SEED);
    try (Workspace workspace = Workspace.open(RawPath.of(dir), content)) {
      Path file = workspace.source(16L * Content.Generated.HOLE_BYTES).path();
      Process du = new ProcessBuilder("du", "-B1", file.toString()).start();
      String said = new String(du.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(Long.parseLong(said.split("\t")[0]))
          .isBetween(8L * Content.Generated.HOLE_BYTES, 9L * Content.Generated.HOLE_BYTES);
      assertThat(Files.size(file)).isEqualTo(16L * Content.Generated.HOLE_BYTES);
    }
  }

  private static byte[] bytes(Content.Generated content, long offset, int count) {
    byte[] bytes = new byte[count];
    content.put(offset, ByteBuffer.wrap(bytes));
    return bytes;
  }
}
