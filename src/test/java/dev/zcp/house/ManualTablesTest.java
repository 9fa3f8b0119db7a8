package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.engine.Strategies;
import dev.zcp.insight.Stage;
import dev.zcp.spi.Model;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tables that the manual has by hand say what the code does.
class ManualTablesTest {

  private static final Pattern IN_BACKTICKS = Pattern.compile("`([^`]+)`");
  private static final Pattern JSON_KEY = Pattern.compile("\"(\\w+)\":");

  @TempDir Path folder;

  @Test
  void itsStrategiesAreThoseThatThereAreWithWhatTheySay() throws Exception {
    List<List<String>> said = Markdown.table(page("zcp-strategies"), "name", "copy");
    List<List<String>> made = new ArrayList<>();
    for (TransferStrategy strategy : Strategies.load(List.of()).all()) {
      Model model = strategy.model();
      made.add(
          List.of(
              "`" + strategy.name() + "`",
              serves(strategy, Kind.FILE, Kind.FILE),
              serves(strategy, Kind.FILE, Kind.SOCKET),
              serves(strategy, Kind.SOCKET, Kind.FILE),
              serves(strategy, Kind.FILE, Kind.PIPE),
              Integer.toString(model.modeSwitches()),
              Integer.toString(model.userKernelCopies()),
              Integer.toString(model.kernelKernelCopies())));
      assertThat(serves(strategy, Kind.PIPE, Kind.FILE))
          .as("the column 'pipes' of " + strategy.name() + " speaks of both directions")
          .isEqualTo(serves(strategy, Kind.FILE, Kind.PIPE));
    }
    assertThat(said).isEqualTo(made);
  }

  @Test
  void itsFieldsOfTheJsonResultAreThoseThatAreWritten() throws Exception {
    String out = jsonOfASend();
    Set<String> written = new TreeSet<>();
    JSON_KEY.matcher(lastLine(out)).results().map(match -> match.group(1)).forEach(written::add);
    written.remove("event");
    // Only a run that takes a while has a throughput and is watched for pauses.
    written.removeAll(
        Set.of(
            "stepNs",
            "fromNs",
            "counts",
            "movedBytes",
            "durableBytes",
            "carriedBytes",
            "samplesOverlapped"));
    // Stages are named on the page once, as such.
    for (Stage stage : Stage.values()) {
      written.remove(stage.word());
    }
    Set<String> told = new TreeSet<>();
    for (List<String> row : Markdown.table(page("zcp"), "field", "meaning")) {
      String words =
          row.get(0) + (row.get(1).matches("(.*: |an )objects? of .*") ? row.get(1) : "");
      words += row.get(0).startsWith("`latencies`") ? row.get(1) : "";
      IN_BACKTICKS.matcher(words).results().map(ManualTablesTest::word).forEach(told::add);
    }
    assertThat(told).isEqualTo(written);
  }

  /// A send, since a copy's result leaves out what only a connection has.
  private String jsonOfASend() throws Exception {
    Path source = Files.write(folder.resolve("source"), new byte[10]);
    try (ZcpProcess receiver =
        ZcpProcess.start(
            folder, Map.of(), "receive", "-q", "--once", "--listen=127.0.0.1:0", "--discard")) {
      Cli.Result sent =
          Cli.run("send", "-q", "--json", "--limit-rate=1M", receiver.line(), source.toString());
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      receiver.end();
      return sent.out();
    }
  }

  private static String serves(TransferStrategy strategy, Kind from, Kind to) {
    Route route = new Route(traits(from), traits(to));
    return strategy.judge(route) instanceof Verdict.Usable ? "yes" : "";
  }

  private static Route.Traits traits(Kind kind) {
    return new Route.Traits(kind, true, false, kind == Kind.FILE ? 1 : Route.Traits.NO_DEVICE);
  }

  private static String word(MatchResult match) {
    return match.group(1);
  }

  private static String lastLine(String text) {
    return text.lines().toList().getLast();
  }

  private static String page(String name) throws IOException {
    return Files.readString(Path.of("src/main/man", name + ".md"));
  }
}
