package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.spi.Route;
import dev.zcp.spi.Verdict;
import dev.zcp.testing.Mounted;
import dev.zcp.tree.Ends;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void everyStrategyHasItsLineAndRefusalsComeLast(String name) throws Exception {
    RawPath target = name.equals("beside") ? RawPath.of(dir.resolve(name)) : RawPath.of(name);
    List<Survey.StrategyVerdict> lines = Survey.of(strategies, source, target, null);
    assertThat(lines)
        .extracting(line -> line.strategy().name())
        .containsExactlyInAnyOrderElementsOf(strategies.names());
    assertThat(lines)
        .extracting(line -> line.verdict() instanceof Verdict.Refused)
        .isSortedAccordingTo(Boolean::compare);
  }

  @Test
  void theFirstLineIsWhatAutoTakes() throws Exception {
    RawPath target = RawPath.of(dir.resolve("target"));
    Route route = new Route(Ends.ofSource(source), Ends.ofTarget(target));
    Engine engine = new Engine(strategies, Choice.DEFAULT);
    assertThat(Survey.of(strategies, source, target, null).getFirst().strategy())
        .isSameAs(engine.rank(route, 7).getFirst().strategy());
  }

  @Test
  void whatTheFileSystemCannotDoIsNoHope() throws Exception {
    try (Mounted disk = Mounted.inFile(dir, "ext4", "16M", "-q")) {
      assertThat(reflink(disk)).isInstanceOf(Verdict.Refused.class);
    }
    try (Mounted disk = Mounted.inFile(dir, "xfs", "400M", "-q", "-m", "reflink=0")) {
      assertThat(reflink(disk)).isInstanceOf(Verdict.Refused.class);
    }
    try (Mounted disk = Mounted.inFile(dir, "btrfs", "400M", "-q")) {
      assertThat(reflink(disk)).isInstanceOf(Verdict.Usable.class);
    }
  }

  private Verdict reflink(Mounted disk) throws Exception {
    Path from = Files.write(disk.path().resolve("from"), new byte[100_000]);
    Path to = disk.path().resolve("to");
    List<Survey.StrategyVerdict> lines =
        Survey.of(strategies, RawPath.of(from), RawPath.of(to), null);
    try (Stream<Path> left = Files.list(disk.path())) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .doesNotContain("to")
          .noneMatch(name -> name.startsWith(".zcp"));
    }
    return lines.stream()
        .filter(line -> line.strategy().name().equals("reflink"))
        .findFirst()
        .orElseThrow()
        .verdict();
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
