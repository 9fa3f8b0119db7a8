package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.zcp.bench.BenchRequest;
import dev.zcp.bench.BenchRequest.CellGroup;
import dev.zcp.bench.Cell;
import dev.zcp.bench.Content;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What each command line asks of the benchmark.
class BenchRequestTest {

  @Test
  void anExperimentAloneIsTenRunsInThisDirectory() throws Failure {
    BenchRequest request = request("copy");
    assertThat(titles(request)).containsExactly("copy 256 MiB, warm");
    assertThat(request.directory()).isEqualTo(RawPath.of("."));
    assertThat(request.file()).isNull();
    assertThat(request.content()).isEqualTo(Content.ContentKind.RANDOM);
    assertThat(request.runs()).isEqualTo(10);
    assertThat(request.cellTimeNs()).isEqualTo(TimeUnit.SECONDS.toNanos(60));
    assertThat(request.strace()).isFalse();
    assertThat(request.command()).isEqualTo("zcp bench copy");
    assertThat(request.zcpVersion()).isEqualTo(Version.NUMBER);
  }

  @Test
  void seedsDifferUnlessOneIsGiven() throws Failure {
    assertThat(List.of(request("copy").seed(), request("copy").seed(), request("copy").seed()))
        .as("three draws out of a million are all alike once in 10^12")
        .anyMatch(seed -> seed != requestSeed("--seed=5"));
    assertThat(requestSeed("--seed=0")).isZero();
    assertThat(requestSeed("--seed=9223372036854775807")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void allIsEveryExperimentOnceInItsOrder() throws Failure {
    assertThat(titles(request("--size=1M", "force", "all")))
        .containsExactly(
            "read 1.00 MiB, warm",
            "write 1.00 MiB",
            "copy 1.00 MiB, warm",
            "send 1.00 MiB, warm",
            "receive 1.00 MiB",
            "force 1.00 MiB");
    assertThat(titles(request("--size=1M", "READ", "copy", "read")))
        .containsExactly("read 1.00 MiB, warm", "copy 1.00 MiB, warm");
  }

  @Test
  void listsAreWordsBetweenCommasOrTheOptionAgainAndEachCountsOnce() throws Failure {
    assertThat(
            cells(
                "--strategy=SENDFILE,file-stream",
                "--strategy=transferTo",
                "--chunk-size=4K, 4096,WHOLE",
                "--size=1M",
                "copy"))
        .extracting(Cell::contender, Cell::chunkBytes)
        .containsExactly(
            tuple("transferTo", 4096L),
            tuple("transferTo", Choice.WHOLE),
            tuple("fileStream", 4096L),
            tuple("fileStream", Choice.WHOLE));
  }

  @Test
  void autoIsAContenderLikeOthers() throws Failure {
    assertThat(cells("--strategy=AUTO", "--chunk-size=1M", "copy"))
        .extracting(Cell::contender)
        .containsExactly("auto");
  }

  @Test
  void cachesAreInTheOrderInWhichTheyAreAskedFor() throws Failure {
    assertThat(cells("--strategy=heap", "--chunk-size=1M", "--cache=cold,warm", "read"))
        .extracting(Cell::cache)
        .containsExactly(Cell.Cache.COLD, Cell.Cache.WARM);
  }

  @Test
  void everyOptionOfARunArrives() throws Failure {
    BenchRequest request =
        request(
            "--runs=1000",
            "--cell-time=2m",
            "--dir=/mnt",
            "--content=holes",
            "--strace",
            "--seed=7",
            "read");
    assertThat(request.runs()).isEqualTo(1000);
    assertThat(request.cellTimeNs()).isEqualTo(TimeUnit.MINUTES.toNanos(2));
    assertThat(request.directory()).isEqualTo(RawPath.of("/mnt"));
    assertThat(request.content()).isEqualTo(Content.ContentKind.HOLES);
    assertThat(request.strace()).isTrue();
    assertThat(request.seed()).isEqualTo(7);
  }

  @Test
  void aFileOfTheUsersOwnNamesItsGroups() throws Failure {
    BenchRequest request = request("--file=/data/disk.img", "read", "send");
    assertThat(request.file()).isEqualTo(RawPath.of("/data/disk.img"));
    assertThat(titles(request))
        .containsExactly("read /data/disk.img, warm", "send /data/disk.img, warm");
  }

  @Test
  void aSocketBufferIsAskedForWhereThereIsASocketInArticlesToo() throws Failure {
    assertThat(cells("--socket-buffer=64K", "--article=B", "--size-scale=0.5", "read", "send"))
        .allSatisfy(
            cell ->
                assertThat(cell.socketBufferBytes())
                    .isEqualTo(cell.experiment().needsSocket() ? 65536 : 0));
    assertThat(cells("--socket-buffer=1G", "--size=1M", "send").getFirst().socketBufferBytes())
        .isEqualTo(1 << 30);
  }

  @Test
  void articlesStandInTheOrderOfTheirNamesAsTyped() throws Failure {
    assertThat(titles(request("--article=b,a1", "--article=B")))
        .containsExactly(
            "article B: send 8 MB to a server that reads 2048 bytes at a time",
            "article A1: read 290 MB");
    assertThat(titles(request("--article=all"))).hasSizeGreaterThan(30);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 4194304", ".5, 4194304", "1, 8388608", "1., 8388608", "2, 16777216"})
  void aScaleIsADecimalNumber(String factor, long fileBytes) throws Failure {
    assertThat(cells("--article=B", "--size-scale=" + factor).getFirst().fileBytes())
        .isEqualTo(fileBytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1e3", "0x1p3", "1d", "NaN", ".", "", "1.0.0", "1000.1", "١"})
  void aScaleIsNothingElse(String factor) {
    assertUsage("--size-scale", "--article=B", "--size-scale=" + factor);
  }

  /// Each is said in one line, and is the user's mistake.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--runs | --runs=0 read",
        "--runs | --runs=1001 read",
        "--runs | --runs=1.5 read",
        "--runs | --runs= read",
        "--seed | --seed=9223372036854775808 read",
        "--cell-time | --cell-time=0s read",
        "--size | --size=0K read",
        "--size | --size=1.5M read",
        "--size | --size=99999999999G read",
        "--size | --size=, read",
        "--chunk-size | --chunk-size=all read",
        "--strategy | --strategy=cp read",
        "--cache | --cache=luke read",
        "--content | --content= read",
        "--progress | --progress=maybe read",
        "--socket-buffer | --socket-buffer=0 send",
        "--socket-buffer | --socket-buffer=1073741825 send",
        "--socket-buffer | --socket-buffer=1M --article=A1",
        "--article | --article=F",
        "EXPERIMENT | rest",
        "--size-scale | --size-scale=0.5 read",
        "--strategy | --strategy=direct --article=B",
        "--chunk-size | --chunk-size=1K --article=B",
        "--cache | --cache=cold receive",
        "--file | --file=f --article=B",
        "--file | --file=f all",
        "--size | --file=f --size=1M read",
        "--content | --file=f --content=random read",
        "empty path | --dir= read",
        "empty path | --html= read",
      })
  void whatIsWrongIsSaidInOneLine(String about, String words) {
    assertUsage(about, words.split(" "));
  }

  private static void assertUsage(String about, String... words) {
    assertThatThrownBy(() -> all(words))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageContaining(about)
        .hasMessageNotContaining("\n");
  }

  private static List<String> titles(BenchRequest request) {
    return request.groups().stream().map(CellGroup::title).toList();
  }

  private static List<Cell> cells(String... words) throws Failure {
    return request(words).groups().stream().flatMap(group -> group.cells().stream()).toList();
  }

  private static long requestSeed(String option) {
    try {
      return request(option, "copy").seed();
    } catch (Failure e) {
      throw new AssertionError(e);
    }
  }

  private static BenchRequest request(String... words) throws Failure {
    BenchCommand command = parsed(words);
    return command.request();
  }

  private static void all(String... words) throws Failure {
    BenchCommand command = parsed(words);
    command.request();
    command.reports.page();
    command.reports.progress();
  }

  private static BenchCommand parsed(String... words) throws Failure {
    BenchCommand command = new BenchCommand();
    Parser.parse(command, Arguments.of(words), null);
    return command;
  }
}
