package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Surroundings;
import dev.zcp.io.StandardStreams;
import dev.zcp.linux.FileStatus;
import dev.zcp.profile.RouteTunings;
import dev.zcp.tree.Existing;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Partials;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Reasons;
import dev.zcp.tree.Sources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `zcp copy`: files of this machine to a file, a directory or a stream of this machine.
public final class Copier {

  private final CopyRequest request;
  private final Insight insight;

  private Copier(CopyRequest request, Insight insight) {
    this.request = request;
    this.insight = insight;
  }

  /// Copies every source it can; one that fails does not stop the others.
  public static Result copy(CopyRequest request, Surroundings surroundings) {
    String command = request.assurance().compareOnly() ? "compare" : "copy";
    Insight insight = new Insight(command, request.choice().strategy(), surroundings.listener());
    Copier copier = new Copier(request, insight);
    StandardStreams streams = new StandardStreams(surroundings.in(), surroundings.out());
    Partials partials = request.isPlain() ? null : new Partials();
    try (Guard guard = Guard.install(partials == null ? () -> {} : partials::abandon)) {
      Engine engine = new Engine(surroundings.strategies(), request.choice());
      if (partials != null) {
        insight.started(-1, -1);
        TreeCopy.run(request, engine, partials, guard.staging(), surroundings, insight);
        return insight.finish();
      }
      List<Job> jobs = copier.plan();
      insight.started(jobs.size(), bytesOf(jobs));
      RouteTunings tunings =
          new RouteTunings(surroundings.profile(), request.choice(), insight::note);
      FileCopy copy = new FileCopy(request, engine, tunings, guard.staging(), streams, insight);
      for (Job job : jobs) {
        copy.run(job);
      }
    } catch (Failure failure) {
      insight.failed(failure);
    }
    return insight.finish();
  }

  /// One file to copy.
  ///
  /// @param sourceStatus the status of the source when the copy was planned; null for standard
  ///   input
  /// @param policy what to do where the target exists
  record Job(RawPath source, FileStatus sourceStatus, RawPath target, Policy policy) {

    Existing existing() {
      return policy.existing();
    }

    long bytes() {
      return sourceStatus == null || !sourceStatus.isRegular() ? -1 : sourceStatus.sizeBytes();
    }
  }

  /// Says for each source where it goes. Looks at everything and changes nothing, so that what can
  /// be known to fail fails before the first byte.
  private List<Job> plan() throws Failure {
    List<RawPath> sources = request.sources();
    RawPath target = request.target();
    boolean intoDirectory = request.placement() != Placement.EXACTLY && isDirectory(target);
    if (request.placement() == Placement.INSIDE && !intoDirectory) {
      throw Failure.of(ExitCode.DESTINATION, target.toString(), "not a directory, as -t has it");
    }
    if (sources.size() > 1 && !intoDirectory && !target.isStandardStream()) {
      throw Failure.of(
          ExitCode.DESTINATION,
          target.toString(),
          "not a directory, and there are several sources");
    }
    if (!intoDirectory && target.endsInSlash()) {
      throw Failure.of(ExitCode.DESTINATION, target.toString(), "no such directory")
          .with("create it first");
    }
    List<Job> jobs = new ArrayList<>(sources.size());
    Map<RawPath, RawPath> taken = new HashMap<>();
    for (RawPath source : sources) {
      RawPath place = intoDirectory ? target.resolve(nameIn(target, source)) : target;
      RawPath other = taken.put(place, source);
      if (other != null && !place.isStandardStream()) {
        throw Failure.of(
            ExitCode.USAGE,
            place.toString(),
            "both " + other + " and " + source + " would go here");
      }
      addJob(jobs, source, place);
    }
    return jobs;
  }

  private void addJob(List<Job> jobs, RawPath source, RawPath target) throws Failure {
    if (source.isStandardStream()) {
      jobs.add(new Job(source, null, target, request.policy()));
      return;
    }
    try {
      jobs.add(new Job(source, Sources.inspect(source, "-r copies it"), target, request.policy()));
    } catch (Failure failure) {
      if (request.sources().size() == 1) {
        throw failure;
      }
      insight.begin(source.toString(), -1, Stage.COPY).failed(failure);
    }
  }

  private static byte[] nameIn(RawPath directory, RawPath source) throws Failure {
    if (source.isStandardStream()) {
      throw Failure.of(
          ExitCode.USAGE,
          directory.toString(),
          "is a directory, and standard input has no name to take there");
    }
    return source.lastComponent();
  }

  private static boolean isDirectory(RawPath path) throws Failure {
    if (path.isStandardStream()) {
      return false;
    }
    try {
      FileStatus status = FileStatus.ofExisting(path);
      return status != null && status.isDirectory();
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
  }

  private static long bytesOf(List<Job> jobs) {
    long bytes = 0;
    for (Job job : jobs) {
      if (job.bytes() < 0) {
        return -1;
      }
      bytes += job.bytes();
    }
    return bytes;
  }
}
