package dev.zcp.bench.tune;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.Tuning;
import dev.zcp.profile.Kernel;
import dev.zcp.profile.ProfileFile;
import dev.zcp.profile.TunedWay;
import dev.zcp.profile.TunedWay.Measured;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds the fastest way between two places of the user's and keeps what it found in the profile.
///
/// Three races: all strategies, each with its own chunk; the best few with other chunks; and what
/// won against what `auto` takes by itself, once more.
public final class Tuner {

  /// Never tried: `auto` does not take it, however fast, since a source that is truncated meanwhile
  /// costs an error at best.
  private static final String NEVER = "mmap";

  private static final int FINALISTS_MAX = 3;

  private static final double BYTES_PER_MIB = 1 << 20;

  /// Chunks for strategies that copy through a buffer: it should stay in the processor's cache.
  private static final List<Long> BUFFER_CHUNKS = List.of(128L << 10, 512L << 10, 2L << 20);

  /// Chunks for those that leave the bytes to the kernel, where only calls are to be saved.
  private static final List<Long> KERNEL_CHUNKS = List.of(2L << 20, 16L << 20, 64L << 20);

  private final TuneRequest request;
  private final Strategies strategies;
  private final TuneListener listener;

  private Tuner(TuneRequest request, Strategies strategies, TuneListener listener) {
    this.request = request;
    this.strategies = strategies;
    this.listener = listener;
  }

  /// Tries, chooses, and writes the profile.
  ///
  /// @throws Failure where an end is not there or has no room, where a trial fails, or where it can
  ///   be told beforehand that the profile cannot be written
  public static TuneResult tune(TuneRequest request, Strategies strategies, TuneListener listener)
      throws Failure {
    requireProfile(request.profile());
    try (Ground ground = Ground.prepare(request, strategies)) {
      return new Tuner(request, strategies, listener).tune(ground);
    }
  }

  private TuneResult tune(Ground ground) throws Failure {
    Race race = new Race(ground.trial(), request.seed(), listener);
    Map<Candidate, Runner> known = new LinkedHashMap<>();
    keep(race.run("every strategy that auto may take", everyStrategy(), request.runs()), known);
    keep(race.run("the best, with other chunks", finalists(ground, known), request.runs()), known);
    TuneResult.Chosen fastest = fastest(ground, tuned(ground, known, true));
    TuneResult.Chosen byItself = byItself(ground, known);
    TuneResult.Duel duel = fastest.equals(byItself) ? null : duel(race, fastest, byItself);
    boolean better = duel != null && duel.isWon();
    TunedWay tuned = tuned(ground, known, better);
    String lost = "";
    Failure unwritten = null;
    try {
      lost = ProfileFile.add(request.profile(), tuned);
    } catch (IOException e) {
      unwritten = unwritable(request.profile(), e).with("what was found is not kept");
    }
    return new TuneResult(
        ground.way(),
        ground.fileBytes(),
        request.seed(),
        known.values().stream().map(Runner::trialled).toList(),
        fastest,
        byItself,
        duel,
        longFile(ground, known, tuned),
        strategies.names().stream().filter(NEVER::equals).toList(),
        lost,
        unwritten);
  }

  private static void keep(List<Runner> runners, Map<Candidate, Runner> known) {
    for (Runner runner : runners) {
      known.put(runner.candidate(), runner);
    }
  }

  private List<Candidate> everyStrategy() {
    List<Candidate> all = new ArrayList<>();
    for (String name : strategies.names()) {
      if (!name.equals(NEVER)) {
        all.add(Candidate.ofOwnChunk(name));
      }
    }
    return all;
  }

  /// The best few of `known`, each as before and with other chunks, and what `auto` takes by
  /// itself.
  private List<Candidate> finalists(Ground ground, Map<Candidate, Runner> known) throws Failure {
    List<Candidate> finalists = new ArrayList<>();
    List<Measured> order = new ArrayList<>(tuned(ground, known, true).figures());
    order.sort((a, b) -> Long.compare(a.medianNsPerMiB(), b.medianNsPerMiB()));
    for (Measured each : order.subList(0, Math.min(FINALISTS_MAX, order.size()))) {
      finalists.add(Candidate.ofOwnChunk(each.strategy()));
      long own = ground.auto().chunkBytes(each.strategy());
      for (long chunkBytes : chunksOf(strategies.named(each.strategy()))) {
        if (chunkBytes != own) {
          finalists.add(new Candidate(each.strategy(), chunkBytes));
        }
      }
    }
    Candidate byItself = byItself(ground, known).candidate();
    if (!finalists.contains(byItself)) {
      finalists.add(byItself);
    }
    return finalists;
  }

  private static List<Long> chunksOf(TransferStrategy strategy) {
    return strategy.model().userKernelCopies() > 0 ? BUFFER_CHUNKS : KERNEL_CHUNKS;
  }

  /// What these figures make `auto` take for a file of this size.
  private TuneResult.Chosen fastest(Ground ground, TunedWay tuned) throws Failure {
    double mib = ground.fileBytes() / BYTES_PER_MIB;
    TuneResult.Chosen fastest = null;
    double leastNs = Double.MAX_VALUE;
    for (Measured each : tuned.figures()) {
      Measured best = tuned.bestOf(each.strategy());
      long startUpNs = ground.auto().startUpNs(each.strategy());
      double ns = startUpNs + mib * best.medianNsPerMiB();
      if (ns < leastNs) {
        leastNs = ns;
        fastest = new TuneResult.Chosen(best.strategy(), best.chunkBytes(), startUpNs);
      }
    }
    if (fastest == null) {
      throw Failure.of(ExitCode.STRATEGY, request.source().toString(), "no strategy serves here");
    }
    return fastest;
  }

  /// What `auto` takes without a profile: the first of its order that does serve.
  private static TuneResult.Chosen byItself(Ground ground, Map<Candidate, Runner> known)
      throws Failure {
    for (String strategy : ground.auto().order()) {
      Candidate candidate = Candidate.ofOwnChunk(strategy);
      if (known.containsKey(candidate) && !known.get(candidate).isRefused()) {
        return new TuneResult.Chosen(
            strategy, candidate.chunkBytes(), ground.auto().startUpNs(strategy));
      }
    }
    throw Failure.of(ExitCode.INTERNAL, "what was tried is nothing that auto would take");
  }

  /// What `auto` takes for a long file from now on: the first of its order that does serve.
  private static Candidate longFile(Ground ground, Map<Candidate, Runner> known, TunedWay tuned)
      throws Failure {
    for (Engine.Candidate each : ground.auto().order(tuned.tuning(), TuneResult.LONG_BYTES)) {
      String strategy = each.strategy().name();
      Runner own = known.get(Candidate.ofOwnChunk(strategy));
      if (own == null || !own.isRefused()) {
        Tuning.Figure figure = tuned.tuning().figureOf(strategy);
        return figure == null
            ? Candidate.ofOwnChunk(strategy)
            : new Candidate(strategy, figure.chunkBytes());
      }
    }
    throw Failure.of(ExitCode.INTERNAL, "what was tried is nothing that auto would take");
  }

  private TuneResult.Duel duel(Race race, TuneResult.Chosen fastest, TuneResult.Chosen byItself)
      throws Failure {
    List<Candidate> two = List.of(fastest.candidate(), byItself.candidate());
    List<Runner> again = race.run("the fastest against auto", two, request.runs());
    return new TuneResult.Duel(
        again.get(0).summary(fastest.startUpNs()), again.get(1).summary(byItself.startUpNs()));
  }

  private TunedWay tuned(Ground ground, Map<Candidate, Runner> known, boolean better)
      throws Failure {
    List<Measured> figures = new ArrayList<>();
    for (Runner runner : known.values()) {
      if (!runner.isRefused()) {
        figures.add(runner.measured(ground.fileBytes()));
      }
    }
    return new TunedWay(
        ground.way(),
        kernel(),
        LocalDate.now(ZoneOffset.UTC).toString(),
        request.zcpVersion(),
        ground.fileBytes(),
        better,
        figures);
  }

  private static String kernel() throws Failure {
    try {
      return Kernel.release();
    } catch (IOException e) {
      throw Failure.of(ExitCode.INTERNAL, "the kernel does not tell its release").because(e);
    }
  }

  /// What was measured is worth little to one who cannot keep it, and took its time.
  private static void requireProfile(RawPath profile) throws Failure {
    try {
      ProfileFile.requireWritable(profile);
    } catch (IOException e) {
      throw unwritable(profile, e)
          .with("nothing was measured; ZCP_PROFILE names another place for the profile");
    }
  }

  private static Failure unwritable(RawPath profile, IOException e) {
    return Failure.of(
            ExitCode.DESTINATION,
            profile.toString(),
            "the profile cannot be written: " + Reasons.of(e))
        .because(e);
  }
}
