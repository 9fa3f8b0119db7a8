package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.linux.StandardStreams;
import dev.zcp.spi.Sink;
import dev.zcp.testing.ShortSink;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Offered;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StreamPlaceTest extends PlaceContract {

  private static final byte[] CONTENT = random(100);

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Override
  TestPlace place() throws Exception {
    return new TestPlace(
        new StreamPlace(new StandardStreams(new ByteArrayInputStream(new byte[0]), out).sink()));
  }

  /// No sender tells of any, and a receiver takes none.
  @Override
  void hole(Landing landing, byte[] content, Span span) throws IOException, Failure {
    block(landing, content, span);
  }

  /// One whose stream takes so many bytes at a time, at most.
  private TestPlace slow(int bytesMax) throws Exception {
    Sink stream = new StandardStreams(new ByteArrayInputStream(new byte[0]), out).sink();
    TestPlace place = new TestPlace(new StreamPlace(new ShortSink(stream, bytesMax)));
    place.admit(Offers.ANYTHING);
    return place;
  }

  @Override
  byte[] arrived(String name) {
    return out.toByteArray();
  }

  @Test
  void aSecondFileIsRefused() throws Exception {
    try (TestPlace place = admitting()) {
      place.consider(offers.file("a", new byte[9]));
      assertFailed(
          place.consider(offers.file("b", new byte[9])), ExitCode.DESTINATION, "takes one file");
    }
  }

  @Test
  void whatIsNoFileIsRefused() throws Exception {
    try (TestPlace place = admitting()) {
      assertFailed(
          place.consider(offers.directory("d")), ExitCode.DESTINATION, "takes a regular file");
      assertFailed(
          place.consider(offers.link("l", "t")), ExitCode.DESTINATION, "takes a regular file");
      assertThat(place.consider(offers.file("a", new byte[9])).kind())
          .isEqualTo(Answer.AnswerKind.ALL);
    }
  }

  @Test
  void moreThanOneFileIsRefusedBeforeTheFirstByte() throws Exception {
    try (TestPlace place = place()) {
      assertThatThrownBy(() -> place.admit(Inbox.manifest(2, 10)))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("takes one file");
      assertThat(place.admit(Inbox.manifest(1, 10))).isZero();
    }
  }

  @Test
  void noMoreThanTheWayThereIsProved() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", new byte[9]);
      place.consider(file);
      assertThat(
              place.put(file, Offers.buffer(new byte[9]), Offers.crc32c(new byte[9]), Level.MEDIA))
          .isEqualTo(Level.WIRE);
    }
  }

  @Test
  void nothingIsWrittenBeforeItIsKnownToBeRight() throws Exception {
    try (TestPlace place = admitting()) {
      Offered file = offers.file("a", CONTENT);
      place.consider(file);
      Landing landing = place.landing(file);
      Span all = new Span(0, CONTENT.length);
      landing.begin(all);
      landing.sink().writeAll(Offers.buffer(new byte[CONTENT.length]), 0);
      landing.begin(all);
      landing.sink().writeAll(Offers.buffer(CONTENT), 0);
      assertThat(out.size()).isZero();
      landing.verified(all, Offers.crc32c(CONTENT));
      assertThat(out.toByteArray()).isEqualTo(CONTENT);
      assertThatThrownBy(() -> landing.begin(new Span(0, 1L << 30)))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("cannot be checked before it is written");
    }
  }

  @Test
  void aStreamThatTakesLittleAtATimeGetsAll() throws Exception {
    try (TestPlace place = slow(7)) {
      Offered file = offers.file("a", CONTENT);
      place.consider(file);
      put(place, file, CONTENT);
    }
    assertThat(out.toByteArray()).isEqualTo(CONTENT);
  }

  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aStreamThatTakesNothingFailsInPlaceOfBeingAskedForEver() throws Exception {
    try (TestPlace place = slow(0)) {
      Offered file = offers.file("a", CONTENT);
      place.consider(file);
      assertThatThrownBy(() -> put(place, file, CONTENT))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("nothing could be written");
    }
  }
}
