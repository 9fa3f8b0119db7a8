package dev.zcp.bench;

import dev.zcp.bench.Tuner.TuneRequest;
import dev.zcp.copy.CopyRequest;
import dev.zcp.copy.Explanation;
import dev.zcp.copy.TreeCopy;
import dev.zcp.core.Address;
import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Quietly;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Engine.Tuning;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.linux.FileStatus;
import dev.zcp.profile.Mounts;
import dev.zcp.profile.RouteKey;
import dev.zcp.session.Flow;
import dev.zcp.session.SendRequest;
import dev.zcp.session.send.Sender;
import dev.zcp.tree.Ends;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The trials of a tuning: each moves the trial file once, as the user's command would, and sees to
/// it that the right bytes arrived. Closing it removes all that was made.
final class TuneTrials implements Closeable {

  private static final long CONNECT_NS_MAX = 3_000_000_000L;
  private static final long STALL_NS_MAX = 30_000_000_000L;

  private final TuneRequest request;
  private final Strategies strategies;
  private final List<Closeable> opened = new ArrayList<>();
  private BenchSource source;
  private RouteKey routeKey;
  private Explanation explanation;

  /// Null if the target is a receiver.
  private RawPath target;

  /// Null if the target is a directory.
  private Address receiver;

  private TuneTrials(TuneRequest request, Strategies strategies) {
    this.request = request;
    this.strategies = strategies;
  }

  /// @throws Failure if an end is not there, is of no use, or has no space
  static TuneTrials prepare(TuneRequest request, Strategies strategies) throws Failure {
    TuneTrials trials = new TuneTrials(request, strategies);
    try {
      trials.takeSource();
      trials.takeTarget();
      RawPath from = RawPath.of(trials.source.path());
      RawPath to = trials.target == null ? RawPath.of(trials.receiver.toString()) : trials.target;
      trials.explanation = Explanation.of(strategies, from, to, null);
      return trials;
    } catch (Failure | RuntimeException e) {
      trials.close();
      throw e;
    }
  }

  long fileBytes() {
    return source.bytes();
  }

  RouteKey routeKey() {
    return routeKey;
  }

  /// The strategies in the order in which `auto` tries them here without a profile.
  List<Engine.Candidate> order() {
    return explanation.usable();
  }

  List<Engine.Candidate> orderOfLong(Tuning tuning) throws Failure {
    return Explanation.usable(strategies, explanation.route(), TuneResult.LONG_BYTES, tuning);
  }

  /// Moves the file once.
  ///
  /// @return the time from the first step until the file was complete
  /// @throws Failure if it went wrong: no space, no peer; INTEGRITY if other bytes arrived
  /// @throws RefusedException if it cannot be done here
  long run(Choice choice) throws Failure, RefusedException {
    TrialListener listener = new TrialListener();
    CommandEnvironment environment =
        new CommandEnvironment(
            strategies, InputStream.nullInputStream(), OutputStream.nullOutputStream(), listener);
    RawPath from = RawPath.of(source.path());
    if (target == null) {
      Flow flow = Flow.of(CONNECT_NS_MAX, STALL_NS_MAX);
      // The protocol's digest proves that the right bytes arrived.
      Sender.send(SendRequest.trial(receiver, from, choice, request.key(), flow), environment);
      return listener.elapsedNs();
    }
    TreeCopy.run(new CopyRequest(List.of(from), target, choice), environment);
    long elapsedNs = listener.elapsedNs();
    check(choice);
    return elapsedNs;
  }

  @Override
  public void close() {
    opened.forEach(Quietly::close);
  }

  /// Compares the copy with its source and removes it: the next is to be a new file, too.
  private void check(Choice choice) throws Failure {
    try {
      String finding = ContentCheck.ofFile(target.toPath(), source.content(), source.bytes());
      if (!finding.isEmpty() && !source.isUnchanged()) {
        throw Failure.of(ExitCode.SOURCE, source.path(), "changed while it was measured");
      }
      if (!finding.isEmpty()) {
        String what = "a trial by " + choice.strategy() + " went wrong: " + finding;
        throw Failure.of(ExitCode.INTEGRITY, target, what)
            .with("no profile was written; please report it");
      }
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    }
    Workspace.remove(target.toPath());
  }

  private void takeSource() throws Failure {
    RawPath path = request.source();
    FileStatus status = statusOf(path);
    if (status == null) {
      throw Failure.of(ExitCode.SOURCE, path, "no such file or directory");
    }
    if (!status.isRegular() && !status.isDirectory()) {
      throw Failure.of(ExitCode.USAGE, path, "is neither a file nor a directory");
    }
    long bytes = status.isRegular() ? status.sizeBytes() : request.fileBytes();
    if (bytes < TuneRequest.FILE_BYTES_MIN) {
      String what = "a trial of " + new ByteSize(bytes) + " is too short to compare strategies";
      throw Failure.of(ExitCode.USAGE, path, what)
          .with("it takes " + new ByteSize(TuneRequest.FILE_BYTES_MIN) + " at least");
    }
    if (status.isRegular()) {
      source = BenchSource.ofUser(path);
      opened.add(source);
      return;
    }
    FileStatus end = statusOf(request.target());
    boolean shared = end != null && end.device() == status.device();
    Workspace workspace = workspaceIn(path);
    workspace.reserve(Set.of(bytes), shared ? bytes : 0);
    source = workspace.source(bytes);
  }

  private void takeTarget() throws Failure {
    RawPath path = request.target();
    FileStatus status = statusOf(path);
    if (status == null) {
      try {
        receiver = Ends.address(path);
      } catch (IllegalArgumentException e) {
        throw Failure.of(ExitCode.DESTINATION, path, "no such directory")
            .with("nor is it an address, HOST:PORT")
            .because(e);
      }
      routeKey = Explanation.routeKeyTo(receiver);
      return;
    }
    if (!status.isDirectory()) {
      throw Failure.of(ExitCode.DESTINATION, path, "not a directory")
          .with("trials are made in one, and removed");
    }
    Workspace workspace = workspaceIn(path);
    workspace.reserve(Set.of(), source.bytes());
    target = RawPath.of(workspace.newTarget().path());
    try {
      routeKey = Mounts.read().between(source.path(), path.toPath());
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
    if (routeKey == null) {
      throw Failure.of(ExitCode.DESTINATION, path, "no mount is known that holds it");
    }
  }

  private Workspace workspaceIn(RawPath parent) throws Failure {
    try {
      Content.Generated content = new Content.Generated(Content.ContentKind.RANDOM, request.seed());
      Workspace workspace = Workspace.open(parent, content);
      opened.add(workspace);
      return workspace;
    } catch (Failure e) {
      throw Failure.of(e.exitCode(), parent, "no trial can be made there")
          .with(e.reason())
          .because(e);
    }
  }

  /// Null if nothing is there.
  private static FileStatus statusOf(RawPath path) throws Failure {
    try {
      return FileStatus.ofExisting(path);
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
  }

  /// Remembers how long one trial took, or why it failed.
  private static final class TrialListener implements Listener {

    private Event.FileDone done;
    private Failure failure;

    @Override
    public synchronized void on(Event event) {
      if (event instanceof Event.FileDone file) {
        done = file;
      } else if (failure == null && event instanceof Event.FileFailed file) {
        failure = file.failure();
      } else if (failure == null && event instanceof Event.Failed command) {
        failure = command.failure();
      }
    }

    synchronized long elapsedNs() throws Failure, RefusedException {
      if (failure != null && failure.getCause() instanceof RefusedException refused) {
        throw refused;
      }
      if (failure != null) {
        throw failure;
      }
      if (done == null) {
        throw Failure.of(ExitCode.INTERNAL, "a trial ended and said nothing of its file");
      }
      return done.elapsedNs();
    }
  }
}
