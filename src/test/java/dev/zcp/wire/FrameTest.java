package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Name;
import dev.zcp.core.Span;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameTest {

  private static final long LAST_ID = Limits.FILES_MAX - 1;
  private static final long MAX = Long.MAX_VALUE;
  private static final int GIB = 1 << 30;
  private static final Digest DIGEST = Digest.crc32c(0x89abcdef);

  /// Every kind of frame, with each field at its least and at its most.
  static List<Frame> frames() {
    List<Frame> frames = new ArrayList<>();
    frames.add(new Meta(0, Meta.SIZE_UNKNOWN, 0, Instant.MIN.getEpochSecond(), 0, name("a")));
    frames.add(
        new Meta(
            LAST_ID, MAX, 0777, Instant.MAX.getEpochSecond(), 999_999_999, name("n".repeat(255))));
    frames.add(new Meta(1, 0, 0644, -1, 1, Name.of(new byte[] {(byte) 0xff, '\n', 0x1b})));
    frames.add(new Data(0, new Span(0, 1)));
    frames.add(new Data(LAST_ID, new Span(MAX - GIB, GIB)));
    frames.add(Trailer.ok(0, new Span(0, 1), false, DIGEST));
    frames.add(Trailer.ok(LAST_ID, new Span(MAX - GIB, GIB), true, DIGEST));
    frames.add(Trailer.ok(0, new Span(MAX, 0), true, Digest.crc32c(0)));
    for (Trailer.Status status : Trailer.Status.values()) {
      frames.add(new Trailer(7, new Span(5, GIB), true, status, GIB, DIGEST));
    }
    frames.add(new Trailer(7, new Span(5, GIB), true, Trailer.Status.SHORT, 0, DIGEST));
    frames.add(new Trailer(7, new Span(5, 2), true, Trailer.Status.FAILED, 1, DIGEST));
    frames.add(new Trailer(7, new Span(5, 2), true, Trailer.Status.CANCELLED, 0, DIGEST));
    frames.add(new Ack(0, 0, false));
    frames.add(new Ack(LAST_ID, MAX, true));
    for (ExitCode code : ExitCode.values()) {
      frames.add(new Done(code, 0, 0, ""));
      if (code != ExitCode.OK) {
        frames.add(new Nack(0, code, ""));
      }
    }
    frames.add(new Nack(LAST_ID, ExitCode.DESTINATION, "ü".repeat(512)));
    frames.add(new Done(ExitCode.OK, Limits.FILES_MAX, MAX, "x".repeat(1024)));
    frames.add(new Beat(0));
    frames.add(new Beat(Long.MAX_VALUE));
    return frames;
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameComesBackAsItWent(Frame frame) throws ProtocolException {
    assertThat(Wire.frame(Wire.bytes(frame))).isEqualTo(frame);
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameFitsItsLimitAndABufferOneByteShortIsLeftAlone(Frame frame) {
    int length = Wire.bytes(frame).length;
    assertThat(length).isLessThanOrEqualTo(Limits.CONTROL_BYTES_MAX);
    FrameWriter writer = new FrameWriter(Wire.NO_SIGNER);
    ByteBuffer shortBy1 = ByteBuffer.allocateDirect(length - 1);
    assertThatExceptionOfType(BufferOverflowException.class)
        .isThrownBy(() -> writer.put(frame, shortBy1));
    assertThat(shortBy1.position()).isZero();
    writer.put(frame, ByteBuffer.allocateDirect(length));
  }

  @Test
  void theLongestFrameFillsTheLimit() {
    Done longest = new Done(ExitCode.OK, 1, 1, "x".repeat(2000));
    assertThat(Wire.bytes(longest)).hasSize(Limits.CONTROL_BYTES_MAX);
  }

  @Test
  void everyKindOfFrameIsAmongTheExamples() {
    assertThat(frames().stream().map(Frame::type).distinct())
        .containsExactlyInAnyOrder(FrameType.values());
  }

  static Stream<Runnable> framesPastALimit() {
    Span gib = new Span(0, GIB);
    Span tooLong = new Span(0, GIB + 1L);
    Trailer.Status ok = Trailer.Status.OK;
    return Stream.of(
        () -> new Meta(-1, 0, 0, 0, 0, name("a")),
        () -> new Meta(Limits.FILES_MAX, 0, 0, 0, 0, name("a")),
        () -> new Meta(0, -2, 0, 0, 0, name("a")),
        () -> new Meta(0, Long.MIN_VALUE, 0, 0, 0, name("a")),
        () -> new Meta(0, 0, 01000, 0, 0, name("a")),
        () -> new Meta(0, 0, -1, 0, 0, name("a")),
        () -> new Meta(0, 0, 0, Instant.MIN.getEpochSecond() - 1, 0, name("a")),
        () -> new Meta(0, 0, 0, Instant.MAX.getEpochSecond() + 1, 0, name("a")),
        () -> new Meta(0, 0, 0, 0, -1, name("a")),
        () -> new Meta(0, 0, 0, 0, 1_000_000_000, name("a")),
        () -> new Data(0, new Span(0, 0)),
        () -> new Data(0, tooLong),
        () -> Trailer.ok(0, tooLong, true, DIGEST),
        () -> Trailer.ok(0, new Span(0, 0), false, DIGEST),
        () -> new Trailer(0, gib, false, Trailer.Status.SHORT, 1, DIGEST),
        () -> new Trailer(0, gib, true, Trailer.Status.SHORT, -1, DIGEST),
        () -> new Trailer(0, gib, true, Trailer.Status.SHORT, GIB + 1L, DIGEST),
        () -> new Trailer(0, gib, true, ok, GIB - 1, DIGEST),
        () -> new Trailer(0, gib, true, Trailer.Status.CHANGED, GIB - 1, DIGEST),
        () -> new Digest(Digest.Algorithm.CRC32C, Octets.of(new byte[3])),
        () -> new Ack(0, -1, true),
        () -> new Nack(0, ExitCode.OK, ""),
        () -> new Done(ExitCode.OK, -1, 0, ""),
        () -> new Done(ExitCode.OK, Limits.FILES_MAX + 1, 0, ""),
        () -> new Done(ExitCode.OK, 0, -1, ""));
  }

  @ParameterizedTest
  @MethodSource("framesPastALimit")
  void aFramePastALimitCannotExist(Runnable frame) {
    assertThatIllegalArgumentException().isThrownBy(frame::run);
  }

  @Test
  void aTextIsCutBetweenTwoCharactersAtTheLimit() {
    assertThat(text("x".repeat(1024))).isEqualTo("x".repeat(1024));
    assertThat(text("x".repeat(1025))).isEqualTo("x".repeat(1024));
    assertThat(text("x" + "€".repeat(341))).isEqualTo("x" + "€".repeat(341));
    assertThat(text("xx" + "€".repeat(341))).isEqualTo("xx" + "€".repeat(340));
    assertThat(text("x" + "😀".repeat(256))).isEqualTo("x" + "😀".repeat(255));
    assertThat(text("half \ud83d")).isEqualTo("half ?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../a", "a/b", "/", ".", "..", "a\0b", "\0"})
  void aNameThatIsNoBareNameIsRefused(String name) {
    byte[] bad = name.getBytes(StandardCharsets.US_ASCII);
    byte[] frame = Wire.bytes(new Meta(0, 0, 0, 0, 0, name("x".repeat(bad.length))));
    int nameAt = Limits.HEADER_BYTES + Meta.FIXED_BYTES;
    System.arraycopy(bad, 0, frame, nameAt, bad.length);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> Wire.frame(frame))
        .withMessageStartingWith("META: the name ")
        .matches(refusal -> refusal.exitCode() == ExitCode.PROTOCOL);
  }

  @Test
  void aTextThatIsNotUtf8IsRefused() {
    byte[] frame = Wire.bytes(new Nack(0, ExitCode.DESTINATION, "ab"));
    frame[Limits.HEADER_BYTES + 1] = (byte) 0xc0;
    assertThatThrownBy(() -> Wire.frame(frame))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("NACK: its text is not UTF-8");
  }

  @Test
  void anExitCodeThatIsUnknownHereIsAnInternalErrorOfThePeer() throws ProtocolException {
    byte[] frame = Wire.bytes(new Nack(0, ExitCode.DESTINATION, "full"));
    frame[Limits.HEADER_BYTES] = (byte) 130;
    assertThat(Wire.frame(frame)).isEqualTo(new Nack(0, ExitCode.INTERNAL, "full"));
  }

  @Test
  void reservedBytesMustBeZero() {
    byte[] good = Wire.bytes(Trailer.ok(0, new Span(0, 9), true, DIGEST));
    for (int i = 10; i < 16; i++) {
      assertRefused(good, i);
    }
    for (int i = 20; i < 48; i++) {
      assertRefused(good, i);
    }
  }

  private static void assertRefused(byte[] frame, int payloadByte) {
    byte[] bent = Arrays.copyOf(frame, frame.length);
    bent[Limits.HEADER_BYTES + payloadByte] = 1;
    assertThatThrownBy(() -> Wire.frame(bent))
        .isInstanceOf(ProtocolException.class)
        .hasMessage("TRAILER: reserved bits are set");
  }

  private static String text(String text) {
    return new Nack(0, ExitCode.DESTINATION, text).text();
  }

  private static Name name(String text) {
    return Name.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
