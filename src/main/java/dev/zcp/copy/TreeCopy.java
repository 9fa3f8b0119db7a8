package dev.zcp.copy;

import dev.zcp.carrier.RateLimit;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Prose;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.OwnProcess;
import dev.zcp.linux.StandardStreams;
import dev.zcp.place.Durability;
import dev.zcp.place.FormerCopies;
import dev.zcp.place.Partials;
import dev.zcp.place.RoomCheck;
import dev.zcp.profile.RouteTunings;
import dev.zcp.spi.Source;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.OpenDirectory.Room;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.BackgroundCount;
import dev.zcp.walk.OpenFolders;
import dev.zcp.walk.OperandRoots;
import dev.zcp.walk.TreeCounter;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import dev.zcp.walk.WorkerPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// `zcp copy`: copies files and trees of this machine.
///
/// A [Walk] through the [operands][Operands] finds what there is, and an [EntryCopier] makes it
/// anew; files are for its [FileCopier]. A [Conflict][dev.zcp.place.Conflict] says what becomes of
/// what has an entry's name. A [TreeComparison] takes the place of all that if nothing is to be
/// copied.
public final class TreeCopy {

  /// More threads than that were not measured; more than there are processors gained nothing.
  private static final int JOBS_MAX = 8;

  /// What the JVM and the parts of a copy that are no folders have open.
  private static final int DESCRIPTORS_APART = 24;

  /// A source, a target, a channel for each, a pipe.
  private static final int DESCRIPTORS_PER_JOB = 6;

  private static final int OPEN_FOLDERS_MIN = 4;
  private static final int OPEN_FOLDERS_MAX = 256;

  /// Nothing else is done meanwhile.
  private static final int COUNTING_JOBS = 2;

  private final CopyRequest request;
  private final CommandEnvironment environment;
  private final Insight insight;
  private final RateLimit rate;
  private final Partials partials = new Partials();
  private final Losses losses = new Losses();

  /// Whether a directory is copied to a new name: the same command again would copy it into that.
  private volatile boolean isNewTree;

  private TreeCopy(CopyRequest asked, CommandEnvironment environment, Insight insight) {
    this.rate = new RateLimit(asked.rateBytes());
    this.request = rate.isLimited() ? asked.inSteps(rate.stepBytesMax()) : asked;
    this.environment = environment;
    this.insight = insight;
    if (rate.isLimited()) {
      insight.paced(Stage.COPY, rate::intervalNs);
    }
  }

  /// Copies all that can be copied; what cannot is told, and does not stop the rest.
  public static Result run(CopyRequest asked, CommandEnvironment environment) {
    boolean compares = asked.assurance().compareOnly();
    Insight insight =
        new Insight(
            compares ? "compare" : "copy", asked.choice().strategy(), environment.listener());
    try {
      CopyRequest request = compares ? TreeComparison.placed(asked) : asked;
      if (request != asked) {
        insight.note(
            request.target() + ": is compared with the source itself: nothing in it has its name");
      }
      new TreeCopy(request, environment, insight).run();
    } catch (Failure failure) {
      insight.failed(failure);
    }
    return insight.finish();
  }

  /// @throws Failure if the command as a whole cannot be done
  private void run() throws Failure {
    if (request.dryRun()) {
      insight.dryRun();
    }
    int descriptors = OwnProcess.descriptorsMax();
    Engine engine = new Engine(environment.strategies(), request.choice());
    StandardStreams streams = new StandardStreams(environment.in(), environment.out());
    try (Guard _ = Guard.install(this::interrupt);
        Verification verification = Verification.of(request, partials, streams, insight);
        Durability durability =
            Durability.of(request.assurance().durable(), descriptors, insight)) {
      CopyContext context =
          CopyContext.of(
              request,
              environment,
              new CopyErrors(insight, partials),
              partials,
              losses,
              durability);
      ByteMover mover =
          new ByteMover(
              engine,
              request,
              new RouteTunings(environment.profile(), request.choice(), insight::note),
              new SourceWatch(request.policy().onChange(), insight),
              rate);
      FileCopier files = new FileCopier(context, mover, verification, streams);
      isNewTree = isNewTree();
      tellStart();
      EntryCopier copier = new EntryCopier(context, files);
      if (request.target().isStandardStream()) {
        copyToStandardOutput(files, streams);
      } else if (request.assurance().compareOnly()) {
        TreeComparison comparison = new TreeComparison(context, verification);
        walk(context, files, comparison, descriptors);
        comparison.tellEnd();
      } else {
        requireRoom();
        walk(context, files, copier, descriptors);
      }
      tellLosses();
      copier.delete();
      if (request.dryRun() && insight.isAnyChangePlanned()) {
        tellReadOnly();
      }
      while (context.publishing().flush()) {
        // What is done may have led to more.
      }
      try {
        durability.finish(request.target());
      } catch (Failure failure) {
        // The files are copied, so the list of them is wanted all the same.
        insight.failed(failure);
      }
      verification.finish();
    } catch (IOException e) {
      throw Reasons.destination(request.target(), e);
    }
  }

  private void interrupt() {
    partials.abandon();
    Guard.tell(
        () -> insight.interrupted(request.target() + ": interrupted (" + whatIsKept() + ")"));
  }

  /// What a signal leaves, and what to do.
  private String whatIsKept() {
    if (request.dryRun() || request.assurance().compareOnly()) {
      return "nothing was changed";
    }
    long files = insight.filesDone();
    String kept = files == 0 ? "no file is copied" : Prose.count(files, "file") + " copied";
    if (request.target().isStandardStream()) {
      return kept;
    }
    String damaged =
        request.policy().inPlace() ? "; what was written in place may be incomplete" : "";
    boolean goesOn =
        request.policy().skipSame()
            || request.policy().existing() == Existing.KEEP
            || request.policy().existing() == Existing.OLDER;
    String next =
        goesOn
            ? "; the same command again"
                + (isNewTree ? " with -T, since the target exists now," : "")
                + " copies the rest"
            : "; run the same command again"
                + (isNewTree ? " with -T, since the target exists now" : "")
                + (files > 0 && request.preserve().times()
                    ? (isNewTree ? ", and" : "") + " with --skip-same, to skip what is copied"
                    : "");
    if (partials.isAnyLasting()) {
      next += "; the large file goes on where it stopped";
    }
    return kept + damaged + next;
  }

  private boolean isNewTree() {
    return request.selection().recursive()
        && request.sources().size() == 1
        && request.placement() == Placement.AS_FOUND
        && !OperandRoots.isDots(OperandRoots.name(request.sources().getFirst()))
        && isDirectory(request.sources().getFirst())
        && !isDirectory(request.target());
  }

  private static boolean isDirectory(RawPath path) {
    try {
      FileStatus status = path.isStandardStream() ? null : FileStatus.ofExisting(path);
      return status != null && status.isDirectory();
    } catch (IOException e) {
      // Whoever copies it tells why it cannot be.
      return false;
    }
  }

  /// Of files that are named, how much there is to do is known before the first byte.
  private void tellStart() {
    if (request.form().kind() != CopyForm.CopyKind.COPY) {
      insight.started(-1, 0);
      return;
    }
    long bytes = 0;
    for (RawPath source : request.sources()) {
      FileStatus status = null;
      try {
        status = source.isStandardStream() ? null : FileStatus.ofExisting(source);
      } catch (IOException e) {
        // What is wrong with it is told when its turn comes.
      }
      boolean known = status != null && status.isRegular() && bytes >= 0;
      bytes = known ? bytes + status.sizeBytes() : -1;
    }
    boolean areFiles = bytes >= 0 && request.selection().names() == null;
    insight.started(areFiles ? request.sources().size() : -1, areFiles ? bytes : -1);
  }

  /// Trees are counted first if another file system might be too small for them. Within one, it may
  /// share blocks.
  ///
  /// @throws Failure if they cannot fit; nothing was copied then
  private void requireRoom() throws Failure {
    if (!isCountable(request) || request.policy().inPlace() || request.form().zerosToHoles()) {
      return;
    }
    RawPath into = isDirectory(request.target()) ? request.target() : request.target().parent();
    try (OpenDirectory target = OpenDirectory.open(into)) {
      Room room = target.room();
      boolean mayBeTooMuch = false;
      for (RawPath source : request.sources()) {
        if (isDirectory(source)) {
          try (OpenDirectory tree = OpenDirectory.open(source)) {
            Room there = tree.room();
            // Subvolumes have devices of their own, and one room.
            boolean isApart =
                tree.status().device() != target.status().device() && !there.equals(room);
            mayBeTooMuch |= isApart && there.usedBytes() > room.bytes();
          }
        }
      }
      TreeCounter counter =
          new TreeCounter(request.selection(), request.preserve().links(), COUNTING_JOBS);
      if (mayBeTooMuch && counter.count(request.sources())) {
        new RoomCheck(target, request.target().toString())
            .require(counter.dataBytes(), counter.entries());
      }
    } catch (IOException e) {
      // Whoever copies tells what is wrong.
    }
  }

  /// A dry run writes nothing, so the kernel refuses nothing. A device may be written to all the
  /// same.
  private void tellReadOnly() {
    RawPath into = isDirectory(request.target()) ? request.target() : request.target().parent();
    try (OpenDirectory directory = OpenDirectory.open(into)) {
      FileStatus there = FileStatus.ofExisting(request.target());
      boolean isWritten = there == null || there.isDirectory() || there.isRegular();
      if (isWritten && directory.isReadOnly()) {
        insight.failed(Failure.of(ExitCode.DESTINATION, into, "read-only file system"));
      }
    } catch (IOException e) {
      // Whoever planned it has told what is wrong.
    }
  }

  private BackgroundCount count() {
    return new BackgroundCount(
        request.selection(), request.preserve().links(), request.sources(), insight::counted);
  }

  /// Whether what is counted is what will be copied: not what a list names, nor if files of the
  /// target may be kept, or if no bytes are copied.
  private static boolean isCountable(CopyRequest request) {
    return request.policy().existing() == Existing.REPLACE
        && !request.policy().skipSame()
        && request.form().kind() == CopyForm.CopyKind.COPY
        && request.selection().names() == null
        && !request.assurance().compareOnly()
        && !request.dryRun();
  }

  private void walk(CopyContext context, FileCopier files, Visitor visitor, int descriptors)
      throws Failure {
    int jobs = jobs(descriptors);
    OpenFolders folders = new OpenFolders(openFolders(descriptors, jobs));
    Walk walk =
        new Walk(request.selection(), folders, new WorkerPool(jobs), visitor, context.errors());
    boolean isWanted = environment.listener().wantsTotals() && isCountable(request);
    try (BackgroundCount _ = isWanted ? count() : null;
        FormerCopies former = context.formerCopies()) {
      files.use(former);
      Operands operands = new Operands(context, walk, files);
      if (request.selection().names() == null) {
        operands.addAll();
      } else {
        operands.addListed(environment.in());
      }
      context.finish(walk.workers());
    } catch (RuntimeException | Error e) {
      // While their directories are open.
      partials.abandon();
      throw e;
    } finally {
      insight.corrected(context.metadata().corrections());
      folders.close();
    }
    if (!isOneFile()) {
      context.errors().tellEnd();
    }
  }

  /// Then there is no rest to tell of if it fails.
  private boolean isOneFile() {
    return request.sources().size() == 1
        && !request.selection().recursive()
        && request.selection().names() == null;
  }

  private void copyToStandardOutput(FileCopier files, StandardStreams streams) {
    for (RawPath source : request.sources()) {
      try {
        copyToStandardOutput(files, streams, source);
      } catch (Failure failure) {
        insight.begin(source, -1, Stage.COPY).failed(failure);
      } catch (IOException e) {
        insight.begin(source, -1, Stage.COPY).failed(Reasons.source(source, e));
      }
    }
  }

  private static void copyToStandardOutput(FileCopier files, StandardStreams streams, RawPath path)
      throws IOException, Failure {
    if (path.isStandardStream()) {
      try (Source source = streams.source()) {
        files.copyToStandardOutput("-", source, null);
      }
      return;
    }
    FileStatus status = FileStatus.of(path);
    if (status.isDirectory()) {
      throw Failure.of(ExitCode.USAGE, path, "is a directory").with("-r copies it");
    }
    if (!status.isRegular()) {
      try (ChannelEnd source = ChannelEnd.openToRead(path.toPath(), status.mode())) {
        files.copyToStandardOutput(path, source, status);
      }
      return;
    }
    try (OpenDirectory parent = OpenDirectory.open(path.parent());
        NativeFile source = parent.file(OperandRoots.name(path), true)) {
      files.copyToStandardOutput(path, source, source.status());
    }
  }

  private void tellLosses() {
    List<String> lost = new ArrayList<>();
    for (Loss loss : losses.all()) {
      insight.lost(loss.told());
      lost.add(loss.kind().label());
    }
    if (!lost.isEmpty() && request.policy().strict()) {
      insight.failed(
          Failure.of(ExitCode.DESTINATION, request.target(), Prose.list(lost) + " not kept")
              .with("without --strict that is no failure"));
    }
  }

  private int jobs(int descriptors) {
    int wanted =
        request.jobs() == CopyRequest.JOBS_MEASURED
            ? Math.min(Runtime.getRuntime().availableProcessors(), JOBS_MAX)
            : request.jobs();
    int possible = (descriptors - DESCRIPTORS_APART) / (2 * DESCRIPTORS_PER_JOB);
    return Math.clamp(wanted, 1, Math.max(1, possible));
  }

  private int openFolders(int descriptors, int jobs) {
    int free = descriptors - DESCRIPTORS_APART - jobs * DESCRIPTORS_PER_JOB;
    // Files that wait to be forced are open, and so are their folders.
    int share = request.assurance().durable() ? 4 : 2;
    return Math.clamp(free / share, OPEN_FOLDERS_MIN, OPEN_FOLDERS_MAX);
  }
}
