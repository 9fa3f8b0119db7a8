package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zcp.core.ExitCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTest {

  private static final int DATA = FrameType.DATA.code();
  private static final Set<FrameType> FLAGGED =
      EnumSet.of(
          FrameType.PART,
          FrameType.ACCEPT,
          FrameType.CHUNKS,
          FrameType.DATA,
          FrameType.DONE,
          FrameType.LIMITED);

  private static final Set<FrameType> FLAGGED_TWICE =
      EnumSet.of(FrameType.DATA, FrameType.DONE, FrameType.PART);

  private static final Set<FrameType> FLAGGED_FOUR_TIMES =
      EnumSet.of(FrameType.DONE, FrameType.PART);

  private static final int BEAT = FrameType.BEAT.code();

  /// The least and the most that each type may announce.
  @ParameterizedTest
  @CsvSource({
    "1, 32, 32",
    "2, 24, 24",
    "3, 91, 262144",
    "4, 14, 262144",
    "5, 9, 520",
    "6, 1, 1073741824",
    "7, 40, 40",
    "8, 21, 86016",
    "9, 2, 8192",
    "10, 4, 262144",
    "11, 52, 132183",
    "12, 8, 8",
    "13, 63, 262144",
    "17, 32, 45088"
  })
  void aLengthIsTakenUpToItsLimitAndNoFurther(int type, int least, int most)
      throws ProtocolException {
    assertThat(decode(Wire.header(type, 0, 0, least, 0, 0)).length()).isEqualTo(least);
    assertThat(decode(Wire.header(type, 0, 0, most, 0, 0)).length()).isEqualTo(most);
    assertRefused(Wire.header(type, 0, 0, least - 1, 0, 0));
    assertDamaged(Wire.header(type, 0, 0, most + 1, 0, 0));
    assertDamaged(Wire.header(type, 0, 0, -1, 0, 0));
    assertDamaged(Wire.header(type, 0, 0, Integer.MAX_VALUE, 0, 0));
    assertDamaged(Wire.header(type, 0, 0, Integer.MIN_VALUE, 0, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 18, 127, 128, 255})
  void anUnknownTypeIsDamage(int type) {
    assertDamaged(Wire.header(type, 0, 0, 0, 0, 0));
  }

  @Test
  void aFlagIsTakenFromItsOwnTypeOnly() throws ProtocolException {
    for (FrameType type : FrameType.values()) {
      for (int flag = 1; flag <= 0x80; flag <<= 1) {
        byte[] header = Wire.header(type.code(), flag, 0, type.lengthMin(), 0, 0);
        if (flag == 1 && FLAGGED.contains(type)
            || flag == 2 && FLAGGED_TWICE.contains(type)
            || (flag == 4 || flag == 8) && FLAGGED_FOUR_TIMES.contains(type)) {
          assertThat(decode(header).flags()).isEqualTo(flag);
        } else {
          assertRefused(header);
        }
      }
    }
  }

  @Test
  void reservedBytesMustBeZero() {
    assertDamaged(Wire.header(BEAT, 0, 1, 8, 0, 0));
    assertDamaged(Wire.header(BEAT, 0, 0x8000, 8, 0, 0));
  }

  @Test
  void aFileIdIsBelowItsLimitAndOnlyWhereAFileIsMeant() throws ProtocolException {
    long last = Limits.FILES_MAX - 1;
    for (FrameType type : FrameType.values()) {
      int length = type.lengthMin();
      if (type.namesBytes()) {
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
    assertThat(decode(Wire.header(DATA, 0, 0, 1, 0, max - 1)).offset()).isEqualTo(max - 1);
    assertRefused(Wire.header(DATA, 0, 0, 1, 0, max));
    assertRefused(Wire.header(DATA, 0, 0, 1 << 30, 0, max - (1 << 30) + 1));
    for (FrameType type : FrameType.values()) {
      int length = type.lengthMin();
      assertRefused(Wire.header(type.code(), 0, 0, length, 0, -1));
      assertRefused(Wire.header(type.code(), 0, 0, length, 0, Long.MIN_VALUE));
      if (type.namesBytes()) {
        assertThat(decode(Wire.header(type.code(), 0, 0, length, 0, 1)).offset()).isEqualTo(1);
      } else {
        assertRefused(Wire.header(type.code(), 0, 0, length, 0, 1));
      }
    }
  }

  @Test
  void aHeaderReads24BytesAndSaysWhatToReadNext() throws ProtocolException {
    ByteBuffer in = ByteBuffer.allocateDirect(40).put(Wire.header(BEAT, 0, 0, 8, 0, 0)).clear();
    assertThat(Header.decode(in).restBytes()).isEqualTo(8 + 16);
    assertThat(in.position()).isEqualTo(24);
    assertThat(decode(Wire.header(DATA, 0, 0, 5, 0, 0)).restBytes()).isEqualTo(16);
  }

  /// One that the peer has sealed, so that it means it.
  @Test
  void whatIsWrongUnderAMacThatFitsBreaksTheProtocol() {
    byte[] frame = Arrays.copyOf(Wire.header(BEAT, 1, 0, 8, 0, 0), 24 + 8 + 16);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> Wire.frame(frame))
        .withMessage("BEAT: unknown flags 0x1")
        .matches(refusal -> refusal.exitCode() == ExitCode.PROTOCOL);
  }

  private static Header decode(byte[] header) throws ProtocolException {
    Header decoded = Header.decode(ByteBuffer.wrap(header));
    decoded.require();
    return decoded;
  }

  /// Of whoever has the key.
  private static void assertRefused(byte[] header) {
    assertThatIllegalArgumentException().isThrownBy(() -> decode(header));
  }

  /// Whoever it comes from: the MAC is not even looked at.
  private static void assertDamaged(byte[] header) {
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> decode(header))
        .matches(damage -> damage.exitCode() == ExitCode.INTEGRITY);
  }
}
