package dev.zcp.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTest {

  @Test
  void aRandomKeyIs24CharactersAndNeverTheSame() {
    Key key = Key.random();
    assertThat(key.text()).matches("[A-Za-z0-9_-]{24}");
    assertThat(key.text()).isNotEqualTo(Key.random().text());
    assertThat(Key.parse(key.text()).bytes()).isEqualTo(key.bytes()).hasSize(16);
  }

  @Test
  void anyOtherCharacterInAnyPlaceIsSaidToBeMistyped() {
    String text = Key.random().text();
    for (int at = 0; at < text.length(); at++) {
      char other = text.charAt(at) == 'x' ? 'y' : 'x';
      String typed = text.substring(0, at) + other + text.substring(at + 1);
      assertThatIllegalArgumentException()
          .as(typed)
          .isThrownBy(() -> Key.parse(typed))
          .withMessage("the key is mistyped, or zcp did not make it");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Key.parse(text.substring(1)))
          .withMessage("the key is mistyped: it has 23 characters, and a key has 24");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"secret", "correct horse battery staple", "0123456789abcdef0123456789abcdef"})
  void aKeyThatAPersonChoseIsRefusedWithTheReason(String chosen) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Key.parse(chosen))
        .withMessage(
            "this is not a key that zcp made ('zcp key' prints one; a key that somebody thinks up"
                + " can be guessed)");
  }

  @Test
  void whiteSpaceAroundAKeyDoesNotCount() {
    String text = Key.random().text();
    assertThat(Key.parse(" " + text + "\r\n").text()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AAAAAAAAAAAAAAAAAAAAAA", // the check is missing
        "AAAAAAAAAAAAAAAAAAAAAA==", // padded
        "AAAAAAAAAAA AAAAAAAAAAAA",
        "AAAAAAAAAA/AAAAAAAAAAAAA", // the other base64
        "AAAAAAAAAAÄAAAAAAAAAAAAA"
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
}
