package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {

  @TempDir Path dir;

  @Test
  void aCommandLineIsToldAsAShellTakesItAndWithoutAKey() {
    Arguments typed = Arguments.of("send", "zcp://se/c@ret@nas:5230", "my film.mkv", "it's");
    assertThat(typed.commandLine())
        .isEqualTo("zcp send zcp://...@nas:5230 'my film.mkv' 'it'\\''s'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"C", "C.UTF-8", "POSIX", "no_SUCH.locale"})
  void everyByteOfEveryArgumentReachesTheProgram(String locale) throws Exception {
    // The shell makes the bytes: Java could not say them on a command line.
    String script =
        "exec \"$0\" -cp \"$1\" dev.zcp.cli.ArgumentsProbe \"$(printf '\\377')\" \"$(printf"
            + " '\\303\\251')\" \"$(printf 'a\\n"
            + "b')\" -- -rf %41 ' leading' '' '@file' \"$(printf '\\357\\277\\275?')\" \"$(printf"
            + " '\\342\\202')\"";
    assertThat(probe(locale, script))
        .containsExactly(
            hex(0xff),
            hex(0xc3, 0xa9),
            hex('a', '\n', 'b'),
            hex('-', '-'),
            hex('-', 'r', 'f'),
            hex('%', '4', '1'),
            "20" + HexFormat.of().formatHex("leading".getBytes(StandardCharsets.UTF_8)),
            "",
            HexFormat.of().formatHex("@file".getBytes(StandardCharsets.UTF_8)),
            hex(0xef, 0xbf, 0xbd, '?'),
            hex(0xe2, 0x82));
  }

  @Test
  void textIsItsUtf8Bytes() throws Failure {
    assertThat(Arguments.of("a", "é").latin1()).containsExactly("a", "\u00c3\u00a9");
    assertThat(RawText.text("\u00c3\u00a9")).isEqualTo("é");
    assertThat(RawText.path("\u00ff").toString()).isEqualTo("\\xff");
  }

  @Test
  void argumentsThatWereReadAgainMustBeThoseThatWereDecoded() throws IOException {
    Path told = dir.resolve("cmdline");
    Files.write(told, new byte[] {'j', 0, 'M', 0, 'a', 0, (byte) 0xff, 0});
    assertThat(Arguments.raw(new String[] {"a", "\ufffd"}, told).latin1())
        .containsExactly("a", "\u00ff");
    assertThat(Arguments.raw(new String[] {"b", "é"}, told).latin1())
        .as("an ASCII argument differs")
        .containsExactly("b", "\u00c3\u00a9");
  }

  @Test
  void whatCannotBeReadAgainStaysAsItWasDecoded() throws IOException {
    String[] decoded = {"é"};
    assertThat(Arguments.raw(decoded, dir.resolve("none")).latin1())
        .containsExactly("\u00c3\u00a9");
    Path empty = Files.write(dir.resolve("empty"), new byte[0]);
    assertThat(Arguments.raw(decoded, empty).latin1()).containsExactly("\u00c3\u00a9");
  }

  @Test
  void asciiIsNotReadAgain() {
    assertThat(Arguments.raw(new String[] {"x"}, dir.resolve("none")).latin1())
        .containsExactly("x");
  }

  @Test
  void anOptionIsHeldOnlyBeforeTheDoubleDash() {
    assertThat(Arguments.of("copy", "--debug").hold("--debug")).isTrue();
    assertThat(Arguments.of("copy", "--", "--debug").hold("--debug")).isFalse();
  }

  private List<String> probe(String locale, String script) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh", "-c", script, java.toString(), System.getProperty("java.class.path"));
    builder.environment().put("LC_ALL", locale);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    process.getOutputStream().close();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
            .lines()
            .toList();
    assertThat(process.waitFor()).isZero();
    return lines;
  }

  private static String hex(int... bytes) {
    StringBuilder hex = new StringBuilder();
    for (int b : bytes) {
      hex.append(String.format("%02x", b));
    }
    return hex.toString();
  }
}
