package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `zcp report FILE...`, and `--report-file` of what it reads.
class ReportTest {

  private static final Map<String, String> UTF_8 = Map.of("LC_ALL", "C.UTF-8");

  private static final String HINT = " (zcp report reads what --json wrote)";

  @TempDir Path dir;

  private Path tree;
  private int copies;

  @BeforeEach
  void makeTree() throws IOException {
    tree = Files.createDirectory(dir.resolve("tree"));
    for (int i = 0; i < 120; i++) {
      Files.write(tree.resolve("f" + i), new byte[100 * i]);
    }
  }

  @Test
  void aSavedRunIsToldAsItWasToldThen() throws IOException {
    for (String form : List.of("line", "table", "full")) {
      Cli.Result live = copy("--json", "--report=" + form, "--verify=readback");
      Path saved = Files.writeString(dir.resolve("run.json"), live.out());
      Cli.Result told = Cli.run(UTF_8, "report", "--report=" + form, saved.toString());
      assertThat(told.exitCode()).isZero();
      // Before that it tells when, where and by which command, unless it is to be a line.
      assertThat(told.out()).endsWith(live.err());
      assertThat(told.out().equals(live.err())).isEqualTo(form.equals("line"));
    }
  }

  @Test
  void whatFailedComesLastAndOnce() throws IOException {
    Cli.Result live =
        Cli.run(
            UTF_8, "copy", "-r", "--json", tree + "", dir.resolve("none") + "", dir + "/tree/..");
    Path saved = Files.writeString(dir.resolve("run.json"), live.out());
    String none = "zcp: " + dir.resolve("none") + ": no such file or directory\n";
    Cli.Result told = Cli.run("report", saved.toString());
    assertThat(told.out()).endsWith(none).containsOnlyOnce(none);
  }

  @Test
  void filesThatDifferHaveNotFailed() throws IOException {
    assertThat(copy().exitCode()).isZero();
    Path target = dir.resolve("copy" + copies);
    Files.write(target.resolve("f7"), new byte[] {1});
    Files.delete(target.resolve("f8"));
    for (int i = 10; i < 120; i++) {
      Files.write(target.resolve("f" + i), new byte[] {1});
    }
    Path live = dir.resolve("live.html");
    String page = "--report-file=" + live;
    Cli.Result run =
        Cli.run(UTF_8, "copy", "-rT", "--verify-only", "--json", page, tree + "", target + "");
    String sentence = "compared 8 files";
    assertThat(run.err()).contains(sentence, "112 differ");
    Path saved = Files.writeString(dir.resolve("run.json"), run.out());
    assertThat(Cli.run(UTF_8, "report", "--report=line", saved.toString()).out())
        .contains(sentence, "112 differ")
        .doesNotContain("entries failed");
    // It knows the first hundred alone.
    assertThat(live).content().contains(sentence, "112 differ").doesNotContain("entries failed");
    assertThat(Cli.run("report", "--output=-", saved.toString()).out())
        .contains(sentence, "112 differ");
  }

  @Test
  void thePageOfARunIsTheOneThatTheRunWrites() throws IOException {
    Path live = dir.resolve("live.html");
    Cli.Result run = copy("--json", "--report-file=" + live);
    assertThat(run.exitCode()).as(run.err()).isZero();
    Path later = dir.resolve("later.html");
    Path saved = Files.writeString(dir.resolve("run.json"), run.out());
    assertThat(Cli.run("report", "--output=" + later, saved.toString()))
        .isEqualTo(new Cli.Result(0, "", ""));
    assertThat(later).hasSameTextualContentAs(live);
    assertThat(later).content().startsWith("<!DOCTYPE html>").contains("copied 120 files");
    assertThat(Cli.run("report", "--output=-", saved.toString()).out())
        .isEqualTo(Files.readString(live));
  }

  @Test
  void twoFilesOfSeveralRunsAreComparedAsTwoKinds() throws IOException {
    Path slow = dir.resolve("slow.json");
    Path fast = dir.resolve("fast.json");
    String run = copy("--json").out().lines().toList().getLast();
    for (int i = 1; i <= 3; i++) {
      append(slow, run.replaceAll("\"seconds\":[0-9.]+", "\"seconds\":2." + i));
      append(fast, run.replaceAll("\"seconds\":[0-9.]+", "\"seconds\":1." + i));
    }
    Cli.Result told = Cli.run(UTF_8, "report", slow.toString(), fast.toString());
    assertThat(told.exitCode()).as(told.err()).isZero();
    assertThat(told.out())
        .contains("fast.json is 83% faster than slow.json; the difference exceeds the spread\n")
        .containsPattern("slow.json +3 +0 +[0-9.]+ [KM]iB/s")
        .containsPattern("whole file +slow.json +360 ")
        .containsPattern("whole file +fast.json +360 ");
    append(fast, run.replaceAll("\"seconds\":[0-9.]+", "\"seconds\":2.2"));
    assertThat(Cli.run(UTF_8, "report", slow.toString(), fast.toString()).out())
        .contains("faster than slow.json; the difference may be chance\n");
    Path page = dir.resolve("page.html");
    assertThat(Cli.run("report", "--output=" + page, slow + "", fast + "").exitCode()).isZero();
    assertThat(page).content().contains("zcp: 7 runs", "the difference may be chance");
  }

  @Test
  void namesThatDifferInANumberAreOfOneKindUnlessAllDo() throws IOException {
    String run = copy("--json").out();
    List<String> words = new ArrayList<>(List.of("report"));
    for (String name : List.of("before1.json", "before-2.json", "after.json")) {
      boolean isAfter = name.startsWith("a");
      String timed = run.replaceAll("\"seconds\":[0-9.]+", "\"seconds\":" + (isAfter ? 20 : 2));
      words.add(Files.writeString(dir.resolve(name), timed).toString());
    }
    assertThat(Cli.run(words.toArray(String[]::new)).out())
        .containsPattern("before\\*.json +2 +0 ")
        .containsPattern("after.json +1 +0 ")
        .contains("after.json is 10.0 times slower than before*.json")
        .contains("with a single run that may be");
    assertThat(Cli.run(words.subList(0, 3).toArray(String[]::new)).out())
        .containsPattern("before1.json +1 +0 ")
        .contains("before-2.json is as fast as before1.json");
  }

  @Test
  void filesOfOneNameAreToldApartByTheirDirectories() throws IOException {
    String run = copy("--json").out();
    String one =
        Files.writeString(Files.createDirectory(dir.resolve("one")).resolve("run"), run) + "";
    String two =
        Files.writeString(Files.createDirectory(dir.resolve("two")).resolve("run"), run) + "";
    assertThat(Cli.run("report", one, two).out())
        .containsPattern("two/run is as fast as \\S+one/run");
  }

  @Test
  void whatIsNoSavedRunIsToldInOneLine() throws IOException {
    String run = copy("--json").out();
    assertBad("", "is empty");
    assertBad("no JSON\n", "line 1 is not JSON" + HINT);
    assertBad("[1]\n", "line 1 is not a JSON object" + HINT);
    assertBad("{\"a\":1}\n", "line 1 is not an event" + HINT);
    assertBad("{\"event\":\"login\"}\n", "has no result of 'zcp --json'");
    assertBad(
        run.lines().findFirst().orElseThrow() + "\n", "is cut short: a run in it has no result");
    int lines = (int) run.lines().count();
    assertBad(run.substring(0, run.length() - 9), "is cut short at line " + lines);
    assertBad(
        run.replaceAll("(\"files\":)120", "$1-120"),
        "line " + lines + " has no proper 'files'" + HINT);
    assertBad(
        run.replaceAll("(\"commandLine\":)", "$10,\"old\":"),
        "line " + lines + " has no proper 'commandLine'" + HINT);
    assertBad(
        run.replaceAll("(\"maxNs\":)[0-9]+", "$1" + Long.MAX_VALUE),
        "line " + lines + " has no proper 'histogram'" + HINT);
  }

  /// As of a receiver that was stopped during a session.
  @Test
  void ofAFileThatIsCutShortTheRunsWithAResultAreShown() throws IOException {
    String run = copy("--json").out();
    String another = run.lines().findFirst().orElseThrow() + "\n";
    Path saved = Files.writeString(dir.resolve("run.json"), run + another);
    Cli.Result told = Cli.run("report", saved.toString());
    assertThat(told.out()).contains("120 files");
    assertThat(told.err())
        .isEqualTo(
            "zcp: "
                + saved
                + ": is cut short: a run in it has no result (its other runs are shown)\n");
    assertThat(told.exitCode()).isZero();
    Files.writeString(saved, run + run.substring(0, run.length() - 9));
    told = Cli.run("report", saved.toString());
    assertThat(told.out()).contains("120 files");
    assertThat(told.err()).contains(": is cut short at line ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"readCalls", "writeCalls", "deviceReadBytes"})
  void callsOfWhichOneIsUnknownAreLeftOut(String unknown) throws IOException {
    String run = copy("--json").out();
    String changed = run.replaceAll("(\"" + unknown + "\":)[0-9]+", "$1null");
    Path saved = Files.writeString(dir.resolve("run.json"), changed);
    Cli.Result told = Cli.run("report", "--report=full", saved.toString());
    assertThat(told.err()).isEmpty();
    assertThat(told.out()).contains("process: ").doesNotContain("read from a device");
    Cli.Result page = Cli.run("report", "--output=-", saved.toString());
    assertThat(page.err()).isEmpty();
  }

  /// A line without an end must not fill the memory.
  @Test
  void aHugeFileIsRefusedAtItsFirstLine() throws IOException {
    Path huge = dir.resolve("huge.json");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(1L << 40);
    }
    Cli.Result told = Cli.run("report", huge.toString());
    assertThat(told.exitCode()).isEqualTo(3);
    assertThat(told.err())
        .isEqualTo("zcp: " + huge + ": line 1 is too long for an event of 'zcp --json'\n");
  }

  /// `{}` takes three bytes in a file, and thirty times that in memory.
  @Test
  void aFileOfCountlessEmptyValuesIsRefusedBeforeItFillsTheMemory() throws IOException {
    String run = copy("--json").out().lines().toList().getLast();
    String more = run.substring(0, run.length() - 1) + ",\"x\":[" + "{},".repeat(1_200_000) + "0]}";
    Path saved = dir.resolve("many.json");
    append(saved, more);
    append(saved, more);
    assertThat(Cli.run("report", saved.toString()))
        .isEqualTo(new Cli.Result(3, "", "zcp: " + saved + ": has more than can be compared\n"));
  }

  @Test
  void endlessMessagesOfFailuresAreCountedAndNotKept() throws IOException {
    String run = copy("--json").out();
    String message = "{\"event\":\"fileFailed\",\"message\":\"" + "m".repeat(1 << 20) + "\"}\n";
    Path saved = Files.writeString(dir.resolve("failed.json"), message.repeat(9) + run);
    Cli.Result told = Cli.run("report", saved.toString());
    assertThat(told.exitCode()).as(told.err()).isZero();
    assertThat(told.out().lines().filter(line -> line.startsWith("zcp: mmm"))).hasSize(4);
  }

  @Test
  void aSavedRunCannotCommandTheTerminalThatComparesIt() throws IOException {
    String run = copy("--json").out();
    Path evil =
        Files.writeString(
            dir.resolve("evil.json"),
            run.replace("\"side\":\"local\"", "\"side\":\"\\u001b[31m\""));
    Path good = Files.writeString(dir.resolve("good.json"), run);
    Cli.Result told = Cli.run("report", good.toString(), evil.toString());
    assertThat(told.out()).doesNotContain("\u001b").contains("\\x1b[31m");
  }

  @Test
  void thePageIsNeverWrittenOverWhatIsRead() throws IOException {
    Path saved = Files.writeString(dir.resolve("run.json"), copy("--json").out());
    Cli.Result told = Cli.run("report", "--output=" + saved, saved.toString());
    assertThat(told.exitCode()).isEqualTo(2);
    assertThat(saved).content().startsWith("{");
  }

  private void assertBad(String text, String what) throws IOException {
    Path saved = Files.writeString(dir.resolve("bad.json"), text);
    assertThat(Cli.run("report", saved.toString()))
        .isEqualTo(new Cli.Result(3, "", "zcp: " + saved + ": " + what + "\n"));
  }

  private static void append(Path file, String line) throws IOException {
    String before = Files.exists(file) ? Files.readString(file) : "";
    Files.writeString(file, before + line + "\n");
  }

  private Cli.Result copy(String... options) {
    List<String> words = new ArrayList<>(List.of("copy", "-r"));
    words.addAll(List.of(options));
    words.addAll(List.of(tree.toString(), dir.resolve("copy" + ++copies).toString()));
    return Cli.run(UTF_8, words.toArray(String[]::new));
  }
}
