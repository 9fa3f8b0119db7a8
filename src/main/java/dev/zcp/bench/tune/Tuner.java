package dev.zcp.bench.tune;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Strategies;
import dev.zcp.profile.Kernel;
import dev.zcp.profile.Measured;
import dev.zcp.profile.ProfileFile;
import dev.zcp.profile.TunedWay;
import dev.zcp.spi.TransferStrategy;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds the fastest way between two places of the user's and keeps what it found in the profile.
///
/// Three races: all strategies, each with its own chunk; the best few with other chunks; and the
/// fastest against `auto` once more.
public final class Tuner {

  /// Never tried: `auto` does not take it, however fast, since a source that is truncated meanwhile
  /// costs an error at best.
  private static final String NEVER = "mmap";

  private static final int FINALISTS_MAX = 3;

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
  /// @throws Failure where an end is not there or has no room, where a trial fails, or where the
  ///   profile cannot be written
  public static TuneResult tune(TuneRequest request, Strategies strategies, TuneListener listener)
      throws Failure {
    try (Ground ground = Ground.prepare(request, strategies)) {
      return new Tuner(request, strategies, listener).tune(ground);
    }
  }

  private TuneResult tune(Ground ground) throws Failure {
    Race race = new Race(ground.trial(), request.seed(), listener);
    Map<Candidate, Runner> known = new LinkedHashMap<>();
    keep(race.run("every strategy", everyStrategy(), request.runs()), known);
    keep(race.run("the best, with other chunks", finalists(ground, known), request.runs()), known);
    Runner chosen = known.get(fastest(ground, known));
    boolean asAuto = isWhatAutoTakes(chosen, known.get(Candidate.AUTO));
    TuneResult.Duel duel = asAuto ? null : duel(race, chosen.candidate());
    boolean better = duel != null && duel.isWon();
    String lost = write(tuned(ground, known, better));
    return new TuneResult(
        ground.way(),
        ground.fileBytes(),
        request.seed(),
        known.values().stream().map(Runner::trialled).toList(),
        (Trialled.Measured) chosen.trialled(),
        duel,
        better,
        lost);
  }

  private static void keep(List<Runner> runners, Map<Candidate, Runner> known) {
    for (Runner runner : runners) {
      known.put(runner.candidate(), runner);
    }
  }

  private List<Candidate> everyStrategy() {
    List<Candidate> all = new ArrayList<>();
    all.add(Candidate.AUTO);
    for (String name : strategies.names()) {
      if (!name.equals(NEVER)) {
        all.add(Candidate.ofOwnChunk(name));
      }
    }
    return all;
  }

  /// The best few of `known`, and `auto`, each as before and with other chunks.
  private List<Candidate> finalists(Ground ground, Map<Candidate, Runner> known) throws Failure {
    List<Candidate> finalists = new ArrayList<>();
    finalists.add(Candidate.AUTO);
    List<Measured> order = new ArrayList<>(tuned(ground, known, true).figures());
    order.sort((a, b) -> Long.compare(a.medianNsPerMiB(), b.medianNsPerMiB()));
    for (Measured each : order.subList(0, Math.min(FINALISTS_MAX, order.size()))) {
      finalists.add(Candidate.ofOwnChunk(each.strategy()));
      for (long chunkBytes : chunksOf(strategies.named(each.strategy()))) {
        finalists.add(new Candidate(each.strategy(), chunkBytes));
      }
    }
    return finalists;
  }

  private static List<Long> chunksOf(TransferStrategy strategy) {
    return strategy.model().userKernelCopies() > 0 ? BUFFER_CHUNKS : KERNEL_CHUNKS;
  }

  /// The candidate that the profile will make `auto` take for a file of this size.
  private Candidate fastest(Ground ground, Map<Candidate, Runner> known) throws Failure {
    TunedWay tuned = tuned(ground, known, true);
    Measured fastest = null;
    for (Measured each : tuned.figures()) {
      Measured best = tuned.bestOf(each.strategy());
      boolean faster = fastest == null || best.medianNsPerMiB() < fastest.medianNsPerMiB();
      fastest = faster ? best : fastest;
    }
    if (fastest == null) {
      throw Failure.of(ExitCode.STRATEGY, request.source().toString(), "no strategy serves here");
    }
    return new Candidate(fastest.strategy(), fastest.chunkBytes());
  }

  private static boolean isWhatAutoTakes(Runner chosen, Runner auto) {
    return chosen.candidate().hasOwnChunk() && chosen.candidate().strategy().equals(auto.ran());
  }

  private TuneResult.Duel duel(Race race, Candidate chosen) throws Failure {
    List<Candidate> two = List.of(chosen, Candidate.AUTO);
    List<Runner> again = race.run("the fastest against auto", two, request.runs());
    return new TuneResult.Duel(again.get(0).summary(), again.get(1).summary());
  }

  private TunedWay tuned(Ground ground, Map<Candidate, Runner> known, boolean better)
      throws Failure {
    List<Measured> figures = new ArrayList<>();
    for (Runner runner : known.values()) {
      if (!runner.isRefused() && !runner.candidate().equals(Candidate.AUTO)) {
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

  private String write(TunedWay tuned) throws Failure {
    try {
      return ProfileFile.add(request.profile(), tuned);
    } catch (IOException e) {
      throw Failure.of(
              ExitCode.DESTINATION, request.profile().toString(), String.valueOf(e.getMessage()))
          .with("what was found is not kept")
          .because(e);
    }
  }
}
