package dev.zcp.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {

  @Test
  void aRandomKeyIs22CharactersAndNeverTheSame() {
    Key key = Key.random();
    assertThat(key.text()).matches("[A-Za-z0-9_-]{22}");
    assertThat(key.text()).isNotEqualTo(Key.random().text());
    assertThat(Key.parse(key.text()).bytes()).isEqualTo(key.bytes()).hasSize(16);
  }

  @Test
  void sixteenToSixtyFourBytesAreAKeyAndOneByteLessOrMoreIsNot() {
    assertThat(Key.parse(text(16)).bytes()).hasSize(16);
    assertThat(Key.parse(text(64)).bytes()).hasSize(64);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Key.parse(text(15)))
        .withMessage("the key has 15 bytes, and should have 16 to 64");
    assertThatIllegalArgumentException().isThrownBy(() -> Key.parse(text(65)));
    assertThatIllegalArgumentException().isThrownBy(() -> Key.parse(""));
  }

  @Test
  void whiteSpaceAroundAKeyDoesNotCount() {
    String text = Key.random().text();
    assertThat(Key.parse(" " + text + "\r\n").text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AAAAAAAAAAAAAAAAAAAAA", // a character short
        "AAAAAAAAAAAAAAAAAAAAAB", // the last character has bits that no byte takes
        "AAAAAAAAAAAAAAAAAAAAAA==", // padded
        "AAAAAAAAAAA AAAAAAAAAA",
        "AAAAAAAAAA/AAAAAAAAAAA", // the other base64
        "AAAAAAAAAAÄAAAAAAAAAAA"
      })
  void aMistypedKeyIsRefusedAndNotRepeated(String text) {
    Throwable refusal = catchThrowable(() -> Key.parse(text));
    assertThat(refusal).isInstanceOf(IllegalArgumentException.class);
    StringWriter trace = new StringWriter();
    refusal.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).doesNotContain("AAAA").doesNotContain("Ä").doesNotContain("/A");
  }

  @Test
  void aKeyShownShowsNothing() {
    Key key = Key.random();
    assertThat(key.toString()).isEqualTo("Key[redacted]").doesNotContain(key.text());
    Handshake handshake =
        new Handshake(key, "sender", new byte[72], "receiver", new byte[72], new byte[0]);
    assertThat(handshake.diallerKeys().toString())
        .isEqualTo("SessionKeys[own=FrameMac[redacted], others=FrameMac[redacted]]");
  }

  private static String text(int bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[bytes]);
  }
}
