package dev.zcp.bench.tune;

import dev.zcp.copy.CopyRequest;
import dev.zcp.copy.TreeCopy;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.Surroundings;
import dev.zcp.tree.Existing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;

/// A copy on this machine, by `zcp copy` itself.
final class CopyTrial implements Trial {

  private final RawPath source;
  private final RawPath target;
  private final Strategies strategies;

  CopyTrial(RawPath source, RawPath target, Strategies strategies) {
    this.source = source;
    this.target = target;
    this.strategies = strategies;
  }

  @Override
  public Outcome run(Choice choice) throws Failure {
    TrialEar ear = new TrialEar();
    TreeCopy.run(
        new CopyRequest(List.of(source), target, Existing.REPLACE, choice),
        new Surroundings(
            strategies, InputStream.nullInputStream(), OutputStream.nullOutputStream(), ear));
    Outcome outcome = ear.outcome();
    if (outcome instanceof Outcome.Took) {
      check(choice);
    }
    return outcome;
  }

  /// Compares the copy with its source and removes it: the next is to be a new file, too.
  private void check(Choice choice) throws Failure {
    try {
      long difference = TrialFile.mismatch(source.toPath(), target.toPath());
      if (difference >= 0) {
        throw Failure.of(
                ExitCode.INTEGRITY,
                target.toString(),
                "a trial by " + choice.strategy() + " differs at byte " + difference)
            .with("no profile was written; please report it");
      }
      Files.delete(target.toPath());
    } catch (IOException e) {
      throw Failure.of(ExitCode.DESTINATION, target.toString(), String.valueOf(e.getMessage()))
          .because(e);
    }
  }
}
