package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTest {

  private static final int DATA = FrameType.DATA.code();
  private static final int BEAT = FrameType.BEAT.code();

  /// The least and the most that each type may announce.
  @ParameterizedTest
  @CsvSource({
    "1, 32, 32",
    "2, 24, 24",
    "3, 8, 8",
    "4, 92, 262144",
    "5, 14, 262144",
    "6, 17, 69632",
    "7, 1, 1073741824",
    "8, 48, 48",
    "9, 8, 8",
    "10, 21, 86016",
    "11, 8, 8",
    "12, 1, 1025",
    "13, 8, 8",
    "14, 34, 1058",
    "15, 8, 8"
  })
  void aLengthIsTakenUpToItsLimitAndNoFurther(int type, int least, int most)
      throws ProtocolException {
    assertThat(decode(Wire.header(type, 0, 0, least, 0, 0)).length()).isEqualTo(least);
    assertThat(decode(Wire.header(type, 0, 0, most, 0, 0)).length()).isEqualTo(most);
    assertRefused(Wire.header(type, 0, 0, least - 1, 0, 0));
    assertRefused(Wire.header(type, 0, 0, most + 1, 0, 0));
    assertRefused(Wire.header(type, 0, 0, -1, 0, 0));
    assertRefused(Wire.header(type, 0, 0, Integer.MAX_VALUE, 0, 0));
    assertRefused(Wire.header(type, 0, 0, Integer.MIN_VALUE, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 16, 127, 128, 255})
  void anUnknownTypeIsRefused(int type) {
    assertRefused(Wire.header(type, 0, 0, 0, 0, 0));
  }

  @Test
  void aFlagIsTakenFromItsOwnTypeOnly() throws ProtocolException {
    for (FrameType type : FrameType.values()) {
      for (int flag = 1; flag <= 0x80; flag <<= 1) {
        byte[] header = Wire.header(type.code(), flag, 0, type.lengthMin(), 0, 0);
        if (flag == Accept.IN_ORDER && type == FrameType.ACCEPT) {
          assertThat(decode(header).flags()).isEqualTo(1);
        } else {
          assertRefused(header);
        }
      }
    }
  }

  @Test
  void reservedBytesMustBeZero() {
    assertRefused(Wire.header(BEAT, 0, 1, 8, 0, 0));
    assertRefused(Wire.header(BEAT, 0, 0x8000, 8, 0, 0));
    for (int i = 24; i < 28; i++) {
      byte[] header = Wire.header(BEAT, 0, 0, 8, 0, 0);
      header[i] = 1;
      Wire.mendCheck(header);
      assertRefused(header);
    }
  }

  @Test
  void aFileIdIsBelowItsLimitAndOnlyWhereAFileIsMeant() throws ProtocolException {
    long last = Limits.FILES_MAX - 1;
    for (FrameType type : FrameType.values()) {
      int length = type.lengthMin();
      if (type.namesFile()) {
        assertThat(decode(Wire.header(type.code(), 0, 0, length, last, 0)).fileId())
            .isEqualTo(last);
        assertRefused(Wire.header(type.code(), 0, 0, length, Limits.FILES_MAX, 0));
        assertRefused(Wire.header(type.code(), 0, 0, length, -1, 0));
      } else {
        assertRefused(Wire.header(type.code(), 0, 0, length, 1, 0));
      }
    }
  }

  @Test
  void anOffsetNeverRunsOverAndStandsOnlyWhereBytesAreMeant() throws ProtocolException {
    long max = Long.MAX_VALUE;
    assertThat(decode(Wire.header(DATA, 0, 0, 1, 0, max - 1)).data().block())
        .isEqualTo(new Span(max - 1, 1));
    assertRefused(Wire.header(DATA, 0, 0, 1, 0, max));
    assertRefused(Wire.header(DATA, 0, 0, 1 << 30, 0, max - (1 << 30) + 1));
    for (FrameType type : FrameType.values()) {
      int length = type.lengthMin();
      assertRefused(Wire.header(type.code(), 0, 0, length, 0, -1));
      assertRefused(Wire.header(type.code(), 0, 0, length, 0, Long.MIN_VALUE));
      if (type.namesOffset()) {
        assertThat(decode(Wire.header(type.code(), 0, 0, length, 0, 1)).offset()).isEqualTo(1);
      } else {
        assertRefused(Wire.header(type.code(), 0, 0, length, 0, 1));
      }
    }
  }

  @Test
  void anyBitThatFlipsIsSeen() {
    byte[] header = Wire.header(DATA, 0, 0, 4096, 3, 8192);
    for (int bit = 0; bit < Limits.HEADER_BYTES * 8; bit++) {
      byte[] bent = header.clone();
      bent[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatExceptionOfType(ProtocolException.class)
          .isThrownBy(() -> decode(bent))
          .withMessage("a frame's header is damaged: its check does not fit")
          .matches(damage -> damage.exitCode() == ExitCode.INTEGRITY);
    }
  }

  @Test
  void aHeaderReads32BytesAndSaysWhatToReadNext() throws ProtocolException {
    ByteBuffer in =
        ByteBuffer.allocateDirect(40).put(Wire.header(FrameType.ACK.code(), 0, 0, 8, 0, 0)).flip();
    in.limit(40);
    Header ack = Header.decode(in);
    assertThat(in.position()).isEqualTo(32);
    assertThat(ack.controlBytes()).isEqualTo(8 + 16);
    assertThatIllegalStateException().isThrownBy(ack::data);
    Header data = decode(Wire.header(DATA, 0, 0, 5, 0, 0));
    assertThat(data.isData()).isTrue();
    assertThatIllegalStateException().isThrownBy(data::controlBytes);
  }

  private static Header decode(byte[] header) throws ProtocolException {
    return Header.decode(ByteBuffer.wrap(header));
  }

  private static void assertRefused(byte[] header) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> decode(header))
        .matches(refusal -> refusal.exitCode() == ExitCode.PROTOCOL);
  }
}
