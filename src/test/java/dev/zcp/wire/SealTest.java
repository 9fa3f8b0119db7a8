package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.SessionKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What an attacker on the path can do to frames: nothing that is not seen.
class SealTest {

  private final Key key = Key.random();
  private final List<byte[]> sent = new ArrayList<>();
  private final List<Frame> said = new ArrayList<>();

  @BeforeEach
  void threeFramesAreSent() {
    FrameWriter writer = new FrameWriter(keys().own()::sign);
    for (int i = 0; i < 3; i++) {
      Bytes digest = Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]);
      Frame frame = new Done(ExitCode.SOURCE, i, 100 + i, Level.WIRE, digest, "frame " + i, false);
      said.add(frame);
      sent.add(Wire.bytes(frame, writer));
    }
  }

  @Test
  void framesInOrderAreRead() throws ProtocolException {
    FrameReader reader = reader();
    for (int i = 0; i < 3; i++) {
      assertThat(Wire.frame(sent.get(i), reader)).isEqualTo(said.get(i));
    }
  }

  @Test
  void aReplayedFrameIsRefused() throws ProtocolException {
    FrameReader reader = reader();
    Wire.frame(sent.get(0), reader);
    assertRefused(sent.get(0), reader);
  }

  @Test
  void aFrameAfterADroppedOneIsRefused() throws ProtocolException {
    FrameReader reader = reader();
    Wire.frame(sent.get(0), reader);
    assertRefused(sent.get(2), reader);
  }

  @Test
  void framesInAnotherOrderAreRefused() {
    assertRefused(sent.get(1), reader());
  }

  @Test
  void aFrameOfTheOtherDirectionIsRefused() {
    assertRefused(sent.get(0), new FrameReader(keys().others()::verify));
  }

  @Test
  void aFrameOfAnotherConnectionIsRefused() {
    Handshake other =
        new Handshake(key, "sender", new byte[] {1}, "receiver", new byte[] {3}, new byte[0]);
    assertRefused(sent.get(0), new FrameReader(other.diallerKeys().own()::verify));
  }

  @Test
  void anyBitThatIsFlippedIsSeen() {
    for (int bit = 0; bit < sent.get(0).length * 8; bit++) {
      // A length that grew asks for more bytes; then they are zeros.
      byte[] bent = Arrays.copyOf(sent.get(0), Limits.CONTROL_BYTES_MAX);
      bent[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> Wire.frame(bent, reader()))
          .matches(refusal -> refusal.exitCode() == ExitCode.INTEGRITY);
    }
  }

  @Test
  void theHeadOfABlockIsSealedAndCounted() throws ProtocolException {
    FrameWriter writer = new FrameWriter(keys().own()::sign);
    byte[] head = Wire.bytes(new Data(3, new Span(8192, 4096)), writer);
    byte[] after = Wire.bytes(new Beat(1), writer);
    assertRefused(after, reader());
    for (int bit = 0; bit < head.length * 8; bit++) {
      byte[] bent = Arrays.copyOf(head, Limits.CONTROL_BYTES_MAX);
      bent[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> Wire.frame(bent, reader()))
          .matches(refusal -> refusal.exitCode() == ExitCode.INTEGRITY);
    }
    FrameReader reader = reader();
    assertThat(Wire.frame(head, reader)).isEqualTo(new Data(3, new Span(8192, 4096)));
    assertThat(Wire.frame(after, reader)).isEqualTo(new Beat(1));
  }

  private SessionKeys keys() {
    return new Handshake(key, "sender", new byte[] {1}, "receiver", new byte[] {2}, new byte[0])
        .diallerKeys();
  }

  private FrameReader reader() {
    return new FrameReader(keys().own()::verify);
  }

  private static void assertRefused(byte[] frame, FrameReader reader) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> Wire.frame(frame, reader))
        .withMessageEndingWith("MAC does not fit: damaged, forged or out of order")
        .matches(refusal -> refusal.exitCode() == ExitCode.INTEGRITY);
  }
}
