package dev.zcp.bench;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Engine.Tuning;
import dev.zcp.engine.Strategies;
import dev.zcp.profile.MeasuredRoute;
import dev.zcp.profile.MeasuredRoute.Measured;
import dev.zcp.profile.Profile;
import dev.zcp.session.KeySource;
import dev.zcp.spi.Verdict;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// Finds the fastest way between two places of the user's and keeps what it found in the profile.
///
/// Three races: all strategies, each with its own chunk; the best few with other chunks; and what
/// won against what `auto` takes by itself, once more.
public final class Tuner {

  /// Never tried: `auto` does not take it, however fast, since a source that is truncated meanwhile
  /// costs an error at best.
  static final String NEVER = "mmap";

  private static final int FINALISTS_MAX = 3;
  private static final double BYTES_PER_MIB = 1 << 20;

  /// After so many rounds those that cannot win any more leave.
  private static final int ROUNDS_BEFORE_LEAVING = 3;

  /// Whose fastest run takes longer than this times the leader's slowest cannot win.
  private static final double HOPELESS = 1.5;

  /// Chunks for strategies that copy through a buffer: it should stay in the processor's cache.
  private static final List<Long> BUFFER_CHUNKS = List.of(128L << 10, 512L << 10, 2L << 20);

  /// Chunks for those that leave the bytes to the kernel, where only calls are to be saved.
  private static final List<Long> KERNEL_CHUNKS = List.of(2L << 20, 16L << 20, 64L << 20);

  private final TuneRequest request;
  private final Strategies strategies;
  private final TuneListener listener;
  private final TuneTrials trials;
  private final Random random;

  private final Map<String, Verdict.Usable> verdicts = new HashMap<>();

  /// What every choice has shown, in its last race.
  private final Map<Choice, Competitor> known = new LinkedHashMap<>();

  /// What `zcp bench --tune` was asked to do.
  ///
  /// @param source a regular file, or a directory in which one is made for the while
  /// @param target a directory, in which trials are made and removed; else the address of a
  ///   receiver that keeps nothing
  /// @param key where the receiver's key may come from
  /// @param fileBytes how long the file is to be if one is made
  /// @param runs how many runs of each way count
  /// @param seed of the order in which ways take turns
  /// @param profile where the figures go
  public record TuneRequest(
      RawPath source,
      RawPath target,
      KeySource key,
      long fileBytes,
      int runs,
      long seed,
      RawPath profile,
      String zcpVersion) {

    /// Fewer do not tell chance from a difference.
    public static final int RUNS_MIN = 7;

    /// In a shorter file what is paid once hides what is paid for each MiB.
    static final long FILE_BYTES_MIN = 8L << 20;
  }

  /// Hears how the tuning gets on, never while a clock runs.
  @FunctionalInterface
  public interface TuneListener {

    /// A race begins.
    ///
    /// @param what it is for, a phrase
    void begins(String what, int ways, int runs);

    /// A trial is about to run.
    ///
    /// @param way a strategy, with its chunk if it is not its own
    /// @param done how many trials of this race are over
    /// @param most how many there are at most: what cannot win is left out later
    default void running(String way, int done, int most) {}
  }

  private Tuner(
      TuneRequest request, Strategies strategies, TuneListener listener, TuneTrials trials) {
    this.request = request;
    this.strategies = strategies;
    this.listener = listener;
    this.trials = trials;
    this.random = new Random(request.seed());
    trials.order().forEach(each -> verdicts.put(each.strategy().name(), each.verdict()));
  }

  /// Tries, chooses, and writes the profile.
  ///
  /// @throws Failure if an end is not there or has no space, if a trial fails, or if it can be told
  ///   beforehand that the profile cannot be written
  public static TuneResult tune(TuneRequest request, Strategies strategies, TuneListener listener)
      throws Failure {
    try {
      Profile.requireWritable(request.profile());
    } catch (IOException e) {
      // What was measured is worth little to one who cannot keep it, and took its time.
      throw unwritable(request.profile(), e)
          .with("nothing was measured; ZCP_PROFILE names another place for the profile");
    }
    try (TuneTrials trials = TuneTrials.prepare(request, strategies)) {
      return new Tuner(request, strategies, listener, trials).tune();
    }
  }

  private TuneResult tune() throws Failure {
    List<Choice> all =
        strategies.names().stream()
            .filter(name -> !name.equals(NEVER))
            .map(Tuner::ownChunk)
            .toList();
    race("every strategy that auto may take", all).forEach(each -> known.put(each.choice, each));
    race("the best, with other chunks", finalists()).forEach(each -> known.put(each.choice, each));
    TuneResult.Chosen fastest = fastest(tuned(true));
    TuneResult.Chosen byItself = byItself();
    TuneResult.Duel duel = fastest.equals(byItself) ? null : duel(fastest, byItself);
    MeasuredRoute tuned = tuned(duel != null && duel.isWon());
    String lost = "";
    Failure unwritten = null;
    try {
      lost = Profile.add(request.profile(), tuned);
    } catch (IOException e) {
      unwritten = unwritable(request.profile(), e).with("what was found is not kept");
    }
    return new TuneResult(
        trials.routeKey(),
        trials.fileBytes(),
        request.seed(),
        known.values().stream().map(Competitor::trial).toList(),
        fastest,
        byItself,
        duel,
        longFile(tuned),
        lost,
        unwritten);
  }

  /// Every choice runs once apart, then as often as was asked for.
  private List<Competitor> race(String what, List<Choice> choices) throws Failure {
    int runs = request.runs();
    listener.begins(what, choices.size(), runs);
    int done = 0;
    int most = choices.size() * (runs + 1);
    List<Competitor> competitors = choices.stream().map(Competitor::new).toList();
    for (int round = 0; round <= runs; round++) {
      for (Competitor each : Bench.shuffled(competitors, random)) {
        if (!each.isRefused() && !each.isHopeless) {
          listener.running(TuneReport.text(each.choice), done++, most);
          try {
            each.took(trials.run(each.choice));
          } catch (RefusedException e) {
            each.refusal = e.reason();
          }
        }
      }
      if (round >= ROUNDS_BEFORE_LEAVING) {
        letHopelessLeave(competitors);
      }
    }
    return competitors;
  }

  private static void letHopelessLeave(List<Competitor> competitors) {
    List<Competitor> serving = competitors.stream().filter(each -> !each.isRefused()).toList();
    double leaderNs = serving.stream().mapToDouble(each -> each.summary(0).max()).min().orElse(0);
    serving.forEach(each -> each.isHopeless |= each.summary(0).min() > HOPELESS * leaderNs);
  }

  /// The best few of what is known, each as before and with other chunks, and what `auto` takes by
  /// itself.
  private List<Choice> finalists() throws Failure {
    List<Choice> finalists = new ArrayList<>();
    List<Measured> best = new ArrayList<>(tuned(true).figures());
    best.sort(Comparator.comparingLong(Measured::medianNsPerMiB));
    for (Measured each : best.subList(0, Math.min(FINALISTS_MAX, best.size()))) {
      String strategy = each.strategy();
      finalists.add(ownChunk(strategy));
      long own = verdicts.containsKey(strategy) ? verdicts.get(strategy).chunkBytes() : 0;
      boolean isBuffered = strategies.named(strategy).model().userKernelCopies() > 0;
      for (long chunkBytes : isBuffered ? BUFFER_CHUNKS : KERNEL_CHUNKS) {
        if (chunkBytes != own) {
          finalists.add(new Choice(strategy, chunkBytes));
        }
      }
    }
    Choice byItself = byItself().choice();
    if (!finalists.contains(byItself)) {
      finalists.add(byItself);
    }
    return finalists;
  }

  /// What these figures make `auto` take for a file of this size.
  private TuneResult.Chosen fastest(MeasuredRoute tuned) throws Failure {
    double mib = trials.fileBytes() / BYTES_PER_MIB;
    Measured fastest =
        tuned.figures().stream()
            .map(each -> tuned.bestOf(each.strategy()))
            .min(
                Comparator.comparingDouble(
                    best -> startUpNs(best.strategy()) + mib * best.medianNsPerMiB()))
            .orElse(null);
    if (fastest == null) {
      throw Failure.of(ExitCode.STRATEGY, request.source(), "no strategy serves here");
    }
    Choice choice = new Choice(fastest.strategy(), fastest.chunkBytes());
    return new TuneResult.Chosen(choice, startUpNs(fastest.strategy()));
  }

  /// What `auto` takes without a profile: the first of its order that does serve.
  private TuneResult.Chosen byItself() throws Failure {
    for (Engine.Candidate each : trials.order()) {
      Choice choice = ownChunk(each.strategy().name());
      if (known.containsKey(choice) && !known.get(choice).isRefused()) {
        return new TuneResult.Chosen(choice, each.verdict().cost().startUpNs());
      }
    }
    throw nothingForAuto();
  }

  /// What `auto` takes for a long file from now on: the first of its order that does serve.
  private Choice longFile(MeasuredRoute tuned) throws Failure {
    Tuning tuning = tuned.tuning();
    for (Engine.Candidate each : trials.orderOfLong(tuning)) {
      String strategy = each.strategy().name();
      Competitor own = known.get(ownChunk(strategy));
      if (own == null || !own.isRefused()) {
        Tuning.Figure figure = tuning.figureOf(strategy);
        return figure == null ? ownChunk(strategy) : new Choice(strategy, figure.chunkBytes());
      }
    }
    throw nothingForAuto();
  }

  private TuneResult.Duel duel(TuneResult.Chosen fastest, TuneResult.Chosen byItself)
      throws Failure {
    List<Choice> two = List.of(fastest.choice(), byItself.choice());
    List<Competitor> again = race("the fastest against auto", two);
    return new TuneResult.Duel(
        again.get(0).summary(fastest.startUpNs()), again.get(1).summary(byItself.startUpNs()));
  }

  private MeasuredRoute tuned(boolean better) throws Failure {
    double mib = trials.fileBytes() / BYTES_PER_MIB;
    List<Measured> figures =
        known.values().stream()
            .filter(each -> !each.isRefused())
            .map(each -> each.measured(mib))
            .toList();
    try {
      return new MeasuredRoute(
          trials.routeKey(),
          Profile.kernel(),
          LocalDate.now(ZoneOffset.UTC).toString(),
          request.zcpVersion(),
          trials.fileBytes(),
          better,
          figures);
    } catch (IOException e) {
      throw Failure.of(ExitCode.INTERNAL, "the kernel does not tell its release").because(e);
    }
  }

  /// What the strategy pays before its first byte, which no trial shows; 0 if it cannot serve.
  private long startUpNs(String strategy) {
    Verdict.Usable verdict = verdicts.get(strategy);
    return verdict == null ? 0 : verdict.cost().startUpNs();
  }

  private static Choice ownChunk(String strategy) {
    return new Choice(strategy, Choice.ADAPTIVE);
  }

  private static Failure nothingForAuto() {
    return Failure.of(ExitCode.INTERNAL, "auto would take none of the strategies that were tried");
  }

  private static Failure unwritable(RawPath profile, IOException e) {
    return Failure.of(
            ExitCode.DESTINATION, profile, "the profile cannot be written: " + Reasons.of(e))
        .because(e);
  }

  private static final class Competitor {

    private final Choice choice;
    private final List<Long> runsNs = new ArrayList<>();
    private long firstNs = -1;
    private String refusal = "";
    private boolean isHopeless;

    Competitor(Choice choice) {
      this.choice = choice;
    }

    /// The first of its runs stands apart.
    void took(long elapsedNs) {
      if (firstNs < 0) {
        firstNs = elapsedNs;
      } else {
        runsNs.add(elapsedNs);
      }
    }

    boolean isRefused() {
      return !refusal.isEmpty();
    }

    Measured measured(double mib) {
      Summary ns = summary(0);
      return new Measured(
          choice.strategy(),
          choice.chunkBytes(),
          Math.round(ns.median() / mib),
          Math.round(ns.lowerQuartile() / mib),
          Math.round(ns.upperQuartile() / mib),
          runsNs.size());
    }

    TuneResult.Trial trial() {
      return isRefused()
          ? new TuneResult.Trial.Refused(choice, refusal)
          : new TuneResult.Trial.Timed(choice, firstNs, summary(0), runsNs.size());
    }

    /// The runs that count, in nanoseconds.
    ///
    /// @param more what to add to each
    Summary summary(long more) {
      return Summary.of(runsNs.stream().mapToDouble(ns -> ns + more).toArray());
    }
  }
}
