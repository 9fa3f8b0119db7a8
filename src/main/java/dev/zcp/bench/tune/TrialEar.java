package dev.zcp.bench.tune;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.RefusedException;
import dev.zcp.insight.Event;
import dev.zcp.insight.Listener;

/// Hears what one trial says, and remembers what matters of it.
final class TrialEar implements Listener {

  private Event.FileDone done;
  private Failure failure;

  @Override
  public synchronized void on(Event event) {
    if (event instanceof Event.FileDone file) {
      done = file;
    } else if (event instanceof Event.FileFailed file) {
      failed(file.failure());
    } else if (event instanceof Event.Failed command) {
      failed(command.failure());
    }
  }

  /// @throws Failure where the trial failed for another cause than that its strategy will not serve
  synchronized Outcome outcome() throws Failure {
    if (failure != null && failure.getCause() instanceof RefusedException refused) {
      return new Outcome.Refused(refused.reason());
    }
    if (failure != null) {
      throw failure;
    }
    if (done == null) {
      throw Failure.of(ExitCode.INTERNAL, "a trial ended and said nothing of its file");
    }
    return new Outcome.Took(done.elapsedNs());
  }

  private void failed(Failure first) {
    failure = failure == null ? first : failure;
  }
}
