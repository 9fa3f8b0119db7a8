package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.TransferStrategy;
import dev.zcp.testing.Cli;
import dev.zcp.testing.IdleStrategy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Real benchmarks, as small as they can be: where their findings go, and what is left behind.
@Timeout(300)
class BenchCommandTest {

  /// Two cells, with the least that they can be run.
  private static final List<String> SMALL =
      List.of("--size=64K", "--runs=1", "--strategy=direct,heap", "--chunk-size=4K");

  @TempDir Path folder;

  private Path made;

  @BeforeEach
  void makeADirectoryToMeasure() throws IOException {
    made = Files.createDirectory(folder.resolve("made"));
  }

  @Test
  void theTableGoesToStandardOutputAndTheSeedToStandardError() {
    Cli.Result result = bench("read");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).startsWith("read 64.0 KiB, warm").contains("direct", "heap");
    assertThat(result.err())
        .matches(
            "zcp: takes at most 60.0 s \\(--time\\); --seed=\\d+ repeats the order of the runs\n"
                + "(zcp: .*\n)*");
  }

  @Test
  void nothingIsLeftOfTheFilesThatWereMade() {
    assertThat(bench("all").exitCode()).isZero();
    assertThat(made).isEmptyDirectory();
  }

  @Test
  void quietIsTheTableAndNothingElse() {
    Cli.Result result = bench("-q", "read");
    assertThat(result.out()).startsWith("read 64.0 KiB, warm");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void jsonHasOneObjectForEachCellAndTheTableGoesToStandardError() {
    Cli.Result result = bench("--json", "read", "write");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out().lines()).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    assertThat(result.out().lines().filter(line -> line.contains("\"kind\":\"cell\"")))
        .hasSize(4)
        .allMatch(line -> line.contains("\"checked\":true"));
    assertThat(result.err()).contains("read 64.0 KiB, warm").contains("write 64.0 KiB");
    Cli.Result quiet = bench("--json", "-q", "read");
    assertThat(quiet.err()).isEmpty();
    assertThat(quiet.out()).contains("\"kind\":\"cell\"");
  }

  @Test
  void theCommandIsKeptSoThatItCanBeRepeated() {
    Cli.Result result = bench("--json", "-q", "--seed=7", "--cache=warm", "read", "read");
    assertThat(result.out())
        .contains(
            "\"command\":\"zcp bench --strategy=direct,heap --chunk-size=4K --size=64K"
                + " --cache=warm --runs=1 --seed=7 --dir="
                + made
                + " --json --quiet read read\"")
        .contains("\"seed\":7,");
  }

  @Test
  void aPageIsWrittenBesideTheTable() {
    Path page = folder.resolve("page.html");
    assertThat(bench("--json", "-q", "--html=" + page, "read").exitCode()).isZero();
    assertThat(page).content().startsWith("<!DOCTYPE html>");
  }

  @Test
  void progressIsDrawnBetweenRunsAndErasedAtTheEnd() {
    Cli.Result result = bench("--progress=always", "-q", "--seed=1", "read");
    assertThat(result.err()).startsWith("  0%  0/4 runs  -:-- left  read ").endsWith("\r\u001b[K");
    assertThat(result.err().split("\r\u001b\\[K")).allMatch(line -> line.length() < 80);
  }

  @Test
  void aFileOfTheUsersOwnIsReadAndStaysAsItIs() throws IOException {
    Path file = Files.writeString(folder.resolve("own"), "some text\n".repeat(1000));
    Cli.Result result =
        Cli.run(
            "bench",
            "-q",
            "--runs=1",
            "--strategy=direct",
            "--dir=" + made,
            "--file=" + file,
            "copy");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).startsWith("copy " + file + ", warm");
    assertThat(file).hasContent("some text\n".repeat(1000));
    assertThat(made).isEmptyDirectory();
  }

  @Test
  void aStrategyThatOnlySaysThatItMovedTheBytesEndsWithCode7AndNoTime() throws IOException {
    Cli.Result result =
        Cli.run(
            "bench",
            "--size=64K",
            "--runs=1",
            "--dir=" + made,
            "--chunk-size=4K",
            "--strategy-path=" + jarOf(IdleStrategy.class),
            "--strategy=direct,idle",
            "copy");
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.out())
        .containsPattern("! *idle +4K +FAILED: ")
        .containsPattern("direct +4K +\\d");
    assertThat(result.err().lines().toList().getLast())
        .startsWith("zcp: copy 64.0 KiB, warm: idle 4.00 KiB: ");
    assertThat(made).isEmptyDirectory();
  }

  @Test
  void aStrategyThatCannotServeIsNoFailure() {
    Cli.Result result = bench("--strategy=reflink", "read");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("not here: reflink 4K: needs a file at both ends");
  }

  @Test
  void whereNoStrategyThatWasNamedCanServeTheCodeIs10() {
    Cli.Result result =
        Cli.run("bench", "--json", "--size=64K", "--dir=" + made, "--strategy=reflink", "read");
    assertThat(result.exitCode()).isEqualTo(10);
    assertThat(result.out()).contains("\"exitCode\":10}");
    assertThat(result.err())
        .containsOnlyOnce("not here: ")
        .contains("not here: reflink own, reflink 4K, ", "a file at both ends")
        .endsWith("zcp: nothing was measured: what was asked for cannot be done here\n");
  }

  @Test
  void aDirectoryThatIsNoneOrHasNoSpaceIsCode4() throws IOException {
    assertThat(bench("--dir=" + folder.resolve("none"), "read").exitCode()).isEqualTo(4);
    Cli.Result tooLarge = bench("--size=8000000G", "read");
    assertThat(tooLarge.exitCode()).isEqualTo(4);
    assertThat(tooLarge.err()).contains("no space");
    assertThat(made).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A1", "A2", "A3", "B", "D", "E"})
  void theTableOfAnArticleRunsSmallWithItsFiguresBeside(String article) {
    Cli.Result result =
        Cli.run(
            "bench",
            "-q",
            "--runs=1",
            "--dir=" + made,
            "--size-scale=0.0001",
            "--article=" + article);
    assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("article " + article + ": ", "the article's figures");
    assertThat(made).isEmptyDirectory();
  }

  @Test
  void anArticleComesAfterTheExperimentsBesideIt() {
    Cli.Result result = bench("--article=B", "--size-scale=0.01", "read");
    assertThat(result.out()).containsSubsequence("read 64.0 KiB, warm", "article B: send 8 MB");
  }

  private Cli.Result bench(String... words) {
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(SMALL);
    all.add("--dir=" + made);
    all.addAll(Arrays.asList(words));
    return Cli.run(Map.of("LC_ALL", "C.UTF-8"), all.toArray(String[]::new));
  }

  /// A jar that names a strategy of the tests' own class path.
  private Path jarOf(Class<? extends TransferStrategy> strategy) throws IOException {
    Path path = folder.resolve("strategy.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(path))) {
      jar.putNextEntry(new JarEntry("META-INF/services/" + TransferStrategy.class.getName()));
      jar.write((strategy.getName() + "\n").getBytes(StandardCharsets.UTF_8));
      jar.closeEntry();
    }
    return path;
  }
}
