package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ManifestedCopyTest {

  private static final String SHA256_OF_CONTENT =
      "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73";

  @TempDir Path dir;

  private Path source;
  private Path target;
  private Path list;

  @BeforeEach
  void makeTree() throws IOException {
    source = Files.createDirectory(dir.resolve("tree"));
    Files.createDirectory(source.resolve("sub"));
    Files.writeString(source.resolve("file"), "content");
    Files.writeString(source.resolve("sub/a\nb\\c"), "other");
    Files.write(source.resolve("sub/large"), new byte[1 << 20]);
    Files.writeString(source.resolve("empty"), "");
    Files.createSymbolicLink(source.resolve("link"), Path.of("file"));
    target = dir.resolve("target");
    list = dir.resolve("list");
  }

  @Test
  void theListOfATreeIsCheckedInTheTarget() throws Exception {
    for (String level : List.of("none", "readback", "media")) {
      assertThat(copy("-a", "-T", "--verify=" + level).exitCode()).isZero();
      assertThat(names()).containsExactlyInAnyOrder("file", "sub/a\\nb\\\\c", "sub/large", "empty");
      check(target);
    }
  }

  @Test
  void everyNameOfAFileIsInTheList() throws Exception {
    Files.createLink(source.resolve("sub/twin"), source.resolve("file"));
    assertThat(copy("-a").exitCode()).isZero();
    assertThat(names()).contains("file", "sub/twin").hasSize(5);
    check(target);
  }

  @Test
  void aTreeThatGoesIntoADirectoryIsListedWithItsName() throws Exception {
    Files.createDirectory(target);
    assertThat(copy("-a").exitCode()).isZero();
    assertThat(names()).contains("tree/file", "tree/empty");
    check(target);
  }

  @Test
  void oneFileIsListedByTheNameThatItGets() throws Exception {
    Cli.Result result =
        Cli.run("copy", source.resolve("file").toString(), target.toString(), "--manifest=" + list);
    assertThat(result.exitCode()).isZero();
    assertThat(list).hasContent(SHA256_OF_CONTENT + "  target\n");
    check(dir);
  }

  @Test
  void aHyphenMeansStandardOutput() {
    Cli.Result result =
        Cli.run("copy", source.resolve("file").toString(), target.toString(), "--manifest=-");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).isEqualTo(SHA256_OF_CONTENT + "  target\n");
  }

  @Test
  void whatWasNotCopiedIsNotInTheList() throws Exception {
    Files.createDirectories(target.resolve("file"));
    Cli.Result result = copy("-a", "-T");
    assertThat(result.exitCode()).isEqualTo(ExitCode.SOME_FAILED.number());
    assertThat(names()).containsExactlyInAnyOrder("sub/a\\nb\\\\c", "sub/large", "empty");
    check(target);
    assertThat(copy("-a", "-T", "-n").exitCode()).isNotEqualTo(ExitCode.INTERNAL.number());
    assertThat(list).as("of what was there already").isEmptyFile();
  }

  @Test
  void aComparisonListsWhatIsTheSame() throws Exception {
    assertThat(copy("-a").exitCode()).isZero();
    Files.writeString(target.resolve("sub/large"), "");
    Cli.Result result = copy("-a", "--verify-only");
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTEGRITY.number());
    assertThat(names()).containsExactlyInAnyOrder("file", "sub/a\\nb\\\\c", "empty");
    check(target);
  }

  @Test
  void aListInTheTreeIsRefusedBeforeAnythingIsMade() {
    list = source.resolve("list");
    Cli.Result result = copy("-a");
    assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.number());
    assertThat(result.err()).contains("--manifest: " + list + " is what is copied or is in it");
    assertThat(target).doesNotExist();
    assertThat(list).doesNotExist();
  }

  @Test
  void aListReplacesNoDirectoryAndNeedsOneToBeIn() throws IOException {
    list = Files.createDirectory(dir.resolve("directory"));
    assertThat(copy("-a").err()).contains("directory: is not a regular file");
    list = dir.resolve("missing/list");
    assertThat(copy("-a").err())
        .contains("missing/list: its directory does not exist (create it first)");
    assertThat(target).doesNotExist();
  }

  private Cli.Result copy(String... options) {
    String[] words = new String[options.length + 4];
    words[0] = "copy";
    System.arraycopy(options, 0, words, 1, options.length);
    words[options.length + 1] = "--manifest=" + list;
    words[options.length + 2] = source.toString();
    words[options.length + 3] = target.toString();
    return Cli.run(words);
  }

  private List<String> names() throws IOException {
    return Files.readAllLines(list).stream()
        .map(line -> line.substring(line.indexOf("  ") + 2))
        .toList();
  }

  private void check(Path directory) throws IOException {
    Programs.assume("sha256sum");
    String check = "cd \"$1\" && sha256sum --check --strict --quiet \"$2\"";
    assertThat(Programs.run("sh", "-c", check, "sh", directory.toString(), list.toString()))
        .isEmpty();
  }
}
