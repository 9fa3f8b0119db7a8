package dev.zcp.bench.tune;

import dev.zcp.bench.result.Summary;
import dev.zcp.profile.Way;
import java.util.List;

/// What the tuning found.
///
/// @param way what the figures are of
/// @param fileBytes the size of the file of the trials
/// @param seed of the order of the trials
/// @param trialled every way, those of the last race in place of those before it
/// @param chosen the fastest
/// @param again the fastest and `auto` once more, against each other: what is best of many is
///   partly so by luck, which these runs do not have. Null where the fastest is what `auto` takes
///   anyway
/// @param better whether the fastest beat `auto` there by more than chance
/// @param lost why the profile that was there before could not be kept; empty where nothing is lost
public record TuneResult(
    Way way,
    long fileBytes,
    long seed,
    List<Trialled> trialled,
    Trialled.Measured chosen,
    Duel again,
    boolean better,
    String lost) {

  public TuneResult {
    trialled = List.copyOf(trialled);
  }

  /// Two ways against each other.
  ///
  /// @param chosenNs the times of the fastest, in nanoseconds
  /// @param autoNs the times of `auto` without a profile
  public record Duel(Summary chosenNs, Summary autoNs) {

    /// How much less time the fastest takes, in parts of what `auto` takes.
    public double gain() {
      return 1 - chosenNs.median() / autoNs.median();
    }

    boolean isWon() {
      return chosenNs.median() < autoNs.median() && !chosenNs.isWithinNoiseOf(autoNs);
    }
  }
}
