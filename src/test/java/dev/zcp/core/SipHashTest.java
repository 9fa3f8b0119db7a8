package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SipHashTest {

  /// The key of the paper's example: bytes 0 to 15.
  private static final long KEY_0 = 0x0706050403020100L;

  private static final long KEY_1 = 0x0f0e0d0c0b0a0908L;

  @Test
  void theExampleOfThePaperComesOut() {
    assertThat(SipHash.of(KEY_0, KEY_1, upTo(15))).isEqualTo(0xa129ca6149be45e5L);
  }

  @Test
  void theReferencesVectorsComeOut() {
    assertThat(SipHash.of(KEY_0, KEY_1, upTo(0))).isEqualTo(0x726fdb47dd0e0e31L);
    assertThat(SipHash.of(KEY_0, KEY_1, upTo(1))).isEqualTo(0x74f839c593dc67fdL);
    assertThat(SipHash.of(KEY_0, KEY_1, upTo(8))).isEqualTo(0x93f5f5799a932462L);
    assertThat(SipHash.of(KEY_0, KEY_1, upTo(63))).isEqualTo(0x958a324ceb064572L);
  }

  @Test
  void everyByteAndTheLengthCount() {
    Set<Long> seen = new HashSet<>();
    for (int length = 0; length < 40; length++) {
      assertThat(seen.add(SipHash.of(KEY_0, KEY_1, new byte[length]))).isTrue();
      for (int i = 0; i < length; i++) {
        byte[] message = new byte[length];
        message[i] = -1;
        assertThat(seen.add(SipHash.of(KEY_0, KEY_1, message))).isTrue();
      }
    }
    assertThat(seen.add(SipHash.of(KEY_1, KEY_0, new byte[8]))).isTrue();
  }

  private static byte[] upTo(int length) {
    byte[] message = new byte[length];
    for (int i = 0; i < length; i++) {
      message[i] = (byte) i;
    }
    return message;
  }
}
