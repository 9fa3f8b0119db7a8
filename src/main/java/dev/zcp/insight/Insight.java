package dev.zcp.insight;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;

/// Collects what one transfer does, and tells a [Listener] as it goes. Any thread may call it.
public final class Insight {

  public Insight(String command, String strategyAsked, Listener listener) {}

  /// The work begins: the clock of [Result#elapsedNs] starts here.
  public void started(int files, long bytes) {}

  public void connected(String peer) {}

  public void note(String message) {}

  /// A file begins; `stage` is what one step of its transfer counts as.
  ///
  /// @param bytes the size, or -1 where it is not known
  public FileLog begin(String name, long bytes, Stage stage) {
    throw new IllegalStateException("skeleton");
  }

  /// The command as a whole failed.
  public void failed(Failure failure) {}

  /// Tells [Event.Finished] and returns its result. The exit code is derived: that of the first
  /// [#failed], else OK where no file failed, else that file's code where all failed for one cause,
  /// else SOME_FAILED.
  public Result finish() {
    throw new IllegalStateException("skeleton" + ExitCode.OK);
  }
}
