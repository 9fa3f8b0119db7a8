package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A name is bytes and arrives as the same bytes, whatever the locale makes of them.
///
/// A shell makes the names and compares them, since the JVM of this test cannot even say them. They
/// are given to it in the escapes of printf(1).
class NamesIT {

  private static final List<String> LOCALES = List.of("C", "C.UTF-8");

  private static final List<String> NAMES =
      List.of(
          "\\377",
          "caf\\303\\251",
          "caf\\351",
          "two\\nlines\\n",
          "-rf",
          "--strategy=nonsense",
          " \\t\\\\ $HOME \"\\047*",
          "\\033[31mred",
          // As much as a directory entry holds.
          "a".repeat(255),
          "\\376".repeat(255),
          "\\303\\251".repeat(127) + "x");

  private static final String PREPARE =
      """
      set -eu
      zcp=$1
      # The command substitution would cut off newlines at the end.
      name=$(printf -- "$2x")
      name=${name%x}
      mkdir from to
      cd from
      printf %s "$2" > "./$name"
      """;

  private static final String COMPARE =
      """
      cmp "./$name" "../to/$name"
      find . -type f -print0 | od -c > ../sent
      cd ../to
      find . -type f -print0 | od -c > ../arrived
      diff ../sent ../arrived
      """;

  private static final String COPY =
      PREPARE
          + """
          "$zcp" copy -q -- "$name" ../to
          """
          + COMPARE
          + """
          cd ../from
          "$zcp" copy -q -- "$name" "../$name"
          cmp "./$name" "../$name"
          """;

  private static final String SEND =
      PREPARE
          + """
          mkfifo ../url
          "$zcp" receive -q --once --listen=127.0.0.1:0 ../to > ../url &
          read -r url < ../url
          "$zcp" send -q "$url" -- "$name"
          wait $!
          """
          + COMPARE;

  @TempDir Path folder;

  static Stream<Arguments> everyNameInEveryLocale() {
    return LOCALES.stream()
        .flatMap(locale -> NAMES.stream().map(name -> Arguments.of(locale, name)));
  }

  @ParameterizedTest
  @MethodSource("everyNameInEveryLocale")
  void aNameIsCopiedByteForByte(String locale, String name) throws Exception {
    sh(COPY, locale, name);
  }

  @ParameterizedTest
  @MethodSource("everyNameInEveryLocale")
  void aNameIsSentByteForByte(String locale, String name) throws Exception {
    sh(SEND, locale, name);
  }

  /// Where Java cannot say the working directory's name.
  @Test
  void aReceiverFindsADirectoryByARelativeName() throws Exception {
    String script =
        """
        w=$(printf 'w\\377'); mkdir "$w"; cd "$w"; mkdir in; echo right > f
        "$1" receive -q --once --listen=127.0.0.1:0 in > url &
        while ! grep -qs zcp url; do sleep 0.05; done
        "$1" send -q "$(cat url)" f; wait
        diff f in/f
        """;
    sh(script, "C", "");
  }

  private void sh(String script, String locale, String name)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", script, "sh", BuiltZcp.LAUNCHER.toString(), name)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    BuiltZcp.forgetSettings(builder.environment());
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    builder.environment().put("LC_ALL", locale);
    int exitCode = builder.start().waitFor();
    String said = new String(Files.readAllBytes(output), StandardCharsets.ISO_8859_1);
    assertThat(said).isEmpty();
    assertThat(exitCode).isZero();
  }
}
