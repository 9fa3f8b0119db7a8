package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What every place does, wherever its files go.
abstract class PlaceContract {

  static final int BLOCK_BYTES = 700_001;

  final Offers offers = new Offers();

  /// A place that nobody was at.
  abstract TestPlace place() throws Exception;

  /// What has arrived of the file `name`, in a place that keeps it; null where none is kept.
  abstract byte[] arrived(String name) throws IOException;

  @Test
  void aWholeFileArrives() throws Exception {
    byte[] content = random(10_000);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      assertThat(place.consider(file)).isEqualTo(Answer.of(file.fileId(), Answer.AnswerKind.ALL));
      ByteBuffer bytes = Offers.buffer(content);
      assertThat(place.put(file, bytes, Offers.crc32c(content), Level.WIRE)).isEqualTo(Level.WIRE);
      assertThat(bytes.hasRemaining()).isFalse();
    }
    assertArrived("a", content);
  }

  @Test
  void anEmptyFileArrives() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", new byte[0]);
      place.consider(file);
      place.put(file, Offers.buffer(new byte[0]), 0, Level.NONE);
    }
    assertArrived("a", new byte[0]);
  }

  @Test
  void blocksAndHolesMakeAFile() throws Exception {
    byte[] content = random(3 * BLOCK_BYTES);
    Arrays.fill(content, BLOCK_BYTES, 2 * BLOCK_BYTES, (byte) 0);
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", content);
      assertThat(place.consider(file).kind()).isEqualTo(Answer.AnswerKind.ALL);
      try (Landing landing = place.landing(file)) {
        assertThat(place.landing(file)).isSameAs(landing);
        block(landing, content, new Span(0, BLOCK_BYTES));
        hole(landing, content, new Span(BLOCK_BYTES, BLOCK_BYTES));
        block(landing, content, new Span(2 * BLOCK_BYTES, BLOCK_BYTES));
        assertThat(TestPlace.publish(landing, ending(file, content), Level.WIRE))
            .isEqualTo(Level.WIRE);
      }
    }
    assertArrived("a", content);
  }

  @Test
  void theSameEntryIsAnsweredAlike() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", new byte[9]);
      assertThat(place.consider(file)).isEqualTo(place.consider(file));
    }
  }

  @Test
  void aStreamOfUnknownLengthArrives() throws Exception {
    byte[] content = random(BLOCK_BYTES);
    try (TestPlace place = admitting()) {
      Offered stream = offers.of(EntryKind.FILE, "a").size(Offered.SIZE_UNKNOWN).offered();
      assertThat(place.consider(stream).kind()).isEqualTo(Answer.AnswerKind.ALL);
      try (Landing landing = place.landing(stream)) {
        block(landing, content, new Span(0, content.length));
        TestPlace.publish(landing, ending(stream, content), Level.WIRE);
      }
    }
    assertArrived("a", content);
  }

  @Test
  void whatIsEndedOnceIsNotEndedAgain() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", new byte[9]);
      place.consider(file);
      Landing landing = place.landing(file);
      landing.drop();
      landing.drop();
      assertThat(landing.keep()).isZero();
      landing.close();
      landing.close();
    }
  }

  @Test
  void whatIsForgottenMayBeForgottenAgainOrNeverHaveBeen() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", new byte[9]);
      place.forget(file);
      place.consider(file);
      place.landing(file);
      place.forget(file);
      place.forget(file);
    }
  }

  /// Bytes of `content` that are zeros.
  void hole(Landing landing, byte[] content, Span span) throws IOException, Failure {
    landing.begin(span);
    landing.hole(span);
    landing.verified(span, Crc32c.ofZeros(span.length()));
  }

  static void block(Landing landing, byte[] content, Span span) throws IOException, Failure {
    landing.begin(span);
    ByteBuffer bytes = Offers.buffer(content);
    bytes.limit((int) span.end()).position((int) span.offset());
    while (bytes.hasRemaining()) {
      landing.sink().write(bytes, bytes.position());
    }
    byte[] part = Arrays.copyOfRange(content, (int) span.offset(), (int) span.end());
    int crc32c = Offers.crc32c(part);
    if (landing.written() != null) {
      assertThat(readBack(landing, span)).isEqualTo(crc32c);
    }
    landing.verified(span, crc32c);
  }

  private static int readBack(Landing landing, Span span) throws IOException {
    byte[] part = new byte[(int) span.length()];
    ByteBuffer bytes = ByteBuffer.wrap(part);
    while (bytes.hasRemaining()) {
      assertThat(landing.written().read(bytes, span.offset() + bytes.position())).isPositive();
    }
    return Offers.crc32c(part);
  }

  static Ending ending(Offered file, byte[] content) {
    return new Ending(file.fileId(), Status.OK, content.length, Offers.crc32c(content));
  }

  static void put(TestPlace place, Offered file, byte[] content) throws Exception {
    place.put(file, Offers.buffer(content), Offers.crc32c(content), Level.WIRE);
  }

  static void assertFailed(Answer answer, ExitCode exitCode, String text) {
    assertThat(answer.kind()).as(answer.text()).isEqualTo(Answer.AnswerKind.FAILED);
    assertThat(answer.text()).contains(text);
    assertThat(answer.exitCode()).isEqualTo(exitCode);
  }

  TestPlace admitting() throws Exception {
    TestPlace place = place();
    place.admit(Offers.ANYTHING);
    return place;
  }

  private void assertArrived(String name, byte[] content) throws IOException {
    byte[] arrived = arrived(name);
    if (arrived != null) {
      assertThat(arrived).isEqualTo(content);
    }
  }

  static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(5).nextBytes(content);
    return content;
  }
}
