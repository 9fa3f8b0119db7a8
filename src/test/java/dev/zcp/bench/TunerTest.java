package dev.zcp.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.bench.Tuner.TuneListener;
import dev.zcp.bench.Tuner.TuneRequest;
import dev.zcp.copy.CopyRequest;
import dev.zcp.copy.Explanation;
import dev.zcp.copy.TreeCopy;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.CommandEnvironment.Consent;
import dev.zcp.insight.Event;
import dev.zcp.insight.Result;
import dev.zcp.profile.MeasuredRoute;
import dev.zcp.profile.MeasuredRoute.Measured;
import dev.zcp.profile.Mounts;
import dev.zcp.profile.Profile.Finding;
import dev.zcp.profile.RouteTunings.UserProfile;
import dev.zcp.session.KeySource;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TunerTest {

  private static final long TRIAL_BYTES = 8 << 20;
  private static final long LONG_BYTES = 256 << 20;

  /// What auto takes by itself, and should not.
  private static final TransferStrategy SLOW = paced("slow", 1, 12, PacedStrategy.Kind.RIGHT);

  private static final TransferStrategy FAST = paced("fast", 1000, 0, PacedStrategy.Kind.RIGHT);

  @TempDir Path dir;

  private final List<String> told = new ArrayList<>();
  private Path from;
  private Path to;
  private RawPath profile;

  @BeforeEach
  void makeDirectories() throws IOException {
    from = Files.createDirectory(dir.resolve("from"));
    to = Files.createDirectory(dir.resolve("to"));
    profile = RawPath.of(dir.resolve("config/profile.json"));
  }

  @Test
  void autoFollowsWhatWasFoundToBeFaster() throws Exception {
    TuneResult result = tune(SLOW, FAST);
    assertThat(result.isBetter()).isTrue();
    assertThat(result.fastest().choice().strategy()).isEqualTo("fast");
    assertThat(result.byItself().choice().strategy()).isEqualTo("slow");
    assertThat(result.again().gain()).isGreaterThan(0.5);
    assertThat(copied(profile, SLOW, FAST)).isEqualTo("fast");
    // On ext4 two threads move it, as direct does.
    assertThat(copied(null, SLOW, FAST)).isIn("slow", "direct");
  }

  @Test
  void whatIsSaidOfALongFileIsWhatExplainSays() throws Exception {
    TuneResult result = tune(SLOW, FAST);
    assertThat(result.longFile().strategy()).isEqualTo("fast");
    assertThat(TuneReport.text(result.longFile())).isEqualTo(explained(SLOW, FAST));
    assertThat(String.join("\n", TuneReport.lines(result, profile)))
        .contains(
            "for files of 256 MiB and more:\nfor one of 256 MiB it takes "
                + TuneReport.text(result.longFile())
                + ".",
            "Beware: this trial was shorter");
  }

  @Test
  void whatCannotBeMadeAtAllIsNotCalledAWantOfRoom() {
    assertThatThrownBy(() -> tune(from, Path.of("/proc"), TRIAL_BYTES))
        .hasMessageStartingWith("/proc: no trial can be made there (")
        .hasMessageNotContaining("/proc/.zcp");
  }

  /// What auto takes of a long file by `zcp explain`, as the report says it.
  private String explained(TransferStrategy... strategies) throws Exception {
    Path source = dir.resolve("explained");
    Programs.zeros(source, LONG_BYTES);
    Engine.Candidate first =
        Explanation.of(
                Strategies.of(List.of(strategies)), RawPath.of(source), RawPath.of(to), profile)
            .usable()
            .getFirst();
    Measured best = held().bestOf(first.strategy().name());
    return TuneReport.text(new Choice(best.strategy(), best.chunkBytes()));
  }

  @Test
  void autoStaysWithTheStrategyThatNoOtherBeats() throws Exception {
    TransferStrategy best = paced("best", 1, 0, PacedStrategy.Kind.RIGHT);
    TransferStrategy worse = paced("worse", 1000, 12, PacedStrategy.Kind.RIGHT);
    TuneResult result = tune(best, worse);
    assertThat(result.fastest().choice().strategy()).isEqualTo("best");
    assertThat(copied(profile, best, worse)).isIn("best", "direct");
    assertThat(held().figures()).extracting(Measured::strategy).contains("best", "worse");
  }

  @Test
  void theBestAreTriedWithOtherChunksAndAllThatCountRanOftenEnough() throws Exception {
    tune(FAST);
    assertThat(held().figures())
        .extracting(Measured::chunkBytes)
        .containsExactlyInAnyOrder(0L, 128L << 10, 512L << 10, 2L << 20);
    // On a busy machine one may have seemed too slow by chance, and left.
    assertThat(held().figures())
        .allSatisfy(each -> assertThat(each.runs()).isBetween(3, TuneRequest.RUNS_MIN))
        .anySatisfy(each -> assertThat(each.runs()).isEqualTo(TuneRequest.RUNS_MIN));
  }

  @Test
  void whatCannotWinAnyMoreIsNotRunToTheEnd() throws Exception {
    tune(SLOW, FAST, paced("lame", 2000, 60, PacedStrategy.Kind.RIGHT));
    Measured lame =
        held().figures().stream().filter(each -> each.strategy().equals("lame")).findFirst().get();
    // Among the best three it is tried with other chunks, and leaves that race, too.
    assertThat(lame.runs()).isEqualTo(3);
  }

  @Test
  void whatDeclinesIsTold() throws Exception {
    TransferStrategy declining = paced("declining", 1, 0, PacedStrategy.Kind.DECLINING);
    TuneResult result = tune(declining, FAST);
    assertThat(result.trials())
        .contains(new TuneResult.Trial.Refused(new Choice("declining", 0), "not today"));
    assertThat(result.byItself().choice().strategy()).isEqualTo("fast");
    assertThat(String.join("\n", TuneReport.lines(result, profile)))
        .contains("declining: no, not today", "auto takes fast for such a file by itself");
    assertThat(new String(TuneReport.json(result, profile), UTF_8))
        .contains("\"refused\":\"not today\"");
  }

  @Test
  void wrongBytesEndEverythingAndNoProfileIsWritten() {
    TransferStrategy wrong = paced("wrong", 1, 0, PacedStrategy.Kind.WRONG);
    assertFails(ExitCode.INTEGRITY, () -> tune(wrong, FAST));
    assertThat(profile.toPath()).doesNotExist();
  }

  @Test
  void mmapIsNeverTried() throws Exception {
    TuneResult result = tune(paced("mmap", 1, 0, PacedStrategy.Kind.RIGHT), FAST);
    assertThat(result.trials()).extracting(each -> each.choice().strategy()).containsOnly("fast");
    assertThat(String.join("\n", TuneReport.lines(result, profile)))
        .contains("mmap: not tried, auto never takes it");
  }

  @Test
  void aFileOfTheUsersOwnIsReadAndStays() throws Exception {
    Path own = from.resolve("own");
    Files.write(own, new byte[(int) TRIAL_BYTES + 1]);
    TuneResult result = Tuner.tune(request(own, to, 1), Strategies.of(List.of(FAST)), this::hear);
    assertThat(result.fileBytes()).isEqualTo(TRIAL_BYTES + 1);
    assertThat(names(from)).containsExactly("own");
  }

  @Test
  void nothingIsLeftAndEveryRaceIsTold() throws Exception {
    tune(SLOW, FAST);
    assertThat(names(from)).isEmpty();
    assertThat(names(to)).isEmpty();
    assertThat(told)
        .containsExactly(
            "every strategy that auto may take",
            "the best, with other chunks",
            "the fastest against auto");
  }

  @Test
  void twoWaysAreBothKept() throws Exception {
    Path shm = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(shm), "needs a file system of its own in /dev/shm");
    Strategies strategies = Strategies.of(List.of(FAST));
    Tuner.tune(request(from, to, TRIAL_BYTES), strategies, this::hear);
    Tuner.tune(request(from, shm, TRIAL_BYTES), strategies, this::hear);
    assertThat(Files.readString(profile.toPath())).contains("\"point\" : \"/dev/shm\"");
    assertThat(held().figures()).isNotEmpty();
  }

  @Test
  void whatCannotBeginSaysWhyAndLeavesNothing() throws Exception {
    Path missing = dir.resolve("missing");
    Path file = Files.createFile(dir.resolve("file"));
    assertFails(ExitCode.SOURCE, () -> tune(missing, to, TRIAL_BYTES));
    assertFails(ExitCode.DESTINATION, () -> tune(from, missing, TRIAL_BYTES));
    assertFails(ExitCode.DESTINATION, () -> tune(from, file, TRIAL_BYTES));
    assertFails(ExitCode.DESTINATION, () -> tune(from, to, 1L << 60));
    assertFails(ExitCode.USAGE, () -> tune(file, to, TRIAL_BYTES));
    assertFails(ExitCode.USAGE, () -> tune(from, to, TRIAL_BYTES - 1));
    assertFails(ExitCode.USAGE, () -> tune(Path.of("/dev/zero"), to, TRIAL_BYTES));
    assertThat(names(from)).isEmpty();
    assertThat(names(to)).isEmpty();
    assertThat(profile.toPath()).doesNotExist();
  }

  @Test
  void aProfileThatCannotBeWrittenIsAFailure() throws Exception {
    Files.createFile(dir.resolve("config"));
    assertFails(ExitCode.DESTINATION, () -> tune(FAST));
    assertThat(told).as("races that were run").isEmpty();
  }

  @Test
  void whatWasFoundIsTellableWhereTheProfileCannotBeKeptInTheEnd() throws Exception {
    TuneResult result =
        Tuner.tune(
            request(from, to, TRIAL_BYTES), Strategies.of(List.of(FAST)), (_, _, _) -> block());
    assertThat(result.trials()).isNotEmpty();
    assertThat(result.unwritten()).hasMessageContaining("the profile cannot be written: ");
    assertThat(TuneReport.lines(result, profile)).contains("profile: not written");
    assertThat(new String(TuneReport.json(result, profile), UTF_8)).contains("\"profile\":null");
  }

  @Test
  void everyTrialIsToldBeforeItRuns() throws Exception {
    List<String> running = new ArrayList<>();
    Tuner.tune(
        request(from, to, TRIAL_BYTES),
        Strategies.of(List.of(FAST)),
        new TuneListener() {
          @Override
          public void begins(String what, int ways, int runs) {}

          @Override
          public void running(String routeKey, int done, int most) {
            running.add(routeKey + " " + done + "/" + most);
          }
        });
    assertThat(running).startsWith("fast 0/8", "fast 1/8").contains("fast 7/8");
  }

  /// A file where the profile's directory was.
  private void block() {
    Path config = dir.resolve("config");
    try {
      if (Files.isDirectory(config)) {
        Files.delete(config);
        Files.createFile(config);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TuneResult tune(TransferStrategy... strategies) throws Failure {
    return Tuner.tune(
        request(from, to, TRIAL_BYTES), Strategies.of(List.of(strategies)), this::hear);
  }

  private void tune(Path source, Path target, long bytes) throws Failure {
    Tuner.tune(request(source, target, bytes), Strategies.of(List.of(FAST)), this::hear);
  }

  private TuneRequest request(Path source, Path target, long bytes) {
    return new TuneRequest(
        RawPath.of(source),
        RawPath.of(target),
        new KeySource(null, null, null),
        bytes,
        TuneRequest.RUNS_MIN,
        7,
        profile,
        "zcp test");
  }

  /// What moves a long file from one directory to the other.
  private String copied(RawPath read, TransferStrategy... strategies) throws Exception {
    Path source = dir.resolve("long");
    Programs.zeros(source, LONG_BYTES);
    Result result =
        TreeCopy.run(
            new CopyRequest(
                List.of(RawPath.of(source)), RawPath.of(dir.resolve("copy")), Choice.DEFAULT),
            new CommandEnvironment(
                Strategies.of(List.of(strategies)),
                InputStream.nullInputStream(),
                OutputStream.nullOutputStream(),
                TunerTest::ignore,
                read,
                Consent.NEVER));
    assertThat(result.exitCode()).as(result.message()).isEqualTo(ExitCode.OK);
    return result.ran().getFirst().strategy();
  }

  private static void ignore(Event event) {}

  private MeasuredRoute held() throws Exception {
    Finding finding = new UserProfile(profile).find(Mounts.read().between(from, to));
    return ((Finding.Current) finding).tuned();
  }

  private void hear(String what, int ways, int runs) {
    told.add(what);
  }

  private static void assertFails(ExitCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> assertThat(failure.exitCode()).as(failure.getMessage()).isEqualTo(code));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  private static TransferStrategy paced(
      String name, long nsPerMiBSaid, long msPerMiB, PacedStrategy.Kind kind) {
    return new PacedStrategy(name, nsPerMiBSaid, msPerMiB, kind);
  }
}
