package dev.zcp.engine;

import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.engine.Transfer.Observer;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Chooses strategies for routes and begins transfers with them. Threads may share one.
public final class Engine {

  private final Strategies strategies;
  private final Choice choice;

  /// The strategy asked for, or null if the choice is `auto`.
  private final TransferStrategy asked;

  private final Tuning tuning;

  private final Refusals refusals;

  public Engine(Strategies strategies, Choice choice) throws Failure {
    this(
        strategies,
        choice,
        choice.isAuto() ? null : strategies.named(choice.strategy()),
        Tuning.NONE,
        new Refusals());
  }

  private Engine(
      Strategies strategies,
      Choice choice,
      TransferStrategy asked,
      Tuning tuning,
      Refusals refusals) {
    this.strategies = strategies;
    this.choice = choice;
    this.asked = asked;
    this.tuning = tuning;
    this.refusals = refusals;
  }

  /// This engine on a route of which something was measured. `auto` goes by what was measured
  /// there, and takes what was not measured only after that: an estimate made elsewhere does not
  /// compare. A strategy asked for by name stays as it is.
  public Engine tunedBy(Tuning measured) {
    return new Engine(strategies, choice, asked, measured, refusals);
  }

  /// This engine as `auto` would choose, for bytes that are in memory whatever was asked for.
  public Engine ofMemory() {
    return asked == null ? this : new Engine(strategies, choice, null, Tuning.NONE, refusals);
  }

  /// Whether something was measured on the route that this engine is for.
  public boolean isTuned() {
    return tuning != Tuning.NONE;
  }

  public boolean isAuto() {
    return asked == null;
  }

  /// Whether the strategy that was asked for has the bytes in memory of this process on their way:
  /// by its model it copies them in and out.
  public boolean isThroughMemory() {
    return asked != null && asked.model().userKernelCopies() >= 2;
  }

  /// The strategy asked for by its proper name, or `auto`.
  public String asked() {
    return asked == null ? Choice.AUTO : asked.name();
  }

  /// Begins a transfer; moves nothing yet. The ends stay the caller's to close.
  ///
  /// @param bytesExpected how many bytes are to be moved, by which `auto` decides; [Long#MAX_VALUE]
  ///   if nobody knows
  /// @throws RefusedException if the strategy asked for, or every strategy, refuses the route
  public Transfer begin(Source source, Sink sink, long bytesExpected, Observer observer)
      throws RefusedException {
    Route route = new Route(source.traits(), sink.traits());
    List<Candidate> candidates =
        asked == null ? usable(route, bytesExpected) : List.of(asked(route, bytesExpected));
    if (candidates.isEmpty()) {
      throw noneCan();
    }
    return new Transfer(candidates, choice, source, sink, observer, refusals);
  }

  /// Moves a whole file.
  ///
  /// @param bytesExpected how many bytes are to be moved from the beginning on, or [Long#MAX_VALUE]
  ///   if nobody knows
  /// @return the bytes moved: fewer than expected only if the source ended before
  /// @throws TransferException if an end failed
  /// @throws RefusedException if the strategy asked for, or every strategy, refuses the route
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
  /// @throws RefusedException if there is none
  public List<Candidate> rank(Route route, long bytesExpected) throws RefusedException {
    if (asked != null) {
      return List.of(asked(route, bytesExpected));
    }
    List<Candidate> left = new ArrayList<>();
    for (Candidate each : usable(route, bytesExpected)) {
      if (refusals.reasonOf(each.strategy(), route) == null) {
        left.add(each);
      }
    }
    if (left.isEmpty()) {
      throw noneCan();
    }
    return left;
  }

  private static RefusedException noneCan() {
    return new RefusedException(Choice.AUTO, "no strategy can serve this route", "", 0);
  }

  /// Those that serve the route as it is, whatever they refused before.
  private List<Candidate> usable(Route route, long bytesExpected) {
    List<Candidate> usable = new ArrayList<>();
    for (TransferStrategy strategy : strategies.all()) {
      if (strategy.judge(route) instanceof Verdict.Usable verdict) {
        usable.add(candidate(strategy, verdict));
      }
    }
    usable.sort((a, b) -> compare(a, b, bytesExpected));
    return usable;
  }

  private Candidate candidate(TransferStrategy strategy, Verdict.Usable verdict) {
    Tuning.Figure figure = tuning.figureOf(strategy.name());
    if (figure == null) {
      return new Candidate(strategy, verdict, false);
    }
    Verdict.Cost cost = new Verdict.Cost(verdict.cost().startUpNs(), figure.nsPerMiB());
    boolean own = figure.chunkBytes() == Choice.ADAPTIVE;
    long chunkBytes = own ? verdict.chunkBytes() : figure.chunkBytes();
    return new Candidate(strategy, new Verdict.Usable(cost, chunkBytes), true);
  }

  private Candidate asked(Route route, long bytesExpected) throws RefusedException {
    Verdict verdict = asked.judge(route);
    if (verdict instanceof Verdict.Usable serves) {
      return new Candidate(asked, serves, false);
    }
    List<Candidate> others = usable(route, bytesExpected);
    String best = others.isEmpty() ? "" : others.getFirst().strategy().name();
    throw new RefusedException(asked.name(), ((Verdict.Refused) verdict).reason(), best, 0);
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

  /// What strategies would not do and need not be asked for again in this process, with their
  /// reasons. Threads may share one.
  static final class Refusals {

    /// Those of so many pairs of file systems are kept; of others each transfer finds out anew.
    private static final int ENTRIES_MAX = 64;

    /// Whoever looks takes no lock.
    private final List<KeptRefusal> entries = new CopyOnWriteArrayList<>();

    /// Keeps a refusal that reaches further than its transfer.
    void keep(TransferStrategy strategy, Step.Declined declined, Route route) {
      boolean everywhere = declined.reach() == Step.Reach.MACHINE;
      boolean betweenFiles = route.source().seekable() && route.sink().seekable();
      boolean reachesFurther =
          everywhere || declined.reach() == Step.Reach.FILE_SYSTEMS && betweenFiles;
      if (reachesFurther && entries.size() < ENTRIES_MAX) {
        entries.add(
            new KeptRefusal(
                strategy,
                everywhere,
                route.source().device(),
                route.sink().device(),
                declined.reason()));
      }
    }

    /// Why `strategy` is not to be asked for `route`, or null if it is.
    String reasonOf(TransferStrategy strategy, Route route) {
      // By index: an iterator would be one more object for each transfer.
      for (int i = 0; i < entries.size(); i++) {
        KeptRefusal each = entries.get(i);
        if (each.strategy == strategy && each.reaches(route)) {
          return each.reason;
        }
      }
      return null;
    }

    private record KeptRefusal(
        TransferStrategy strategy, boolean everywhere, long source, long sink, String reason) {

      boolean reaches(Route route) {
        return everywhere
            || route.source().seekable()
                && route.sink().seekable()
                && route.source().device() == source
                && route.sink().device() == sink;
      }
    }
  }

  /// The strategy asked for cannot serve the route, or will not go on.
  public static final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String strategy;
    private final String reason;
    private final String alternative;
    private final long offset;

    RefusedException(String strategy, String reason, String alternative, long offset) {
      super(strategy + ": " + reason);
      this.strategy = strategy;
      this.reason = reason;
      this.alternative = alternative;
      this.offset = offset;
    }

    public String strategy() {
      return strategy;
    }

    /// Why, in words for the user.
    public String reason() {
      return reason;
    }

    /// The name of a strategy that could serve the route, [Choice#AUTO] if only trying tells which
    /// one can, or empty if none is left.
    public String alternative() {
      return alternative;
    }

    /// The offset of the first byte that did not arrive, in bytes; 0 if nothing was moved.
    public long offset() {
      return offset;
    }
  }

  /// What was measured of strategies on one route: figures in place of the estimates by which
  /// `auto` compares strategies everywhere.
  ///
  /// It knows neither how nor where they were measured, and nothing of start-up: what a strategy
  /// pays before its first byte stays the strategy's own to say, so that small files go by the
  /// cheap path on a tuned route, too.
  @FunctionalInterface
  public interface Tuning {

    Tuning NONE = strategy -> null;

    /// The figure of the strategy of this name, or null if it was not measured.
    Figure figureOf(String strategy);

    /// @param nsPerMiB what each MiB takes, in nanoseconds
    /// @param chunkBytes the most that one step should move; [Choice#ADAPTIVE] is what the strategy
    ///   itself finds best
    record Figure(long nsPerMiB, long chunkBytes) {
      public Figure {
        if (nsPerMiB < 0 || chunkBytes < 0) {
          throw new IllegalArgumentException(nsPerMiB + " ns, a chunk of " + chunkBytes);
        }
      }
    }
  }
}
