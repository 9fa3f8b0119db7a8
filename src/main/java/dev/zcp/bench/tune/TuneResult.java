package dev.zcp.bench.tune;

import dev.zcp.bench.result.Summary;
import dev.zcp.copy.Explanation;
import dev.zcp.core.Failure;
import dev.zcp.profile.Way;
import java.util.List;

/// What the tuning found.
///
/// @param way what the figures are of
/// @param fileBytes the size of the file of the trials
/// @param seed of the order of the trials
/// @param trialled every way, those of the last race in place of those before it
/// @param chosen what `auto` takes from now on for a file of this size
/// @param byItself what it took for one before
/// @param again both once more, against each other: what is best of many is partly so by luck,
///   which these runs do not have. Null where both are the same
/// @param longFile what `auto` takes from now on for a file of [#LONG_BYTES]
/// @param leftOut strategies that were not tried, since `auto` never takes them
/// @param lost why the profile that was there before could not be kept; empty where nothing is lost
/// @param unwritten why the figures could not be kept, so that `auto` does as before; null where
///   they are
public record TuneResult(
    Way way,
    long fileBytes,
    long seed,
    List<Trialled> trialled,
    Chosen fastest,
    Chosen byItself,
    Duel again,
    Candidate longFile,
    List<String> leftOut,
    String lost,
    Failure unwritten) {

  /// The shortest file for which `auto` looks into the profile.
  static final long LONG_BYTES = Explanation.PROFILE_BYTES_MIN;

  public TuneResult {
    leftOut = List.copyOf(leftOut);
    trialled = List.copyOf(trialled);
  }

  /// Whether the fastest is faster than what `auto` takes by itself by more than chance, so that
  /// `auto` goes by the figures from now on.
  public boolean isBetter() {
    return again != null && again.isWon();
  }

  /// A way that `auto` takes, or could.
  ///
  /// @param chunkBytes its chunk; 0 is its own
  /// @param startUpNs what a process that copies one file pays before the first byte, by estimate:
  ///   no trial shows it, since only the first in a process pays it
  public record Chosen(String strategy, long chunkBytes, long startUpNs) {

    Candidate candidate() {
      return new Candidate(strategy, chunkBytes);
    }
  }

  /// Two ways against each other, in nanoseconds, start-up and all.
  public record Duel(Summary fastestNs, Summary byItselfNs) {

    /// How much less time the fastest takes, in parts of what the other takes.
    public double gain() {
      return 1 - fastestNs.median() / byItselfNs.median();
    }

    /// Whether it is so by more than chance.
    boolean isWon() {
      return fastestNs.median() < byItselfNs.median() && !fastestNs.isWithinNoiseOf(byItselfNs);
    }
  }
}
