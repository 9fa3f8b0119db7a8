package dev.zcp.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"", "plain", "with space", "\u00e9\u00df", "\u65e5\u672c", "\ud83d\ude00"})
  void textIsShownAsItIs(String text) {
    assertThat(Printable.of(utf8(text))).isEqualTo(text);
    assertThat(Printable.of(text)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0a,       \\n",
    "0d,       \\r",
    "09,       \\t",
    "5c,       \\\\",
    "00,       \\x00",
    "1b,       \\x1b",
    "7f,       \\x7f",
    // Next line, and the introducer of control sequences in one character: C1, as text.
    "c285,     \\u{85}",
    "c29b,     \\u{9b}",
    // Soft hyphen, zero-width space, right-to-left override, byte order mark, line separator.
    "c2ad,     \\u{ad}",
    "e2808b,   \\u{200b}",
    "e280ae,   \\u{202e}",
    "efbbbf,   \\u{feff}",
    "e280a8,   \\u{2028}",
    // A tag character, outside the basic plane.
    "f3a08181, \\u{e0041}",
  })
  void whatMovesTheCursorOrHidesIsEscaped(String hex, String shown) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertThat(Printable.of(bytes)).isEqualTo(shown);
    assertThat(Printable.of(new String(bytes, StandardCharsets.UTF_8))).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "ff,         \\xff",
    "85,         \\x85",
    "c3,         \\xc3",
    "e282,       \\xe2\\x82",
    "c0af,       \\xc0\\xaf",
    "eda080,     \\xed\\xa0\\x80",
    "f4908080,   \\xf4\\x90\\x80\\x80",
    "61ff62,     a\\xffb",
    "e28261,     \\xe2\\x82a",
    "ffc3a9ff,   \\xff\u00e9\\xff",
    "f09f9861,   \\xf0\\x9f\\x98a",
  })
  void bytesThatAreNoTextAreShownOneByOne(String hex, String shown) {
    assertThat(Printable.of(HexFormat.of().parseHex(hex))).isEqualTo(shown);
  }

  @Test
  void aBadByteIsShownWhereverItStands() {
    byte[] good = utf8("a\u00e9\u65e5\ud83d\ude00z");
    for (int at = 0; at <= good.length; at++) {
      byte[] bytes = Arrays.copyOf(good, good.length + 1);
      System.arraycopy(good, at, bytes, at + 1, good.length - at);
      bytes[at] = (byte) 0xff;
      assertThat(unescaped(Printable.of(bytes))).isEqualTo(hex(bytes));
    }
  }

  @Test
  void everyCharacterComesOutSafe() {
    for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++) {
      requireSafe(Printable.of(Character.toString(codePoint)), "code point " + codePoint);
    }
  }

  @Test
  void halfACharacterIsShownAsOne() {
    assertThat(Printable.of("\ud83d")).isEqualTo("\\u{d83d}");
    assertThat(Printable.of("a\ude00b")).isEqualTo("a\\u{de00}b");
  }

  @Test
  void noTwoNamesOfUpToTwoBytesAreShownAlike() {
    Map<String, String> shown = new HashMap<>();
    for (int first = 0; first < 256; first++) {
      put(shown, new byte[] {(byte) first});
      for (int second = 0; second < 256; second++) {
        put(shown, new byte[] {(byte) first, (byte) second});
      }
    }
    assertThat(shown).hasSize(256 + 256 * 256);
  }

  @Test
  void randomBytesComeOutSafeAndCanBeToldApart() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      byte[] bytes = randomBytes(random);
      String text = Printable.of(bytes);
      requireSafe(text, "seed " + seed);
      // Whoever can read the bytes back from what was shown is fooled by no two names.
      assertThat(unescaped(text)).as("seed %d", seed).isEqualTo(hex(bytes));
    }
  }

  private static void put(Map<String, String> shown, byte[] bytes) {
    assertThat(shown.put(Printable.of(bytes), hex(bytes))).as(hex(bytes)).isNull();
  }

  /// Bytes of which many are text, since wholly random ones hardly ever are.
  private static byte[] randomBytes(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.appendCodePoint(random.nextInt(random.nextBoolean() ? 0x300 : 0x11000));
    }
    byte[] bytes = utf8(text.append("\\xff").toString());
    for (int i = random.nextInt(4); i > 0; i--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static void requireSafe(String text, String where) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean safe = c >= 0x20 && c != 0x7f && (c < 0x80 || c > 0x9f);
      assertThat(safe).as("%s: %x", where, (int) c).isTrue();
    }
  }

  /// The bytes behind what was shown, in hexadecimal.
  private static String unescaped(String text) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      i += Character.charCount(codePoint);
      if (codePoint != '\\') {
        hex.append(hex(utf8(Character.toString(codePoint))));
        continue;
      }
      char kind = text.charAt(i++);
      switch (kind) {
        case '\\' -> hex.append("5c");
        case 'n' -> hex.append("0a");
        case 'r' -> hex.append("0d");
        case 't' -> hex.append("09");
        case 'x' -> {
          hex.append(text, i, i + 2);
          i += 2;
        }
        default -> {
          int close = text.indexOf('}', i);
          int escaped = Integer.parseInt(text, i + 1, close, 16);
          hex.append(hex(utf8(Character.toString(escaped))));
          i = close + 1;
        }
      }
    }
    return hex.toString();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void aPhraseWithPrintableNamesStaysAsItIsAndAnyOtherIsEscaped() {
    assertThat(Printable.ofPhrase("a\\x1bb: no such file")).isEqualTo("a\\x1bb: no such file");
    assertThat(Printable.ofPhrase("a\\b \u001b[2J")).isEqualTo("a\\\\b \\x1b[2J");
    assertThat(Printable.ofPhrase("")).isEmpty();
  }
}
