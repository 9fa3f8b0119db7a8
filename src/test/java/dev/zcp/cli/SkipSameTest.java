package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `zcp copy --skip-same`: what has the size and the modification time of its source is kept.
class SkipSameTest {

  private static final FileTime THEN = FileTime.from(Instant.parse("2024-05-06T07:08:09.123456Z"));

  @TempDir Path dir;

  private Path source;
  private Path target;

  @BeforeEach
  void makeTwoTrees() throws IOException {
    source = Files.createDirectory(dir.resolve("source"));
    target = Files.createDirectory(dir.resolve("target"));
    for (String name : new String[] {"same", "longer", "older", "newer"}) {
      file(source.resolve(name), "new", THEN);
    }
    file(target.resolve("same"), "old", THEN);
    file(target.resolve("longer"), "old!", THEN);
    file(target.resolve("older"), "old", FileTime.fromMillis(THEN.toMillis() - 1));
    file(target.resolve("newer"), "old", FileTime.fromMillis(THEN.toMillis() + 1));
  }

  @Test
  void whatHasSizeAndTimeOfItsSourceIsKeptAndAllElseIsReplaced() {
    Cli.Result result = copy("-a", "--skip-same");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .contains("copied 3 files", "1 file kept")
        .doesNotContain("has the size and");
    assertThat(target.resolve("same")).hasContent("old");
    assertThat(target.resolve("longer")).hasContent("new");
    assertThat(target.resolve("older")).hasContent("new");
    assertThat(target.resolve("newer")).hasContent("new");
    assertThat(copy("-av", "--skip-same").err())
        .contains(
            target + "/newer: has the size and the modification time of " + source + "/newer",
            "copied nothing; 4 files kept");
  }

  @Test
  void withoutTheTimesOfTheSourceNothingIsTheSame() {
    assertThat(copy("-r", "--skip-same").exitCode()).isZero();
    assertThat(copy("-r", "--skip-same").err()).contains("copied 3 files", "1 file kept");
  }

  @Test
  void aLinkOfTheSameTimeAndLengthIsKeptAndOneOfAnotherLengthIsNot() throws IOException {
    Files.createSymbolicLink(source.resolve("link"), Path.of("same"));
    assertThat(copy("-a").exitCode()).isZero();
    assertThat(copy("-a", "--skip-same").err()).contains("copied nothing; 5 files kept");
    Files.delete(target.resolve("link"));
    Files.createSymbolicLink(target.resolve("link"), Path.of("elsewhere"));
    assertThat(copy("-a", "--skip-same").err()).contains("copied 1 link", "4 files kept");
    assertThat(Files.readSymbolicLink(target.resolve("link"))).isEqualTo(Path.of("same"));
  }

  @Test
  void moreNamesOfAFileThatIsKeptAreNamesOfTheKeptFile() throws IOException {
    Files.createLink(source.resolve("second"), source.resolve("same"));
    assertThat(copy("-a", "--skip-same").exitCode()).isZero();
    assertThat(Files.isSameFile(target.resolve("same"), target.resolve("second"))).isTrue();
    // As an interrupted copy leaves it.
    Files.delete(target.resolve("second"));
    file(target.resolve("second"), "new", THEN);
    assertThat(copy("-a", "--skip-same").exitCode()).isZero();
    assertThat(Files.isSameFile(target.resolve("same"), target.resolve("second"))).isTrue();
  }

  @Test
  void twoFilesThatAreOneInTheTargetBecomeTwoThereToo() throws IOException {
    for (String options : new String[] {"-a", "-a --jobs=1"}) {
      file(source.resolve("second"), "new", THEN);
      Files.deleteIfExists(target.resolve("second"));
      Files.createLink(target.resolve("second"), target.resolve("same"));
      String[] words = (options + " --skip-same --delete").split(" ");
      Cli.Result result = copy(words);
      assertThat(result.exitCode()).as(result.err()).isZero();
      assertThat(Files.isSameFile(target.resolve("same"), target.resolve("second"))).isFalse();
      assertThat(copy("-a", "--skip-same").err()).contains("copied nothing; 5 files kept");
    }
  }

  @Test
  void aDryRunNamesWhatItWouldKeepOnlyIfEachFileIsAskedFor() {
    assertThat(copy("-a", "--skip-same", "--dry-run").out())
        .contains("replace " + source + "/longer")
        .doesNotContain("keep " + source + "/same");
    assertThat(copy("-a", "--skip-same", "--dry-run", "-v").out())
        .contains("keep " + source + "/same", "replace " + source + "/longer");
  }

  @Test
  void aDryRunKeepsFurtherNamesOfALinkOfAnotherTime() throws Exception {
    for (Path tree : new Path[] {source, target}) {
      Programs.run("ln", "-s", "same", tree + "/link");
      Programs.run(
          "touch", "-h", "-d", tree == source ? "2001-01-01" : "2002-02-02", tree + "/link");
      Programs.run("ln", "-P", tree + "/link", tree + "/second");
    }
    assertThat(copy("-a", "--skip-same", "--jobs=1", "--dry-run").out())
        .contains("correct attributes ")
        .doesNotContain("replace " + source + "/link", "replace " + source + "/second");
    assertThat(copy("-a", "--skip-same", "--jobs=1").err()).contains("3 files kept");
  }

  private static void file(Path file, String content, FileTime modified) throws IOException {
    Files.writeString(file, content);
    Files.setLastModifiedTime(file, modified);
  }

  private Cli.Result copy(String... options) {
    String[] arguments = new String[options.length + 3];
    arguments[0] = "copy";
    System.arraycopy(options, 0, arguments, 1, options.length);
    arguments[options.length + 1] = source + "/.";
    arguments[options.length + 2] = target.toString();
    return Cli.run(arguments);
  }
}
