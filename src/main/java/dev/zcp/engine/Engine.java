package dev.zcp.engine;

import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Chooses strategies for routes and begins transfers with them. Threads may share one.
public final class Engine {

  private final Strategies strategies;
  private final Choice choice;

  /// The strategy asked for, or null where the choice is `auto`.
  private final TransferStrategy asked;

  private final Tuning tuning;

  /// Strategies that this kernel or process cannot run at all, once one of them has said so.
  private final Set<TransferStrategy> unavailable;

  /// @throws Failure USAGE where no strategy has the name asked for
  public Engine(Strategies strategies, Choice choice) throws Failure {
    this(
        strategies,
        choice,
        choice.isAuto() ? null : strategies.named(choice.strategy()),
        Tuning.NONE,
        ConcurrentHashMap.newKeySet());
  }

  private Engine(
      Strategies strategies,
      Choice choice,
      TransferStrategy asked,
      Tuning tuning,
      Set<TransferStrategy> unavailable) {
    this.strategies = strategies;
    this.choice = choice;
    this.asked = asked;
    this.tuning = tuning;
    this.unavailable = unavailable;
  }

  /// This engine on a route of which something was measured. `auto` goes by what was measured
  /// there, and takes what was not measured only after that: an estimate made elsewhere does not
  /// compare. A strategy asked for by name stays as it is.
  public Engine tunedBy(Tuning measured) {
    return new Engine(strategies, choice, asked, measured, unavailable);
  }

  /// The strategy asked for by its proper name, or `auto`.
  public String asked() {
    return asked == null ? Choice.AUTO : asked.name();
  }

  /// Begins a transfer; moves nothing yet. The ends stay the caller's to close.
  ///
  /// @param bytesExpected how many bytes are to be moved, by which `auto` decides; [Long#MAX_VALUE]
  ///   where nobody knows
  /// @throws RefusedException where the strategy asked for, or every strategy, refuses the route
  public Transfer begin(Source source, Sink sink, long bytesExpected, Observer observer)
      throws RefusedException {
    Route route = new Route(source.traits(), sink.traits());
    return new Transfer(
        rank(route, bytesExpected), choice, source, sink, observer, unavailable::add);
  }

  /// Moves a whole file.
  ///
  /// @param bytesExpected how many bytes are to be moved from the beginning on, or [Long#MAX_VALUE]
  ///   where nobody knows
  /// @return the bytes moved: fewer than expected only where the source ended before
  /// @throws TransferException where an end failed
  /// @throws RefusedException where the strategy asked for, or every strategy, refuses the route
  public long moveAll(Source source, Sink sink, long bytesExpected, Observer observer)
      throws TransferException, RefusedException {
    try (Transfer transfer = begin(source, sink, bytesExpected, observer)) {
      return transfer.move(new Span(0, bytesExpected));
    }
  }

  /// The strategies to try over `route`, best first: the one asked for, or with `auto` all that are
  /// usable by their estimate for `bytesExpected`, those that were measured here before those that
  /// were not, names deciding between equals.
  ///
  /// @return at least one
  /// @throws RefusedException where there is none
  public List<Candidate> rank(Route route, long bytesExpected) throws RefusedException {
    List<Candidate> usable = new ArrayList<>();
    for (TransferStrategy strategy : strategies.all()) {
      if (!unavailable.contains(strategy)
          && strategy.judge(route) instanceof Verdict.Usable verdict) {
        usable.add(candidate(strategy, verdict, tuning));
      }
    }
    sort(usable, bytesExpected);
    if (asked != null) {
      return List.of(asked(route, usable));
    }
    if (usable.isEmpty()) {
      throw new RefusedException(Choice.AUTO, "no strategy can serve this route", "");
    }
    return usable;
  }

  /// What [#rank] with `auto` makes of verdicts that were asked for before, which is not what it
  /// makes of those of now: a strategy that has moved bytes in this process has started up.
  public static List<Candidate> rank(List<Candidate> judged, Tuning tuning, long bytesExpected) {
    List<Candidate> usable = new ArrayList<>();
    for (Candidate each : judged) {
      usable.add(candidate(each.strategy(), each.verdict(), tuning));
    }
    sort(usable, bytesExpected);
    return usable;
  }

  private static void sort(List<Candidate> usable, long bytes) {
    usable.sort((a, b) -> compare(a, b, bytes));
  }

  private static Candidate candidate(
      TransferStrategy strategy, Verdict.Usable verdict, Tuning tuning) {
    Tuning.Figure figure = tuning.figureOf(strategy.name());
    if (figure == null) {
      return new Candidate(strategy, verdict, false);
    }
    Verdict.Cost cost = new Verdict.Cost(verdict.cost().startUpNs(), figure.nsPerMiB());
    boolean own = figure.chunkBytes() == Choice.ADAPTIVE;
    long chunkBytes = own ? verdict.chunkBytes() : figure.chunkBytes();
    return new Candidate(strategy, new Verdict.Usable(cost, chunkBytes), true);
  }

  private Candidate asked(Route route, List<Candidate> usable) throws RefusedException {
    String best = usable.isEmpty() ? "" : usable.getFirst().strategy().name();
    Verdict verdict = asked.judge(route);
    if (verdict instanceof Verdict.Usable serves) {
      return new Candidate(asked, serves, false);
    }
    throw new RefusedException(asked.name(), ((Verdict.Refused) verdict).reason(), best);
  }

  private static int compare(Candidate a, Candidate b, long bytes) {
    if (a.measured() != b.measured()) {
      return a.measured() ? -1 : 1;
    }
    double aNs = a.verdict().cost().estimateNs(bytes);
    double bNs = b.verdict().cost().estimateNs(bytes);
    int byCost = Double.compare(aNs, bNs);
    return byCost != 0 ? byCost : a.strategy().name().compareTo(b.strategy().name());
  }

  /// A strategy with its verdict on one route.
  ///
  /// @param measured whether the verdict's figures are those of a [Tuning], and not the strategy's
  ///   own estimate
  public record Candidate(TransferStrategy strategy, Verdict.Usable verdict, boolean measured) {}
}
