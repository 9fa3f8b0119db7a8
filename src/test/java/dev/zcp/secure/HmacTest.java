package dev.zcp.secure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class HmacTest {

  /// RFC 4231, sections 4.2 to 4.8, without 4.6, which truncates.
  @Test
  void theVectorsOfRfc4231Fit() {
    byte[] jefe = ascii("Jefe");
    byte[] longKey = filled(131, 0xaa);
    assertThat(hmac(filled(20, 0x0b), ascii("Hi There")))
        .isEqualTo("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    assertThat(hmac(jefe, ascii("what do ya want for nothing?")))
        .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    assertThat(hmac(filled(20, 0xaa), filled(50, 0xdd)))
        .isEqualTo("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    assertThat(hmac(longKey, ascii("Test Using Larger Than Block-Size Key - Hash Key First")))
        .isEqualTo("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  }

  @Test
  void everyKeyLengthGivesWhatThePlatformsOwnMacGives() throws GeneralSecurityException {
    long seed = System.nanoTime();
    System.out.println("HmacTest seed " + seed);
    Random random = new Random(seed);
    for (int keyBytes = 1; keyBytes <= 130; keyBytes++) {
      byte[] key = new byte[keyBytes];
      random.nextBytes(key);
      Hmac ours = new Hmac(key);
      Mac theirs = Mac.getInstance("HmacSHA256");
      theirs.init(new SecretKeySpec(key, "HmacSHA256"));
      // Twice, since the second code must not know of the first.
      for (int round = 0; round < 2; round++) {
        byte[] message = new byte[random.nextInt(300)];
        random.nextBytes(message);
        int cut = random.nextInt(message.length + 1);
        byte[] code =
            ours.update(Arrays.copyOf(message, cut))
                .update(ByteBuffer.wrap(message, cut, message.length - cut))
                .finish();
        assertThat(code).isEqualTo(theirs.doFinal(message));
      }
    }
  }

  private static String hmac(byte[] key, byte[] message) {
    return HexFormat.of().formatHex(new Hmac(key).update(message).finish());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] filled(int length, int with) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) with);
    return bytes;
  }
}
