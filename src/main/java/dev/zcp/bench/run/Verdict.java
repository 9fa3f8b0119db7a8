package dev.zcp.bench.run;

import dev.zcp.bench.result.Sample;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.TransferException;
import java.io.IOException;

/// What came of a run.
sealed interface Verdict {

  /// The right bytes arrived, as far as the run looked.
  ///
  /// @param callCount [CallCount#NONE] unless the run was for counting
  /// @param bufferBytes what the kernel gave; 0 where there was no socket
  /// @param cachedBefore how much of the source was cached; NaN where there was none
  record Done(Sample sample, CallCount callCount, int bufferBytes, double cachedBefore)
      implements Verdict {}

  /// It cannot be done here.
  record Refused(String reason) implements Verdict {}

  /// It went wrong.
  record Failed(String message) implements Verdict {}

  /// What a contender's exception means. Too little memory is a refusal: the cell asks for more
  /// than this process was given.
  static Verdict of(Throwable failure) {
    return switch (failure) {
      case RefusedException e -> new Refused(e.reason());
      case OutOfMemoryError e -> new Refused("needs more memory than there is: " + e.getMessage());
      case TransferException e ->
          isForMemory(e.failure()) ? new Refused(Phrase.of(e.failure())) : new Failed(Phrase.of(e));
      case IOException e -> new Failed(Phrase.of(e));
      case Lane.OverdueException e -> new Failed(e.getMessage());
      default -> new Failed(Phrase.ofDefect(failure));
    };
  }

  private static boolean isForMemory(IOException e) {
    return e.getCause() instanceof OutOfMemoryError;
  }
}
