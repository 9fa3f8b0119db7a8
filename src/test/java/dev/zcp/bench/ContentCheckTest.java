package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentCheckTest {

  private static final int BYTES = 3 * 4096 + 5;

  private final Content.Generated content =
      new Content.Generated(Content.ContentKind.RANDOM, Requests.SEED);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRightBytesPassInWhateverPieces(boolean ofEveryByte) throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] bytes = bytes();
    ContentCheck check = new ContentCheck(content, BYTES, ofEveryByte);
    int at = 0;
    while (at < BYTES) {
      int count = Math.min(1 + random.nextInt(9000), BYTES - at);
      check.take(ByteBuffer.wrap(bytes, at, count));
      at += count;
    }
    assertThat(check.finding()).as("seed %d", seed).isEmpty();
    assertThat(check.taken()).isEqualTo(BYTES);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPageThatIsNotWhereItBelongsIsFound(boolean ofEveryByte) throws IOException {
    byte[] bytes = bytes();
    System.arraycopy(bytes, 8192, bytes, 4096, 4096);
    assertThat(finding(bytes, BYTES, ofEveryByte)).isEqualTo("wrong byte at offset 4096");
  }

  @Test
  void aSingleWrongByteIsFoundByALookAtAll() throws IOException {
    byte[] bytes = bytes();
    bytes[BYTES - 1] ^= 1;
    assertThat(finding(bytes, BYTES, true)).isEqualTo("wrong byte at offset " + (BYTES - 1));
    assertThat(finding(bytes, BYTES, false)).as("not one that is looked at").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tooFewAndTooManyBytesAreFound(boolean ofEveryByte) throws IOException {
    assertThat(finding(bytes(), BYTES + 1, ofEveryByte)).isEqualTo("moved 12293 of 12294 bytes");
    assertThat(finding(bytes(), 4000, ofEveryByte)).isEqualTo("moved 12293 of 4000 bytes");
    assertThat(finding(new byte[0], 1, ofEveryByte)).isEqualTo("moved 0 of 1 bytes");
    assertThat(finding(new byte[0], 0, ofEveryByte)).isEmpty();
  }

  private String finding(byte[] bytes, long expected, boolean ofEveryByte) throws IOException {
    ContentCheck check = new ContentCheck(content, expected, ofEveryByte);
    check.take(ByteBuffer.wrap(bytes));
    return check.finding();
  }

  private byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    content.put(0, ByteBuffer.wrap(bytes));
    return bytes;
  }
}
