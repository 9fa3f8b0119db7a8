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

  /// The least and the most that each type may announce.
  @ParameterizedTest
  @CsvSource({
    "1, 23, 277",
    "2, 1, 1073741824",
    "3, 48, 48",
    "4, 8, 8",
    "5, 1, 1025",
    "6, 17, 1041",
    "7, 8, 8"
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
  @ValueSource(ints = {0, 8, 127, 128, 255})
  void anUnknownTypeIsRefused(int type) {
    assertRefused(Wire.header(type, 0, 0, 0, 0, 0));
  }

  @Test
  void aFlagIsTakenFromItsOwnTypesOnly() throws ProtocolException {
    int[] lengths = {23, 1, 48, 8, 1, 17, 0};
    for (int type = 1; type <= lengths.length; type++) {
      for (int flag = 1; flag <= 0x80; flag <<= 1) {
        byte[] header = Wire.header(type, flag, 0, lengths[type - 1], 0, 0);
        if (flag == 1 && (type == 3 || type == 4)) {
          assertThat(decode(header).flags()).isEqualTo(1);
        } else {
          assertRefused(header);
        }
      }
    }
  }

  @Test
  void reservedBytesMustBeZero() {
    assertRefused(Wire.header(7, 0, 1, 0, 0, 0));
    assertRefused(Wire.header(7, 0, 0x8000, 0, 0, 0));
    for (int i = 24; i < 28; i++) {
      byte[] header = Wire.header(7, 0, 0, 0, 0, 0);
      header[i] = 1;
      Wire.mendCheck(header);
      assertRefused(header);
    }
  }

  @Test
  void aFileIdIsBelowItsLimitAndOnlyWhereAFileIsMeant() throws ProtocolException {
    long last = Limits.FILES_MAX - 1;
    assertThat(decode(Wire.header(4, 0, 0, 8, last, 0)).fileId()).isEqualTo(last);
    assertRefused(Wire.header(4, 0, 0, 8, Limits.FILES_MAX, 0));
    assertRefused(Wire.header(4, 0, 0, 8, -1, 0));
    assertRefused(Wire.header(6, 0, 0, 17, 1, 0));
    assertRefused(Wire.header(7, 0, 0, 0, 1, 0));
  }

  @Test
  void anOffsetNeverRunsOverAndStandsOnlyWhereABlockIsMeant() throws ProtocolException {
    long max = Long.MAX_VALUE;
    assertThat(decode(Wire.header(2, 0, 0, 1, 0, max - 1)).data().block())
        .isEqualTo(new Span(max - 1, 1));
    assertRefused(Wire.header(2, 0, 0, 1, 0, max));
    assertRefused(Wire.header(2, 0, 0, 1 << 30, 0, max - (1 << 30) + 1));
    assertRefused(Wire.header(2, 0, 0, 1, 0, -1));
    assertRefused(Wire.header(2, 0, 0, 1, 0, Long.MIN_VALUE));
    assertThat(decode(Wire.header(3, 0, 0, 48, 0, max)).offset()).isEqualTo(max);
    for (int type : new int[] {1, 4, 5, 6, 7}) {
      int length = new int[] {23, 1, 48, 8, 1, 17, 0}[type - 1];
      assertRefused(Wire.header(type, 0, 0, length, 0, 1));
    }
  }

  @Test
  void anyBitThatFlipsIsSeen() {
    byte[] header = Wire.header(2, 0, 0, 4096, 3, 8192);
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
    ByteBuffer in = ByteBuffer.allocateDirect(40).put(Wire.header(4, 0, 0, 8, 0, 0)).flip();
    in.limit(40);
    Header ack = Header.decode(in);
    assertThat(in.position()).isEqualTo(32);
    assertThat(ack.controlBytes()).isEqualTo(8 + 16);
    assertThatIllegalStateException().isThrownBy(ack::data);
    Header data = decode(Wire.header(2, 0, 0, 5, 0, 0));
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
