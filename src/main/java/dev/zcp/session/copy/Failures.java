package dev.zcp.session.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.tree.FullTarget;
import java.util.concurrent.atomic.AtomicLong;

/// Tells of what failed, each entry once, and ends the copy where every other entry would fail
/// alike.
final class Failures {

  private final Insight insight;
  private final Partials partials;
  private final AtomicLong left = new AtomicLong();
  private volatile Failure fatal;

  Failures(Insight insight, Partials partials) {
    this.insight = insight;
    this.partials = partials;
  }

  /// @param label the entry's name
  void tell(Object label, Failure failure) {
    if (!partials.isAbandoned()) {
      tell(insight.begin(label.toString(), -1, Stage.COPY), failure);
    }
  }

  /// @param log that of the entry
  void tell(FileLog log, Failure failure) {
    if (partials.isAbandoned()) {
      // The signal is the cause, and the exit code tells it.
      return;
    }
    log.failed(failure);
    if (failure.exitCode() == ExitCode.DESTINATION && FullTarget.isCause(failure.getCause())) {
      end(failure);
    }
  }

  /// Whether nothing more is to be tried.
  boolean isOver() {
    return fatal != null;
  }

  /// An entry was not tried, since it is over.
  void left() {
    left.incrementAndGet();
  }

  /// Tells why not all was tried, where that is so. To be called once, at the end.
  void tellEnd() {
    if (fatal != null) {
      long entries = left.get();
      String rest =
          entries == 0 ? "" : "; not tried were " + entries + " entries and what is in them";
      insight.failed(
          Failure.of(ExitCode.DESTINATION, "the copy ended early, since the target takes no more")
              .with("what was copied is complete" + rest)
              .because(fatal));
    }
  }

  private synchronized void end(Failure failure) {
    if (fatal == null) {
      fatal = failure;
    }
  }
}
