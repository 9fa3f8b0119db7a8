package dev.zcp.cli;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.json.JsonLines;
import dev.zcp.json.JsonTable;
import dev.zcp.json.JsonType;
import dev.zcp.plan.CostModel;
import dev.zcp.plan.PlanStatus;
import dev.zcp.plan.Planner;
import dev.zcp.plan.Planner.PlanRequest;
import dev.zcp.plan.Planner.PlanSummary;
import dev.zcp.plan.Shard;
import dev.zcp.plan.ShardPlan;
import dev.zcp.plan.ShardResult;
import dev.zcp.profile.RouteTunings.UserProfile;
import dev.zcp.report.EventTables;
import dev.zcp.report.LatencyTable;
import dev.zcp.tree.OutputFiles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.PositionalParamSpec;

final class PlanCommand extends Command {

  private final Option shards = option("--shards=N");
  private final Option output = option("--output=DIR");
  private final Option rate = option("--rate=SIZE");
  private final Option oneFileSystem = option("-x, --one-file-system");
  private final Option status = option("--status");
  private final Option finish = option("--finish");
  private final RemoteOptions remotes = group(new RemoteOptions());
  private final Option json = option("--json");
  private final Option quiet = option("-q, --quiet");
  private final PositionalParamSpec operands = operands("0..*", "SOURCE");

  PlanCommand() {
    super("zcp plan");
  }

  @Override
  public List<OptionConflict> conflicts() {
    return List.of(
        OptionConflict.of("--status", "--finish", "use one of them"),
        OptionConflict.of(
            "--shards --output --rate -x", "--status --finish", "the plan is there already"));
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    List<RawPath> typed = paths(operands);
    if (isSet(status) || isSet(finish)) {
      if (typed.isEmpty()) {
        throw missing("the DIR of the plan is missing");
      }
      if (isSet(finish)) {
        return finish(typed, shell);
      }
      requireFinish(remotes.all());
      return status(typed, shell);
    }
    requireFinish(remotes.all());
    if (isSet(json)) {
      throw usage("--json needs --status or --finish");
    }
    return plan(typed, shell);
  }

  private static void requireFinish(List<Option> options) throws Failure {
    for (Option each : options) {
      if (isGiven(each)) {
        throw usage(each.longestName() + " is for --finish");
      }
    }
  }

  private ExitCode status(List<RawPath> typed, Shell shell) throws Failure {
    atMost(1, valuesOf(operands));
    PlanStatus found = PlanStatus.of(typed.getFirst());
    if (isSet(json)) {
      shell.out().writeBytes(new JsonLines().line(status(), found));
    } else if (!isSet(quiet)) {
      shell.out().print(table(found, shell));
    }
    return found.isDone() ? ExitCode.OK : ExitCode.SOME_FAILED;
  }

  private static JsonTable<PlanStatus> status() {
    JsonType<Integer> number = JsonType.INT;
    JsonType<String> shard = number.as(Integer::valueOf, String::valueOf);
    JsonTable<ShardResult> failed =
        new JsonTable<ShardResult>()
            .field("shard", shard, ShardResult::name)
            .field("exitCode", number, each -> each.result().exitCode().number())
            .field("message", JsonType.TEXT, each -> each.result().message());
    return new JsonTable<PlanStatus>()
        .field("source", JsonType.TEXT, found -> found.plan().source().toString())
        .field("shards", number, found -> found.plan().shards())
        .field("entries", JsonType.COUNT, found -> found.plan().entries())
        .field("bytesPlanned", JsonType.COUNT, found -> found.plan().bytes())
        .field("done", number, found -> found.done().size())
        .field("failed", failed.list(), PlanStatus::failed)
        .field("missing", shard.list(), PlanStatus::missing)
        .field("rest", JsonType.TEXT, found -> ranges(found.rest()))
        .field("files", JsonType.COUNT, PlanStatus::files)
        .field("kept", JsonType.COUNT, PlanStatus::kept)
        .field("bytes", JsonType.COUNT, PlanStatus::bytes)
        .field("nanoseconds", JsonType.COUNT, PlanStatus::elapsedNs)
        .field("spanNanoseconds", JsonType.COUNT, found -> found.span().toNanos())
        .field("finished", JsonType.FLAG, PlanStatus::isFinished)
        .field(
            "latencies",
            EventTables.STAGES,
            found -> EventTables.rows(found.latencies(), WorkSide.LOCAL));
  }

  private static String table(PlanStatus found, Shell shell) throws Failure {
    StringBuilder text = new StringBuilder();
    ShardPlan plan = found.plan();
    text.append("source:   ").append(plan.source()).append('\n');
    text.append("planned:  ").append(planned(plan)).append('\n');
    text.append("shards:   ").append(found.done().size()).append(" done, ");
    text.append(found.failed().size()).append(" failed, ");
    text.append(found.missing().size()).append(" missing\n");
    if (!found.isDone()) {
      text.append("to run:   ").append(ranges(found.rest())).append('\n');
    }
    text.append("copied:   ").append(found.files()).append(" files, ");
    text.append(new ByteSize(found.bytes())).append("; ");
    text.append(found.kept()).append(" were there\n");
    text.append("time:     ").append(new Elapsed(found.elapsedNs())).append(" in all, ");
    text.append(new Elapsed(found.span().toNanos())).append(" from first to last\n");
    text.append("finished: ").append(found.isFinished() ? "yes" : "no").append('\n');
    Map<Stage, Latencies> latencies = found.latencies();
    if (!latencies.isEmpty()) {
      LatencyTable table = new LatencyTable(latencies, shell.isUnicode());
      text.append('\n');
      for (String line : table.lines(shell.columns(), LatencyTable.STAGES_MAX)) {
        text.append(line).append('\n');
      }
    }
    for (ShardResult each : found.failed()) {
      text.append("shard ")
          .append(each.name())
          .append(": exit code ")
          .append(each.result().exitCode().number());
      text.append(": ").append(Printable.of(each.result().message())).append('\n');
    }
    return text.toString();
  }

  /// Numbers in order, as `0-2,5`: the form that `sbatch --array` takes.
  static String ranges(List<String> numbers) {
    StringBuilder text = new StringBuilder();
    for (int first = 0; first < numbers.size(); ) {
      int number = Integer.parseInt(numbers.get(first));
      int end = first + 1;
      while (end < numbers.size() && Integer.parseInt(numbers.get(end)) == number + end - first) {
        end++;
      }
      text.append(first == 0 ? "" : ",").append(number);
      if (end > first + 1) {
        text.append('-').append(numbers.get(end - 1));
      }
      first = end;
    }
    return text.toString();
  }

  /// Copies the list of all directories, as any shard.
  private ExitCode finish(List<RawPath> typed, Shell shell) throws Failure {
    if (typed.size() < 2) {
      throw missing("TARGET is missing after " + typed.getFirst());
    }
    atMost(2, valuesOf(operands));
    List<byte[]> words = new ArrayList<>();
    byte[] list = Shard.DIRECTORIES.getBytes(StandardCharsets.US_ASCII);
    String option = "--shard=" + RawText.latin1(typed.getFirst().resolve(list).bytes());
    for (Option each : List.of(quiet, json)) {
      if (isSet(each)) {
        words.add(RawText.bytes(each.longestName()));
      }
    }
    words.addAll(remotes.words());
    words.add(RawText.bytes(option));
    words.add(RawText.bytes("--"));
    words.add(typed.getLast().bytes());
    CopyCommand copy = new CopyCommand();
    Parser.parse(copy, Arguments.of(words), Settings.of("copy", copy, shell));
    return copy.run(shell);
  }

  private ExitCode plan(List<RawPath> typed, Shell shell) throws Failure {
    if (typed.isEmpty()) {
      throw missing("SOURCE is missing");
    }
    atMost(1, valuesOf(operands));
    if (!isGiven(shards) || !isGiven(output)) {
      throw usage((isGiven(shards) ? "--output=DIR" : "--shards=N") + " is missing");
    }
    RawPath source = typed.getFirst();
    RawPath directory = pathOf(output);
    if (source.isStandardStream() || directory.isStandardStream()) {
      throw usage("'-' is not a directory; one of that name is ./-");
    }
    new OutputFiles().add("--output", directory).requireApart(source, "is what is planned");
    PlanSummary summary =
        Planner.plan(
            new PlanRequest(
                source,
                (int) number(shards, 1, ShardPlan.SHARDS_MAX, ""),
                directory,
                isSet(oneFileSystem),
                cost(source, shell)));
    if (!isSet(quiet)) {
      shell.complain(sentence(summary, directory));
    }
    return ExitCode.OK;
  }

  private CostModel cost(RawPath source, Shell shell) throws Failure {
    if (isGiven(rate)) {
      return CostModel.ofRate(bytes(rate, PeerOptions.RATE_BYTES_MIN, Long.MAX_VALUE));
    }
    long measured = new UserProfile(shell.profile()).nsPerMiBFrom(source);
    return measured < 0 ? CostModel.USUAL : CostModel.measured(measured);
  }

  private static String sentence(PlanSummary summary, RawPath directory) {
    ShardPlan plan = summary.plan();
    double ratio = summary.averageNs() == 0 ? 1 : summary.maxNs() / summary.averageNs();
    return directory
        + ": "
        + planned(plan)
        + "; the largest is "
        + String.format(Locale.ROOT, "%.2f", ratio)
        + " times the average";
  }

  private static String planned(ShardPlan plan) {
    String shards = plan.shards() == 1 ? "1 shard" : plan.shards() + " shards";
    String entries = plan.entries() == 1 ? "1 entry" : plan.entries() + " entries";
    return shards + " of " + entries + ", " + new ByteSize(plan.bytes());
  }
}
