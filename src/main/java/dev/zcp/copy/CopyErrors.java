package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.place.Partials;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Walk.WalkErrors;
import java.util.concurrent.atomic.AtomicLong;

/// Tells of what failed, each entry once, and ends the copy if every other entry would fail alike.
final class CopyErrors implements WalkErrors {

  private final Insight insight;
  private final Partials partials;
  private final AtomicLong left = new AtomicLong();
  private volatile Failure fatal;

  CopyErrors(Insight insight, Partials partials) {
    this.insight = insight;
    this.partials = partials;
  }

  Insight insight() {
    return insight;
  }

  @Override
  public void tell(Object label, Failure failure) {
    if (!partials.isAbandoned()) {
      tell(insight.begin(label, -1, Stage.COPY), failure);
    }
  }

  /// @param log that of the entry
  void tell(FileLog log, Failure failure) {
    if (partials.isAbandoned()) {
      // The signal is the cause, and the exit code tells it.
      return;
    }
    boolean endsAll =
        failure.exitCode() == ExitCode.DESTINATION && Reasons.isOfFullTarget(failure.getCause());
    if (endsAll && !end(failure)) {
      // What was under way when the first was told meets with the same.
      left();
      log.left();
    } else {
      log.failed(failure);
    }
  }

  @Override
  public boolean isOver() {
    return fatal != null;
  }

  /// An entry was not tried, since it is over, or was under way then and failed of the same cause.
  @Override
  public void left() {
    left.incrementAndGet();
  }

  /// Tells why not all was tried, if that is so. To be called once, at the end.
  void tellEnd() {
    if (fatal != null) {
      long entries = left.get();
      String rest =
          entries == 0
              ? ""
              : "; " + entries + " more entries, with all that is in them, were not copied";
      insight.failed(
          Failure.of(
                  ExitCode.DESTINATION,
                  "the copy ended early, since nothing can be written to the target")
              .with("what was copied is complete" + rest)
              .because(fatal));
    }
  }

  /// @return whether this failure is the first that ends the copy
  private synchronized boolean end(Failure failure) {
    if (fatal != null) {
      return false;
    }
    fatal = failure;
    return true;
  }
}
