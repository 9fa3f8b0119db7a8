package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Prose;
import dev.zcp.engine.Engine;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Surroundings;
import dev.zcp.io.DescriptorLimit;
import dev.zcp.io.StandardStreams;
import dev.zcp.tree.Loss;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Partial;
import dev.zcp.tree.Partials;
import dev.zcp.tree.Preserver;
import dev.zcp.tree.Reasons;
import dev.zcp.tree.Staging;
import dev.zcp.tree.Umask;
import dev.zcp.walk.Crew;
import dev.zcp.walk.OpenFolders;
import dev.zcp.walk.Walk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Copies trees.
///
/// A [Walk] through the [operands][Operands] finds what there is, and a [visitor][CopyVisitor]
/// makes directories and completes them. An [entry][EntryCopy] is a [file][FileEntry], which is
/// filled under a [hidden name][Partial] and then [published][FilePublication], another [name of
/// one][LinkedNames] that was copied, or [something else][OtherEntry]; a [Clash] says what becomes
/// of what has its name. A [dry run][PlanVisitor] tells of all that, and a [TreeComparison] takes
/// its place. Only a [HeadCount], for somebody who watches, goes by paths.
final class TreeCopy {

  /// More threads than that were not measured; more than there are processors gained nothing.
  private static final int JOBS_MAX = 8;

  /// What the JVM and the parts of a copy that are no folders have open.
  private static final int DESCRIPTORS_APART = 24;

  /// A source, a target, a channel for each, a pipe.
  private static final int DESCRIPTORS_PER_JOB = 6;

  private static final int OPEN_FOLDERS_MIN = 4;
  private static final int OPEN_FOLDERS_MAX = 256;

  private TreeCopy() {}

  /// Copies all that can be copied; what cannot is told.
  ///
  /// @throws Failure where the command as a whole cannot be done
  static void run(
      CopyRequest asked,
      Engine engine,
      Partials partials,
      Staging staging,
      Surroundings surroundings,
      Insight insight)
      throws Failure {
    CopyRequest request = asked.assurance().compareOnly() ? TreeComparison.placed(asked) : asked;
    if (request != asked) {
      insight.note(
          request.target() + ": is compared itself, since nothing in it has its source's name");
    }
    int descriptors = DescriptorLimit.ofProcess();
    int jobs = jobs(request, descriptors);
    Losses losses = new Losses();
    StandardStreams streams = new StandardStreams(surroundings.in(), surroundings.out());
    try (Proof proof = Proof.of(request, staging, streams, insight);
        Durability durability =
            Durability.of(request.assurance().durable(), descriptors, insight)) {
      Means means =
          new Means(
              request,
              insight,
              new Preserver(request.preserve(), losses, Umask.ofProcess()),
              losses,
              new FileBody(engine, request, insight),
              proof,
              durability,
              partials,
              new OpenFolders(openFolders(request, descriptors, jobs)),
              new Crew(jobs),
              new Rivals(request.policy(), surroundings.consent(), insight));
      countAndCopy(means, surroundings);
    } catch (IOException e) {
      throw Reasons.destination(request.target(), e);
    }
  }

  private static void countAndCopy(Means means, Surroundings surroundings) throws Failure {
    boolean wanted = surroundings.listener().wantsTotals();
    try (HeadCount count = wanted ? HeadCount.of(means.request(), means.insight()) : null) {
      if (count != null) {
        count.start();
      }
      copy(means, surroundings);
    }
  }

  private static void copy(Means means, Surroundings surroundings) throws Failure {
    Operands operands = new Operands(means);
    if (means.request().selection().names() == null) {
      operands.addAll();
    } else {
      operands.addListed(surroundings.in());
    }
    do {
      means.walk().crew().run();
      // What was published now may be what other names wait for.
    } while (means.durability().flush() || means.walk().crew().hasWork());
    means.failures().tellEnd();
    if (means.comparison() != null) {
      means.comparison().tellEnd();
    }
    tell(means);
    means.durability().finish(means.request().target());
    means.proof().finish();
  }

  private static void tell(Means means) {
    List<String> lost = new ArrayList<>();
    for (Loss loss : means.losses().all()) {
      String what = loss.kind().label();
      means.insight().lost(what, loss.files(), loss.firstName(), loss.reason());
      lost.add(what);
    }
    if (!lost.isEmpty() && means.request().policy().strict()) {
      Failure failure =
          Failure.of(
                  ExitCode.DESTINATION,
                  means.request().target().toString(),
                  Prose.list(lost) + " not kept")
              .with("without --strict that is no failure");
      means.insight().failed(failure);
    }
  }

  private static int jobs(CopyRequest request, int descriptors) {
    int wanted =
        request.jobs() == CopyRequest.JOBS_MEASURED
            ? Math.min(Runtime.getRuntime().availableProcessors(), JOBS_MAX)
            : request.jobs();
    int possible = (descriptors - DESCRIPTORS_APART) / (2 * DESCRIPTORS_PER_JOB);
    return Math.clamp(wanted, 1, Math.max(1, possible));
  }

  private static int openFolders(CopyRequest request, int descriptors, int jobs) {
    int free = descriptors - DESCRIPTORS_APART - jobs * DESCRIPTORS_PER_JOB;
    // Files that wait to be forced are open, and so are their folders.
    int share = request.assurance().durable() ? 4 : 2;
    return Math.clamp(free / share, OPEN_FOLDERS_MIN, OPEN_FOLDERS_MAX);
  }
}
