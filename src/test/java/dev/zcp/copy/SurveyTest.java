package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.linux.SocketLimits;
import dev.zcp.spi.Route;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.tree.Ends;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SurveyTest {

  @TempDir Path dir;

  private Strategies strategies;
  private RawPath source;

  @BeforeEach
  void prepare() throws Exception {
    strategies = Strategies.load(List.of());
    source = RawPath.of(Files.writeString(dir.resolve("source"), "content"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/null", "-", "localhost:5230", "beside"})
  void everyStrategyIsUsableOrRefused(String name) throws Exception {
    RawPath target = name.equals("beside") ? RawPath.of(dir.resolve(name)) : RawPath.of(name);
    Survey survey = Survey.of(strategies, source, target, null);
    List<String> names = new ArrayList<>();
    survey.usable().forEach(each -> names.add(each.strategy().name()));
    survey.refusals().forEach(each -> names.add(each.strategy().name()));
    assertThat(names).containsExactlyInAnyOrderElementsOf(strategies.names());
    assertThat(survey.isTried()).as(survey.trial()).isEqualTo(name.equals("beside"));
  }

  @Test
  void theFirstIsWhatAutoTakes() throws Exception {
    RawPath target = RawPath.of(dir.resolve("target"));
    Route route = new Route(Ends.ofSource(source), Ends.ofTarget(target));
    Engine engine = new Engine(strategies, Choice.DEFAULT);
    assertThat(Survey.of(strategies, source, target, null).usable().getFirst().strategy())
        .isSameAs(engine.rank(route, 7).getFirst().strategy());
  }

  @Test
  void ext4SharesNothing() throws Exception {
    try (Mounted disk = Mounted.inFile(dir, "ext4", "16M", "-q")) {
      assertThat(reflink(disk)).endsWith("EOPNOTSUPP");
    }
  }

  @Test
  void xfsSharesIfItWasMadeTo() throws Exception {
    try (Mounted disk = Mounted.inFile(dir, "xfs", "400M", "-q", "-m", "reflink=0")) {
      assertThat(reflink(disk)).endsWith("EOPNOTSUPP");
    }
  }

  @Test
  void btrfsShares() throws Exception {
    try (Mounted disk = Mounted.inFile(dir, "btrfs", "400M", "-q")) {
      assertThat(reflink(disk)).isEmpty();
    }
  }

  @Test
  void tmpfsSharesNothing() throws Exception {
    try (Mounted disk = Mounted.inMemory(dir, "tmpfs")) {
      assertThat(reflink(disk)).endsWith("EOPNOTSUPP");
    }
  }

  /// Why `reflink` is refused; empty if it is not. What is said must be what a copy does.
  private String reflink(Mounted disk) throws Exception {
    Path from = Files.write(disk.path().resolve("from"), new byte[100_000]);
    Path to = disk.path().resolve("to");
    Survey survey = Survey.of(strategies, RawPath.of(from), RawPath.of(to), null);
    try (Stream<Path> left = Files.list(disk.path())) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .doesNotContain("to")
          .noneMatch(name -> name.startsWith(".zcp"));
    }
    assertThat(survey.facts().source()).isEqualTo(survey.facts().target());
    assertThat(survey.facts().freeBytes()).isPositive();
    // Of the last page, which is not full, the kernel may say otherwise.
    assertThat(survey.facts().cachedShare()).isBetween(0.9, 1.0);
    String reason =
        survey.refusals().stream()
            .filter(each -> each.strategy().name().equals("reflink"))
            .map(Explanation.Refusal::reason)
            .findFirst()
            .orElse("");
    Cli.Result copy = Cli.run("copy", "--strategy=reflink", from.toString(), to.toString());
    assertThat(copy.exitCode()).as(copy.err()).isEqualTo(reason.isEmpty() ? 0 : 10);
    assertThat(copy.err()).contains(reason);
    return reason;
  }

  @Test
  void whereNothingCanBeMadeTheReasonIsTold() throws Exception {
    Survey survey = Survey.of(strategies, source, RawPath.of(Path.of("/proc/self/target")), null);
    assertThat(survey.isTried()).isFalse();
    assertThat(survey.trial()).startsWith("Nothing can be tried: /proc/self/target: ");
  }

  @Test
  void aConnectionIsToldWithTheLimitsOfTheKernel() throws Exception {
    Survey survey = Survey.of(strategies, source, RawPath.of("localhost:5230"), null);
    String settings =
        Programs.run("cat", "/proc/sys/net/ipv4/tcp_wmem", "/proc/sys/net/core/rmem_max");
    SocketLimits limits = survey.facts().sockets();
    assertThat(settings).endsWith("\t" + limits.sendTunedMax() + "\n" + limits.receiveAskedMax());
    assertThat(survey.facts().freeBytes()).isEqualTo(-1);
    assertThat(survey.trial()).startsWith("Nothing was tried: it would take a connection");
  }

  @Test
  void itMovesNothing() throws Exception {
    RawPath target = RawPath.of(dir.resolve("target"));
    Survey.of(strategies, source, target, null);
    assertThat(target.toPath()).doesNotExist();
  }

  @Test
  void aRouteFromNowhereHasNoLines() {
    assertThatThrownBy(
            () -> Survey.of(strategies, RawPath.of(dir.resolve("missing")), RawPath.of("-"), null))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.SOURCE));
  }
}
