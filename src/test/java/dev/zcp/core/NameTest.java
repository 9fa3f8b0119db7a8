package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameTest {

  @Test
  void aNameHasOneTo255Bytes() {
    assertThat(Name.of(filled(1)).bytes()).hasSize(1);
    assertThat(Name.of(filled(255)).bytes()).hasSize(255);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Name.of(filled(0)))
        .withMessage("the name is empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Name.of(filled(256)))
        .withMessage("the name is longer than 255 bytes: 256");
  }

  @Test
  void everyByteButTwoMayStandInAName() {
    for (int value = 0; value < 256; value++) {
      byte[] bytes = {'a', (byte) value};
      if (value == 0 || value == '/') {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> Name.of(bytes))
            .withMessage("the name holds a " + (value == 0 ? "NUL byte" : "slash"));
      } else {
        assertThat(Name.of(bytes).bytes()).isEqualTo(bytes);
      }
    }
  }

  @Test
  void aSlashIsFoundWhereverItStands() {
    for (int at = 0; at < 255; at++) {
      byte[] bytes = filled(255);
      bytes[at] = '/';
      assertThatIllegalArgumentException().isThrownBy(() -> Name.of(bytes));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void aNameThatLeadsElsewhereIsNone(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Name.of(ascii(text)))
        .withMessage("the name is " + text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"...", ".a", "a.", "..a", "-", "-rf", " ", "~", "*"})
  void namesThatOnlyLookOddAreNames(String text) {
    assertThat(Name.of(ascii(text)).bytes()).isEqualTo(ascii(text));
  }

  @Test
  void nobodyChangesANameFromOutside() {
    byte[] bytes = ascii("name");
    Name name = Name.of(bytes);
    bytes[0] = '/';
    name.bytes()[1] = '/';
    assertThat(name.bytes()).isEqualTo(ascii("name"));
  }

  @Test
  void namesAreEqualByTheirBytes() {
    Random random = new Random(3);
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = new byte[1 + random.nextInt(3)];
      random.nextBytes(bytes);
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] |= 'A';
      }
      Name name = Name.of(bytes);
      assertThat(name).isEqualTo(Name.of(bytes)).hasSameHashCodeAs(Name.of(bytes));
      bytes[0] ^= 2;
      assertThat(name).isNotEqualTo(Name.of(bytes));
    }
  }

  @Test
  void aNameIsShownAsATerminalMayShowIt() {
    assertThat(Name.of(new byte[] {'a', 27, (byte) 0xff})).hasToString("a\\x1b\\xff");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 'n');
    return bytes;
  }
}
