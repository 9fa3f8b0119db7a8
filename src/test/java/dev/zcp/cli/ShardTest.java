package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `zcp copy --shard=DIR/I`, `zcp plan --status` and `zcp plan --finish`.
class ShardTest {

  private static final int SHARDS = 3;
  private static final FileTime THEN = FileTime.from(Instant.parse("2021-02-03T04:05:06.789Z"));

  @TempDir Path dir;

  private Path source;
  private Path target;
  private Path plan;

  @BeforeEach
  void makePlan() throws IOException {
    source = Files.createDirectory(dir.resolve("source"));
    target = dir.resolve("target");
    plan = dir.resolve("plan");
    for (int i = 0; i < 30; i++) {
      Path file = source.resolve("d" + i % 4 + "/sub/" + i);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "file " + i);
    }
    Files.createLink(source.resolve("d1/other name"), source.resolve("d0/sub/0"));
    Files.createDirectories(source.resolve("empty/empty"));
    Files.createSymbolicLink(source.resolve("link"), Path.of("nowhere"));
    for (String each : List.of("d0/sub/0", "d0/sub", "d0", "d1/sub", "empty/empty", "empty", "")) {
      Files.setLastModifiedTime(source.resolve(each), THEN);
    }
    permit(source.resolve("d0/sub"), "r-xr-x---");
    permit(source.resolve("empty"), "r-xr-xr-x");
    assertThat(zcp("plan", source + "", "--shards=" + SHARDS, "--output=" + plan)).isZero();
  }

  @AfterEach
  void letAllBeDeleted() throws IOException {
    Programs.run("chmod", "-R", "u+rwx", dir.toString());
  }

  @Test
  void theStatusHasTheSamplesOfAllShards() throws IOException {
    long samples = 0;
    for (int i = 0; i < SHARDS; i++) {
      assertThat(zcp("copy", "-q", "--shard=" + plan.resolve("" + i), target + "")).isZero();
      samples += samplesOf(Files.readString(plan.resolve("results/" + i + ".json")));
    }
    assertThat(samples).isGreaterThanOrEqualTo(30);
    assertThat(samplesOf(Cli.run("plan", "--status", "--json", plan + "").out()))
        .isEqualTo(samples);
    assertThat(Cli.run("plan", "--status", plan + "").out())
        .containsPattern("\nlatency +count .*\n(.*\n)*whole file +" + samples + " ");
  }

  private static long samplesOf(String json) {
    Matcher matcher = Pattern.compile("\"file\":\\{\"count\":([0-9]+)").matcher(json);
    assertThat(matcher.find()).as(json).isTrue();
    return Long.parseLong(matcher.group(1));
  }

  @Test
  void allShardsInAnyOrderAndTheFinishAreOneCopyAsCpMakesIt() throws IOException {
    for (int shard : new int[] {2, 0, 1}) {
      assertThat(copy(shard).exitCode()).isZero();
    }
    // Else nobody but root could copy another shard to it.
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target("d0/sub"))))
        .isEqualTo("rwxr-x---");
    assertThat(zcp("plan", "-q", "--finish", plan + "", target + "")).isZero();
    assertIsAsCpMakesIt();
    assertThat(Cli.run("plan", "--status", plan + "").out()).contains("finished: yes\n");
  }

  /// It would be made, without any file, and the directories of the right target would stay as they
  /// are.
  @Test
  void theFinishOfAnotherTargetThanThatOfTheShardsFails() throws IOException {
    for (int i = 0; i < SHARDS; i++) {
      assertThat(copy(i).exitCode()).isZero();
    }
    Path wrong = target("wrong");
    Cli.Result result = Cli.run("plan", "-q", "--finish", plan + "", wrong + "");
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(result.err())
        .isEqualTo(
            "zcp: "
                + wrong
                + ": no such directory (name the TARGET that the shards were copied to)\n");
    assertThat(wrong).doesNotExist();
    assertThat(Cli.run("plan", "--status", plan + "").out()).contains("finished: no\n");
  }

  @Test
  void aShardThatRunsAgainCopiesOnlyWhatIsMissing() throws IOException {
    copy(0);
    copy(1);
    copy(2);
    Files.delete(target("d1/sub/1"));
    Files.writeString(target("d1/sub/5"), "something else");
    for (int i = 0; i < SHARDS; i++) {
      assertThat(copy(i).exitCode()).isZero();
    }
    assertThat(zcp("plan", "-q", "--finish", plan + "", target + "")).isZero();
    assertIsAsCpMakesIt();
    // 31 names of 30 files and a link: two were copied again.
    assertThat(Cli.run("plan", "--status", plan + "").out())
        .contains("copied:   2 files, ", "; 30 were there\n");
  }

  @Test
  void twoProcessesMayRunOneShard() throws IOException {
    List<CompletableFuture<Cli.Result>> runs = new ArrayList<>();
    for (int i = 0; i < 2 * SHARDS; i++) {
      int shard = i / 2;
      runs.add(CompletableFuture.supplyAsync(() -> copy(shard)));
    }
    for (CompletableFuture<Cli.Result> run : runs) {
      assertThat(run.join()).returns(0, Cli.Result::exitCode);
    }
    assertThat(zcp("plan", "-q", "--finish", plan + "", target + "")).isZero();
    assertIsAsCpMakesIt();
  }

  @Test
  void theFinishDeletesWhatKilledCopiesLeftAndNothingElse() throws IOException {
    for (int i = 0; i < SHARDS; i++) {
      copy(i);
    }
    Path left = Files.writeString(target("d2/.zcp-0123456789abcdef.part"), "half");
    Path other = Files.writeString(target("d2/.zcp-mine.part"), "not of zcp");
    assertThat(zcp("plan", "-q", "--finish", plan + "", target + "")).isZero();
    assertThat(left).doesNotExist();
    Files.delete(other);
    Files.setLastModifiedTime(target("d2"), Files.getLastModifiedTime(source.resolve("d2")));
    assertIsAsCpMakesIt();
  }

  @Test
  void thereIsNoFinishBeforeAllShardsAreDone() throws IOException {
    copy(1);
    Cli.Result early = Cli.run("plan", "--finish", plan + "", target + "");
    assertThat(early)
        .isEqualTo(
            new Cli.Result(
                1, "", "zcp: " + plan + ": these shards are not done: 0,2 (copy them first)\n"));
    assertThat(zcp("copy", "-q", "--shard=" + plan + "/directories", target + "")).isEqualTo(1);
  }

  @Test
  void theStatusTellsDoneFailedAndMissingShards() throws IOException {
    copy(0);
    List<String> names = List.of(Files.readString(plan.resolve("2")).split("\0"));
    Files.delete(source.resolve(names.getFirst()));
    assertThat(copy(2).exitCode()).isNotZero();
    Cli.Result status = Cli.run("plan", "--status", plan + "");
    assertThat(status.exitCode()).isEqualTo(1);
    assertThat(status.out())
        .contains("shards:   1 done, 1 failed, 1 missing\n", "to run:   1-2\n", "\nshard 2: exit");
    assertThat(Cli.run("plan", "--status", "--json", plan + "").out())
        .contains("\"done\":1,\"failed\":[{\"shard\":2,\"exitCode\":", "\"missing\":[1]")
        .contains("\"finished\":false,");
  }

  @Test
  void aResultIsThatOfJson() throws IOException {
    copy(0);
    assertThat(Files.readAllLines(plan.resolve("results/0.json")))
        .hasSize(2)
        .anyMatch(line -> line.startsWith("{\"event\":\"shard\",\"shard\":\"0\",\"host\":\""))
        .anyMatch(line -> line.startsWith("{\"event\":\"result\",\"command\":\"copy\""));
    try (Stream<Path> results = Files.list(plan.resolve("results"))) {
      assertThat(results).hasSize(1);
    }
  }

  @Test
  void aResultThatCannotBeKeptIsAFailure() throws IOException {
    Files.writeString(plan.resolve("results"), "in the way");
    Cli.Result result = copy(0);
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(result.err())
        .contains("already exists (the shard is copied, but its plan does not know of it)");
    String first = Files.readString(plan.resolve("1")).split("\0")[0];
    Files.delete(source.resolve(first));
    result = copy(1);
    assertThat(result.exitCode()).isNotIn(0, 4);
    assertThat(result.err()).endsWith(": already exists (its plan does not know of it)\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"format\":2}",
        "{\"format\":1}",
        "{\"format\":1,\"source\":\"relative\",\"shards\":3,\"entries\":1,\"bytes\":1}",
        "{\"format\":1,\"source\":\"http://x/\",\"shards\":3,\"entries\":1,\"bytes\":1}",
        "{\"format\":1,\"source\":\"file:///x\",\"shards\":99999999,\"entries\":1,\"bytes\":1}",
        "{\"format\":1,\"source\":\"file:///x\",\"shards\":3,\"entries\":-1,\"bytes\":1}",
        "{\"format\":{\"format\":1}}"
      })
  void aDamagedPlanIsRefusedInOneLine(String text) throws IOException {
    Files.writeString(plan.resolve("plan.json"), text);
    Cli.Result result = copy(0);
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).startsWith("zcp: " + plan + "/plan.json: ").hasLineCount(1);
    assertThat(target).doesNotExist();
  }

  /// A FIFO or a device could keep zcp waiting, or have no end.
  @ParameterizedTest
  @ValueSource(strings = {"plan.json", "0", "results/0.json"})
  void whatIsNoRegularFileIsNotRead(String name) throws IOException {
    copy(0);
    Path file = plan.resolve(name);
    Files.delete(file);
    Files.createSymbolicLink(file, Path.of("/dev/null"));
    boolean isList = name.equals("0");
    Cli.Result result = isList ? copy(0) : Cli.run("plan", "--status", plan + "");
    assertThat(result.exitCode()).isEqualTo(3);
    assertThat(result.err()).isEqualTo("zcp: " + file + ": is not a regular file\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../secret", "/etc/passwd", "d1/../../secret"})
  void aListThatLeadsOutOfTheSourceCopiesNothingFromThere(String name) throws IOException {
    Files.writeString(dir.resolve("secret"), "secret");
    Files.writeString(plan.resolve("0"), name + "\0\0");
    assertThat(copy(0).exitCode()).isEqualTo(3);
    try (Stream<Path> all = Files.walk(target)) {
      assertThat(all).noneMatch(Files::isRegularFile);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "d1/sub/1\0", "d1/sub/1\0d1/sub/2"})
  void aListThatIsCutShortIsNoDoneShard(String list) throws IOException {
    Files.writeString(plan.resolve("0"), list);
    Cli.Result result = copy(0);
    assertThat(result.exitCode()).isNotZero();
    assertThat(Cli.run("plan", "--status", plan + "").out()).contains("shards:   0 done, 1 failed");
    assertThat(result.err()).contains("zcp: " + plan + "/0: is cut short (make the plan again)\n");
  }

  /// It still ends as a list does.
  @ParameterizedTest
  @ValueSource(strings = {"0", "directories"})
  void aListThatLostANameInTheMiddleIsNoDoneShard(String name) throws IOException {
    if (!name.equals("0")) {
      for (int i = 0; i < SHARDS; i++) {
        assertThat(copy(i).exitCode()).isZero();
      }
    }
    String list = Files.readString(plan.resolve(name));
    Files.writeString(plan.resolve(name), list.substring(list.indexOf('\0') + 1));
    Cli.Result result =
        name.equals("0") ? copy(0) : Cli.run("plan", "--finish", plan + "", target + "");
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.err())
        .contains("/" + name + ": is not the list that was planned (make the plan again)\n");
    assertThat(Cli.run("plan", "--status", plan + "").out())
        .contains(name.equals("0") ? "shards:   0 done, 1 failed" : "finished: no");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"seconds\":1e2147483647",
        "\"seconds\":-1",
        "\"seconds\":\"NaN\"",
        "\"started\":\"-999999999-01-01T00:00:00Z\"",
        "\"ended\":\"+999999999-12-31T23:59:59Z\"",
        "\"ended\":7"
      })
  void aDamagedResultIsToldInOneLine(String field) throws IOException {
    copy(0);
    Path result = plan.resolve("results/0.json");
    String name = field.substring(0, field.indexOf(':') + 1);
    String whole = Files.readString(result);
    Files.writeString(result, whole.replaceAll(name + "[^,}]*", field));
    Cli.Result status = Cli.run("plan", "--status", plan + "");
    assertThat(status.exitCode()).isEqualTo(3);
    assertThat(status.err())
        .isEqualTo(
            "zcp: "
                + result
                + ": has no proper '"
                + name.substring(1, name.length() - 2)
                + "' (copy the shard again)\n");
    copy(0);
    assertThat(Cli.run("plan", "--status", plan + "").out()).contains("shards:   1 done");
  }

  @Test
  void sumsOfTheStatusNeverTurnNegative() throws IOException {
    for (int i = 0; i < SHARDS; i++) {
      copy(i);
      Path result = plan.resolve("results/" + i + ".json");
      String huge = Files.readString(result).replaceAll("\"kept\":0", "\"kept\":" + Long.MAX_VALUE);
      Files.writeString(result, huge);
    }
    Cli.Result status = Cli.run("plan", "--status", "--json", plan + "");
    assertThat(status.out()).contains("\"kept\":" + Long.MAX_VALUE);
  }

  private Cli.Result copy(int shard) {
    return Cli.run("copy", "-q", "--shard=" + plan + "/" + shard, target.toString());
  }

  private static int zcp(String... words) {
    Cli.Result result = Cli.run(words);
    assertThat(result.exitCode()).as(result.err()).isIn(0, 1);
    return result.exitCode();
  }

  private Path target(String name) {
    return target.resolve(name);
  }

  private void assertIsAsCpMakesIt() throws IOException {
    Path cp = dir.resolve("cp");
    Programs.run("cp", "-a", source.toString(), cp.toString());
    assertThat(TreeSnapshot.of(cp).differences(TreeSnapshot.of(target))).isEmpty();
  }

  private static void permit(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }
}
