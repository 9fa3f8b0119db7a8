package dev.zcp.plan;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/// What became of the shards of a plan, by the last run of each.
///
/// @param directory of the plan
/// @param done those that are copied
/// @param failed those that are not, and say why
/// @param missing the numbers of those that never ended
/// @param finish how the list of all directories ended, or null
/// @param latencies of all shards that ended, by stage
public record PlanStatus(
    RawPath directory,
    ShardPlan plan,
    List<ShardResult> done,
    List<ShardResult> failed,
    List<String> missing,
    ShardResult finish,
    Map<Stage, Latencies> latencies) {

  /// @throws Failure SOURCE if there is no plan, or a result is damaged
  public static PlanStatus of(RawPath directory) throws Failure {
    ShardPlan plan = ShardPlan.read(directory);
    List<ShardResult> done = new ArrayList<>();
    List<ShardResult> failed = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    Map<Stage, Latencies> latencies = new EnumMap<>(Stage.class);
    for (int i = 0; i < plan.shards(); i++) {
      String name = Integer.toString(i);
      ShardResult result = ShardResult.read(new Shard(directory, plan, name), latencies);
      if (result == null) {
        missing.add(name);
      } else {
        (result.isDone() ? done : failed).add(result);
      }
    }
    Shard directories = new Shard(directory, plan, Shard.DIRECTORIES);
    ShardResult finish = ShardResult.read(directories, new EnumMap<>(Stage.class));
    return new PlanStatus(directory, plan, done, failed, missing, finish, latencies);
  }

  public boolean isDone() {
    return failed.isEmpty() && missing.isEmpty();
  }

  public boolean isFinished() {
    return isDone() && finish != null && finish.isDone();
  }

  /// Those that are to be run again, in the order of their numbers.
  public List<String> rest() {
    List<String> rest = new ArrayList<>(missing);
    failed.forEach(result -> rest.add(result.name()));
    rest.sort((one, other) -> Integer.compare(Integer.parseInt(one), Integer.parseInt(other)));
    return rest;
  }

  public long files() {
    return sum(Result::filesDone);
  }

  public long kept() {
    return sum(result -> result.tree().entries().kept());
  }

  public long bytes() {
    return sum(Result::bytes);
  }

  /// The sum of what each took.
  public long elapsedNs() {
    return sum(Result::elapsedNs);
  }

  /// From the start of the first to the end of the last; none if none ended.
  public Duration span() {
    Instant first = ended().stream().map(ShardResult::started).min(Instant::compareTo).orElse(null);
    Instant last = ended().stream().map(ShardResult::ended).max(Instant::compareTo).orElse(null);
    return first == null || last.isBefore(first) ? Duration.ZERO : Duration.between(first, last);
  }

  /// At most [Long#MAX_VALUE], since a result may claim anything.
  private long sum(ToLongFunction<Result> what) {
    return ended().stream()
        .map(ShardResult::result)
        .mapToLong(what)
        .reduce(0, (one, other) -> one + Math.min(other, Long.MAX_VALUE - one));
  }

  private List<ShardResult> ended() {
    List<ShardResult> ended = new ArrayList<>(done);
    ended.addAll(failed);
    return ended;
  }
}
