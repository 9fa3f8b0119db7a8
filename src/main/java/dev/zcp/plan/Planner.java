package dev.zcp.plan;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Partials.HiddenName;
import dev.zcp.plan.ShardLists.ShardLoad;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Makes a plan: a directory with a list of names for each shard, one of all directories, and
/// `plan.json`. It is made under a hidden name and then renamed, so it is there as a whole or not
/// at all.
public final class Planner {

  private Planner() {}

  /// What is to be planned.
  ///
  /// @param source a directory
  /// @param output where the plan goes: nothing is there, or an empty directory
  public record PlanRequest(
      RawPath source, int shards, RawPath output, boolean oneFileSystem, CostModel cost) {}

  /// A plan that was made.
  ///
  /// @param averageNs what a shard costs
  /// @param maxNs what the most expensive one costs
  public record PlanSummary(ShardPlan plan, double averageNs, double maxNs) {}

  public static PlanSummary plan(PlanRequest request) throws Failure {
    RawPath output = request.output();
    try {
      requireFree(output);
      RawPath hidden = output.parent().resolve(HiddenName.random());
      Path partial = Files.createDirectory(hidden.toPath());
      try (Guard _ = Guard.install(() -> Quietly.deleteFlat(partial))) {
        PlanSummary summary = write(request, partial);
        Files.move(partial, output.toPath(), StandardCopyOption.ATOMIC_MOVE);
        return summary;
      } finally {
        // It was renamed; or it goes, and what made it fail is told.
        Quietly.deleteFlat(partial);
      }
    } catch (DirectoryNotEmptyException | FileAlreadyExistsException e) {
      throw isTaken(output);
    } catch (IOException e) {
      throw Reasons.destination(output, e);
    }
  }

  private static void requireFree(RawPath output) throws IOException, Failure {
    FileStatus status = FileStatus.ofExisting(output);
    if (status == null && !FileStatus.exists(output)) {
      return;
    }
    if (status == null || !status.isDirectory()) {
      throw isTaken(output);
    }
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(output.toPath())) {
      if (listing.iterator().hasNext()) {
        throw isTaken(output);
      }
    }
  }

  private static Failure isTaken(RawPath output) {
    return Failure.of(ExitCode.EXISTS, output, "exists, and is no empty directory")
        .with("it is unharmed; plan into another one");
  }

  private static PlanSummary write(PlanRequest request, Path directory)
      throws IOException, Failure {
    Path items = directory.resolve("items");
    try (TreeRecorder recorder =
        new TreeRecorder(items, directory.resolve(Shard.DIRECTORIES), request.oneFileSystem())) {
      recorder.record(request.source());
      ShardPlan plan =
          new ShardPlan(
              absolute(request.source()),
              request.shards(),
              recorder.entries(),
              recorder.bytes(),
              request.cost(),
              "");
      int[] groups = recorder.groups();
      double sum = 0;
      double max = 0;
      for (ShardLoad load :
          new ShardLists(items, groups, plan.cost(), plan.shards(), directory).write()) {
        sum += load.ns();
        max = Math.max(max, load.ns());
      }
      Files.delete(items);
      plan.write(directory);
      return new PlanSummary(plan, sum / plan.shards(), max);
    }
  }

  /// Shards run in other working directories.
  private static RawPath absolute(RawPath path) throws IOException {
    return path.bytes()[0] == '/'
        ? path
        : RawPath.of(Path.of("/proc/self/cwd").toRealPath()).resolve(path.bytes());
  }
}
