package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.spi.Model;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import dev.zcp.strategy.HeapStrategy;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TreeCopyTest {

  @TempDir Path dir;

  private final List<String> told = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private byte[] in = "typed".getBytes(StandardCharsets.UTF_8);
  private Path a;
  private Path b;
  private Path into;

  @BeforeEach
  void makeFiles() throws IOException {
    a = Files.writeString(dir.resolve("a"), "content of a");
    b = Files.writeString(dir.resolve("b"), "content of b");
    into = Files.createDirectory(dir.resolve("into"));
  }

  @Test
  void oneFileGoesToAFileAndSeveralGoIntoADirectory() throws Exception {
    Path c = dir.resolve("c");
    assertThat(copy(List.of(a), c).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(c).hasSameBinaryContentAs(a);

    Result result = copy(List.of(a, b), into);
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(result.filesDone()).isEqualTo(2);
    assertThat(into.resolve("a")).hasSameBinaryContentAs(a);
    assertThat(into.resolve("b")).hasSameBinaryContentAs(b);
    assertThat(names(into)).containsExactly("a", "b");
  }

  @Test
  void eachOperationOnAFileIsASample() throws Exception {
    Map<Stage, Latencies> stages = copy(List.of(a, b), into).stages();
    for (Stage stage :
        List.of(Stage.OPEN, Stage.CREATE, Stage.METADATA, Stage.PUBLISH, Stage.FILE)) {
      assertThat(stages).containsKey(stage);
      assertThat(stages.get(stage).count()).as(stage.label()).isEqualTo(2);
    }
    assertThat(stages).as("nothing was asked for").doesNotContainKey(Stage.FLUSH);
  }

  @Test
  void severalFilesNeedADirectory() throws Exception {
    Path c = dir.resolve("c");
    assertThat(copy(List.of(a, b), c).exitCode()).isEqualTo(ExitCode.DESTINATION);
    assertThat(copy(List.of(a, b), a).exitCode()).isEqualTo(ExitCode.DESTINATION);
    assertThat(c).doesNotExist();
    assertThat(a).hasContent("content of a");
  }

  @Test
  void aTargetThatCanOnlyBeADirectoryMustBeOne() throws Exception {
    assertThat(copy(List.of(raw(a)), RawPath.of(dir + "/c/")).exitCode())
        .isEqualTo(ExitCode.DESTINATION);
    assertThat(copy(List.of(raw(a)), RawPath.of(b + "/")).exitCode())
        .isEqualTo(ExitCode.DESTINATION);
    assertThat(b).hasContent("content of b");
    assertThat(copy(List.of(raw(a)), RawPath.of(into + "/")).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(into.resolve("a")).exists();
  }

  @Test
  void aSourceThatCanOnlyBeADirectoryIsNoFile() throws Exception {
    Result result = copy(List.of(RawPath.of(a + "/")), raw(dir.resolve("c")));
    assertThat(result.exitCode()).isEqualTo(ExitCode.SOURCE);
    assertThat(result.message()).endsWith("a/: not a directory");
    assertThat(dir.resolve("c")).doesNotExist();
  }

  @Test
  void ofTwoSourcesForOneNameTheFirstIsCopied() throws Exception {
    Path other = Files.createDirectory(dir.resolve("other"));
    Path twin = Files.writeString(other.resolve("a"), "another a");
    Result result = copy(List.of(b, a, twin), into);
    assertThat(result.exitCode()).isEqualTo(ExitCode.SOME_FAILED);
    assertThat(result.message()).contains("would go here");
    assertThat(names(into)).containsExactly("a", "b");
    assertThat(into.resolve("a")).hasSameTextualContentAs(a);
  }

  @Test
  void whatIsNamedTwiceIsCopiedOnce() throws Exception {
    assertThat(copy(List.of(a, a), into).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(told).containsExactly("noted " + a + ": is named twice, and copied once");
    assertThat(names(into)).containsExactly("a");
  }

  @Test
  void oneFileThatFailsDoesNotStopTheOthers() throws Exception {
    Result result = copy(List.of(dir.resolve("missing"), a, dir, b), into);
    assertThat(result.exitCode()).isEqualTo(ExitCode.SOME_FAILED);
    assertThat(result.filesDone()).isEqualTo(2);
    assertThat(result.filesFailed()).isEqualTo(2);
    assertThat(names(into)).containsExactly("a", "b");
    assertThat(told).filteredOn(line -> line.startsWith("failed")).hasSize(2);
  }

  @Test
  void whereAllFailForOneCauseThatIsTheCode() throws Exception {
    Path missing = dir.resolve("missing");
    Path gone = dir.resolve("gone");
    assertThat(copy(List.of(missing), into).exitCode()).isEqualTo(ExitCode.SOURCE);
    assertThat(copy(List.of(missing, gone), into).exitCode()).isEqualTo(ExitCode.SOURCE);
    assertThat(copy(List.of(missing, dir), into).exitCode()).isEqualTo(ExitCode.SOME_FAILED);
  }

  @Test
  void aStrategyThatBreaksFailsOneFileAtATime() throws Exception {
    Strategies strategies =
        Strategies.of(List.of(new Breaking(0, new ArithmeticException("/ by zero"))));
    CopyRequest request =
        new CopyRequest(List.of(raw(a), raw(b)), raw(into), new Choice("breaking", 0));
    Result result =
        TreeCopy.run(
            request,
            new CommandEnvironment(strategies, new ByteArrayInputStream(in), out, this::hear));
    assertThat(result.exitCode()).isEqualTo(ExitCode.INTERNAL);
    assertThat(result.filesFailed()).isEqualTo(2);
    assertThat(result.message()).contains("strategy breaking failed").contains("/ by zero");
    assertThat(names(into)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorLeavesNoPartialFile(boolean durable) throws Exception {
    OutOfMemoryError error = new OutOfMemoryError("planted");
    Strategies strategies = Strategies.of(List.of(new Breaking(1, error)));
    CopyRequest request =
        new CopyRequest(
            List.of(raw(a), raw(b)),
            raw(into),
            Placement.AS_FOUND,
            new Choice("breaking", 0),
            Selection.FILES,
            Preserve.USUAL,
            Policy.USUAL,
            new Assurance(Level.NONE, null, durable, false),
            1,
            false,
            CopyForm.USUAL,
            null,
            0);
    CommandEnvironment environment =
        new CommandEnvironment(strategies, new ByteArrayInputStream(in), out, this::hear);
    assertThatThrownBy(() -> TreeCopy.run(request, environment)).isSameAs(error);
    assertThat(names(into)).isEqualTo(durable ? List.of() : List.of("a"));
  }

  @Test
  void aFileIsNotCopiedOntoItselfByWhateverName() throws Exception {
    Path name = Files.createLink(dir.resolve("name"), a);
    Path link = Files.createSymbolicLink(dir.resolve("link"), a);
    for (Path target : new Path[] {a, name, link, dir.resolve("into/../a"), dir}) {
      Result result = copy(List.of(a), target);
      assertThat(result.exitCode()).as(target.toString()).isEqualTo(ExitCode.EXISTS);
      assertThat(result.message()).contains("is the same file as").contains("unharmed");
    }
    assertThat(a).hasContent("content of a");
  }

  @Test
  void aDirectoryNeedsToBeAskedForOnBothWays() {
    for (String[] way : new String[][] {{"copy"}, {"copy", "-p"}, {"strategies"}}) {
      List<String> words = new ArrayList<>(List.of(way));
      words.add(into.toString());
      words.add(dir.resolve("c").toString());
      Cli.Result result = Cli.run(words.toArray(String[]::new));
      boolean copies = way[0].equals("copy");
      assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.number());
      assertThat(result.err())
          .contains("is a directory (" + (copies ? "-r copies it" : "name a file that is in it"));
    }
  }

  @Test
  void whatExistsIsReplacedAndKeepsItsMode() throws Exception {
    Files.setPosixFilePermissions(b, PosixFilePermissions.fromString("rw-rw-rw-"));
    Files.setPosixFilePermissions(a, PosixFilePermissions.fromString("r-x------"));
    assertThat(copy(List.of(a), b).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(b).hasContent("content of a");
    assertThat(FileStatus.of(b).permissions()).isEqualTo(0666);
  }

  @Test
  void aReplacedFileKeepsItsOwner() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may give files away");
    Files.setAttribute(b, "unix:uid", 1234);
    assertThat(copy(List.of(a), b).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(FileStatus.of(b).owner()).isEqualTo(1234);
  }

  @Test
  void aLinkIsReplacedAndWhatItLeadsToIsLeftAlone() throws Exception {
    Path link = Files.createSymbolicLink(into.resolve("link"), b);
    assertThat(copy(List.of(a), link).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(link).isRegularFile();
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(link).hasContent("content of a");
    assertThat(b).hasContent("content of b");
  }

  @Test
  void aLinkThatLeadsNowhereIsReplacedAndLeadsNothingThere() throws Exception {
    Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("nowhere"));
    assertThat(copy(List.of(a), link).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(Files.isSymbolicLink(link)).isFalse();
    assertThat(link).hasContent("content of a");
    assertThat(dir.resolve("nowhere")).doesNotExist();
  }

  @Test
  void whatIsToBeKeptIsKeptAndIsNoFailure() throws Exception {
    Result result = copy(List.of(raw(a)), raw(b), Existing.KEEP);
    assertThat(result.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(b).hasContent("content of b");
    assertThat(told).contains("kept " + b + ": exists and is kept");

    Path c = dir.resolve("c");
    assertThat(copy(List.of(raw(a)), raw(c), Existing.KEEP).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(c).hasContent("content of a");
  }

  @Test
  void whatIsToBeRefusedIsRefused() throws Exception {
    Result result = copy(List.of(raw(a)), raw(b), Existing.REFUSE);
    assertThat(result.exitCode()).isEqualTo(ExitCode.EXISTS);
    assertThat(b).hasContent("content of b");
  }

  @Test
  void whatComesIntoBeingDuringTheCopyIsKeptToo() throws Exception {
    Path fifo = Programs.fifo(dir.resolve("fifo"));
    Path c = dir.resolve("c");
    CompletableFuture<Result> copying =
        CompletableFuture.supplyAsync(() -> copy(List.of(raw(fifo)), raw(c), Existing.KEEP));
    // Opening it waits for the copy to open its other side.
    try (OutputStream writer = Files.newOutputStream(fifo, StandardOpenOption.WRITE)) {
      Files.writeString(c, "somebody else's");
      writer.write(1);
    }
    assertThat(copying.get(30, TimeUnit.SECONDS).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(c).hasContent("somebody else's");
    assertThat(names(dir)).noneMatch(name -> name.startsWith(".zcp"));
  }

  @Test
  void standardStreamsAreReadAndWritten() throws Exception {
    Path c = dir.resolve("c");
    assertThat(copy(List.of(RawPath.of("-")), raw(c)).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(c).hasContent("typed");

    assertThat(copy(List.of(raw(a), raw(b)), RawPath.of("-")).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("content of acontent of b");
  }

  @Test
  void standardInputHasNoNameInADirectory() throws Exception {
    assertThat(copy(List.of(RawPath.of("-")), raw(into)).exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(names(into)).isEmpty();
  }

  @Test
  void aDeviceAndAPipeAreWrittenToAndNotReplaced() throws Exception {
    Path device = Path.of("/dev/null");
    int before = FileStatus.of(device).mode();
    assertThat(copy(List.of(a), device).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(FileStatus.of(device).mode()).isEqualTo(before);

    Path fifo = Programs.fifo(dir.resolve("fifo"));
    CompletableFuture<String> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readString(fifo);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(copy(List.of(a), fifo).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo("content of a");
  }

  @Test
  void emptyFilesAndFilesOfProcAreCopiedWhole() throws Exception {
    in = new byte[0];
    Path empty = Files.createFile(dir.resolve("empty"));
    Path version = Path.of("/proc/version");
    assertThat(copy(List.of(empty, version), into).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(into.resolve("empty")).isEmptyFile();
    assertThat(into.resolve("version")).hasSameTextualContentAs(version);
    assertThat(copy(List.of(RawPath.of("-")), raw(b)).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(b).isEmptyFile();
  }

  private Result copy(List<Path> sources, Path target) throws Exception {
    return copy(sources.stream().map(TreeCopyTest::raw).toList(), raw(target));
  }

  private Result copy(List<RawPath> sources, RawPath target) {
    return copy(sources, target, Existing.REPLACE);
  }

  private Result copy(List<RawPath> sources, RawPath target, Existing existing) {
    try {
      return copy(sources, target, existing, Strategies.load(List.of()));
    } catch (Failure failure) {
      throw new IllegalStateException(failure);
    }
  }

  private Result copy(
      List<RawPath> sources, RawPath target, Existing existing, Strategies strategies) {
    CopyRequest request =
        new CopyRequest(
            sources,
            target,
            Placement.AS_FOUND,
            Choice.DEFAULT,
            Selection.FILES,
            Preserve.USUAL,
            new Policy(existing, null, false, OnChange.RETRY, false),
            Assurance.USUAL,
            CopyRequest.JOBS_MEASURED,
            false,
            CopyForm.USUAL,
            null,
            0);
    return TreeCopy.run(
        request, new CommandEnvironment(strategies, new ByteArrayInputStream(in), out, this::hear));
  }

  private void hear(Event event) {
    if (event instanceof Event.Noted(String message, _)) {
      told.add("noted " + message);
    } else if (event instanceof Event.Kept(String name, String reason)) {
      told.add("kept " + name + ": " + reason);
    } else if (event instanceof Event.FileFailed failed) {
      told.add("failed " + failed.failure().getMessage());
    }
  }

  private static RawPath raw(Path path) {
    // By its text and not by RawPath.of(Path), which would take "into/.." as it is too.
    return RawPath.of(path.toString());
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  /// Serves everything, and breaks at the first byte after so many files.
  private record Breaking(AtomicInteger files, Throwable thrown) implements TransferStrategy {

    Breaking(int files, Throwable thrown) {
      this(new AtomicInteger(files), thrown);
    }

    @Override
    public String name() {
      return "breaking";
    }

    @Override
    public String summary() {
      return "breaks";
    }

    @Override
    public Model model() {
      return new Model(0, 0, 0);
    }

    @Override
    public Verdict judge(Route route) {
      return new Verdict.Usable(new Verdict.Cost(0, 0), 1 << 20);
    }

    @Override
    public Mover open(Source source, Sink sink) {
      if (files.getAndDecrement() > 0) {
        return new HeapStrategy().open(source, sink);
      }
      return span -> {
        if (thrown instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) thrown;
      };
    }
  }
}
