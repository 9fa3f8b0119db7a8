package dev.zcp.bench.tune;

import dev.zcp.core.Failure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/// Runs candidates in turn, each round in another order, so that what the machine does besides
/// falls on all of them alike.
final class Race {

  /// After so many rounds those that cannot win any more leave.
  private static final int ROUNDS_BEFORE_LEAVING = 3;

  /// Whose fastest run takes longer than this times the leader's slowest cannot win.
  private static final double HOPELESS = 1.5;

  private final Trial trial;
  private final Random random;
  private final TuneListener listener;

  /// Trials of the race that is on.
  private int done;

  private int most;

  Race(Trial trial, long seed, TuneListener listener) {
    this.trial = trial;
    this.random = new Random(seed);
    this.listener = listener;
  }

  /// Every candidate runs once apart, then `runs` times.
  ///
  /// @param what it is for, a phrase
  List<Runner> run(String what, List<Candidate> candidates, int runs) throws Failure {
    listener.begins(what, candidates.size(), runs);
    most = candidates.size() * (runs + 1);
    done = 0;
    List<Runner> runners = new ArrayList<>();
    for (Candidate candidate : candidates) {
      runners.add(new Runner(candidate));
    }
    for (Runner runner : shuffled(runners)) {
      runner.first(outcome(runner.candidate()));
    }
    for (int round = 1; round <= runs; round++) {
      for (Runner runner : shuffled(runners)) {
        if (runner.takesPart()) {
          runner.counted(outcome(runner.candidate()));
        }
      }
      if (round >= ROUNDS_BEFORE_LEAVING) {
        letHopelessLeave(runners);
      }
    }
    return runners;
  }

  private Outcome outcome(Candidate candidate) throws Failure {
    listener.running(candidate.toString(), done, most);
    Outcome outcome = trial.run(candidate.choice());
    done++;
    return outcome;
  }

  private static void letHopelessLeave(List<Runner> runners) {
    double leaderNs = Double.MAX_VALUE;
    for (Runner runner : runners) {
      leaderNs = runner.isRefused() ? leaderNs : Math.min(leaderNs, runner.maxNs());
    }
    for (Runner runner : runners) {
      if (runner.minNs() > HOPELESS * leaderNs) {
        runner.giveUp();
      }
    }
  }

  private List<Runner> shuffled(List<Runner> runners) {
    List<Runner> order = new ArrayList<>(runners);
    Collections.shuffle(order, random);
    return order;
  }
}
