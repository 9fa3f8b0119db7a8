package dev.zcp.bench;

import dev.zcp.copy.Explanation;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.profile.RouteKey;
import java.util.List;

/// What the tuning found.
///
/// @param trials every choice, those of the last race in place of those before it
/// @param fastest what `auto` takes from now on for a file of this size
/// @param byItself what it took for one before
/// @param again both once more, against each other: what is best of many is partly so by luck,
///   which these runs do not have. Null if both are the same
/// @param longFile what `auto` takes from now on for a file of [#LONG_BYTES]
/// @param lost why the profile that was there before could not be kept; empty if nothing is lost
/// @param unwritten why the figures could not be kept, so that `auto` does as before; null if they
///   are
public record TuneResult(
    RouteKey routeKey,
    long fileBytes,
    long seed,
    List<Trial> trials,
    Chosen fastest,
    Chosen byItself,
    Duel again,
    Choice longFile,
    String lost,
    Failure unwritten) {

  /// The shortest file for which `auto` looks into the profile.
  static final long LONG_BYTES = Explanation.PROFILE_BYTES_MIN;

  /// Whether the fastest is faster than what `auto` takes by itself by more than chance, so that
  /// `auto` goes by the figures from now on.
  public boolean isBetter() {
    return again != null && again.isWon();
  }

  /// What was found of one choice, whose chunk of 0 is the strategy's own.
  public sealed interface Trial {

    Choice choice();

    /// Every run put the right bytes where they belong.
    ///
    /// @param firstNs the very first run, which does not count
    /// @param ns of the runs that count, in nanoseconds
    record Timed(Choice choice, long firstNs, Summary ns, int runs) implements Trial {}

    /// It cannot be done here.
    ///
    /// @param reason a phrase a user can read
    record Refused(Choice choice, String reason) implements Trial {}
  }

  /// What `auto` takes, or could.
  ///
  /// @param startUpNs what a process that copies one file pays before the first byte, by estimate:
  ///   no trial shows it, since only the first in a process pays it
  public record Chosen(Choice choice, long startUpNs) {}

  /// Two choices against each other, in nanoseconds, start-up and all.
  public record Duel(Summary fastestNs, Summary byItselfNs) {

    /// How much less time the fastest takes, in parts of what the other takes.
    double gain() {
      return 1 - fastestNs.median() / byItselfNs.median();
    }

    /// Whether it is so by more than chance.
    boolean isWon() {
      return fastestNs.median() < byItselfNs.median() && !fastestNs.isWithinNoiseOf(byItselfNs);
    }
  }
}
