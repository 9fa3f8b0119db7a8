package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Of decision 76: what no cache holds is not used on the way to the first byte.
class ColdStartTest {

  /// What only a failure, an explanation, a tuned profile or a page of HTML comes to, and the
  /// bench.
  private static final Pattern ELSEWHERE =
      Pattern.compile(
          "bench/.*|carrier/SocketDialler|cli/(ExplainText|Parser|StrategyTable)|linux/Errno"
              + "|profile/ProfileFormat|report/HtmlPage|tree/Reasons");

  private static final Path CLASSES = classes();

  @Test
  void noSwitchOverTypesIsOnTheWayToTheFirstByte() throws IOException {
    assertThat(switchesOverTypes()).filteredOn(name -> !isElsewhere(name)).isEmpty();
  }

  /// So the test above would see one.
  @Test
  void thoseElsewhereAreFound() throws IOException {
    assertThat(switchesOverTypes()).contains("cli/Parser", "tree/Reasons", "linux/Errno");
  }

  private static boolean isElsewhere(String name) {
    return ELSEWHERE.matcher(name).matches();
  }

  /// The classes that have one, without their package's beginning.
  private static List<String> switchesOverTypes() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      return files
          .filter(file -> file.toString().endsWith(".class"))
          .filter(ColdStartTest::hasSwitchOverTypes)
          .map(file -> CLASSES.relativize(file).toString().replace(".class", ""))
          .toList();
    }
  }

  private static boolean hasSwitchOverTypes(Path file) {
    try {
      String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      return text.contains("java/lang/runtime/SwitchBootstraps");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path classes() {
    try {
      return Path.of(ExitCode.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .resolve("dev/zcp");
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
