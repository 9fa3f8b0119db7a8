package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zcp.core.ExitCode;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.SessionKeys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What an attacker on the path can do to control frames: nothing that is not seen.
class SealTest {

  private final Key key = Key.random();
  private final List<byte[]> sent = new ArrayList<>();
  private final List<Frame> said = new ArrayList<>();

  @BeforeEach
  void threeFramesAreSent() {
    FrameWriter writer = new FrameWriter(keys().sender()::sign);
    for (int i = 0; i < 3; i++) {
      Octets digest = Octets.of(new byte[Limits.TREE_DIGEST_BYTES]);
      Frame frame = new Done(ExitCode.SOURCE, i, 100 + i, 0, Level.WIRE, digest, "frame " + i);
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
    assertRefused(sent.get(0), new FrameReader(keys().receiver()::verify));
  }

  @Test
  void aFrameOfAnotherConnectionIsRefused() {
    Handshake other = new Handshake(key, new byte[] {1}, new byte[] {3});
    assertRefused(sent.get(0), new FrameReader(other.sessionKeys().sender()::verify));
  }

  @Test
  void anyBitThatIsFlippedIsSeenEvenWhereTheHeadersCheckIsMended() {
    byte[] frame = sent.get(0);
    for (int bit = 0; bit < frame.length * 8; bit++) {
      byte[] bent = frame.clone();
      bent[bit / 8] ^= (byte) (1 << bit % 8);
      if (bit / 8 >= Limits.HEADER_BYTES) {
        assertRefused(bent, reader());
        continue;
      }
      Wire.mendCheck(bent);
      // The flip of a check is undone by that. A frame that became DATA has no seal to break: the
      // end refuses it where it stands, or the bytes after it are no trailer of it.
      if (!Arrays.equals(bent, frame) && bent[0] != FrameType.DATA.code()) {
        ByteBuffer rest = ByteBuffer.allocate(Limits.CONTROL_BYTES_MAX).put(bent).clear();
        assertThatExceptionOfType(ProtocolException.class)
            .isThrownBy(() -> reader().control(Header.decode(rest), rest));
      }
    }
  }

  private SessionKeys keys() {
    return new Handshake(key, new byte[] {1}, new byte[] {2}).sessionKeys();
  }

  private FrameReader reader() {
    return new FrameReader(keys().sender()::verify);
  }

  private static void assertRefused(byte[] frame, FrameReader reader) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> Wire.frame(frame, reader))
        .withMessageEndingWith("MAC does not fit: damaged, forged or out of order")
        .matches(refusal -> refusal.exitCode() == ExitCode.INTEGRITY);
  }
}
