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

  /// Strategies that this kernel or process cannot run at all, once one of them has said so.
  private final Set<TransferStrategy> unavailable = ConcurrentHashMap.newKeySet();

  /// @throws Failure USAGE where no strategy has the name asked for
  public Engine(Strategies strategies, Choice choice) throws Failure {
    this.strategies = strategies;
    this.choice = choice;
    this.asked = choice.isAuto() ? null : strategies.named(choice.strategy());
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
  /// usable by their estimate for `bytesExpected`, names deciding between equals.
  ///
  /// @return at least one
  /// @throws RefusedException where there is none
  public List<Candidate> rank(Route route, long bytesExpected) throws RefusedException {
    List<Candidate> usable = new ArrayList<>();
    for (TransferStrategy strategy : strategies.all()) {
      if (!unavailable.contains(strategy)
          && strategy.judge(route) instanceof Verdict.Usable verdict) {
        usable.add(new Candidate(strategy, verdict));
      }
    }
    usable.sort((a, b) -> compare(a, b, bytesExpected));
    if (asked != null) {
      return List.of(asked(route, usable));
    }
    if (usable.isEmpty()) {
      throw new RefusedException(Choice.AUTO, "no strategy can serve this route", "");
    }
    return usable;
  }

  private Candidate asked(Route route, List<Candidate> usable) throws RefusedException {
    String best = usable.isEmpty() ? "" : usable.getFirst().strategy().name();
    Verdict verdict = asked.judge(route);
    if (verdict instanceof Verdict.Usable serves) {
      return new Candidate(asked, serves);
    }
    throw new RefusedException(asked.name(), ((Verdict.Refused) verdict).reason(), best);
  }

  private static int compare(Candidate a, Candidate b, long bytes) {
    double aNs = a.verdict().cost().estimateNs(bytes);
    double bNs = b.verdict().cost().estimateNs(bytes);
    int byCost = Double.compare(aNs, bNs);
    return byCost != 0 ? byCost : a.strategy().name().compareTo(b.strategy().name());
  }

  /// A strategy with its verdict on one route.
  public record Candidate(TransferStrategy strategy, Verdict.Usable verdict) {}
}
