package dev.zcp.engine;

import dev.zcp.core.Span;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/// One transfer under way: the strategy that is moving bytes now, and those that would take over.
///
/// Used by one platform thread. Closing it releases the mover and leaves the ends open.
public final class Transfer implements Closeable {

  /// What the JVM makes of SIGBUS: a page of a mapping that its file does not have any more.
  private static final String FAULT = "The mapped file became shorter, or could not be read";

  private final List<Engine.Candidate> candidates;
  private final Choice choice;
  private final Source source;
  private final Sink sink;
  private final Observer observer;
  private final Refusals refusals;

  private int current;
  private Mover mover;
  private Pace pace;

  Transfer(
      List<Engine.Candidate> candidates,
      Choice choice,
      Source source,
      Sink sink,
      Observer observer,
      Refusals refusals) {
    this.candidates = candidates;
    this.choice = choice;
    this.source = new MeteredSource(source, observer);
    this.sink = new MeteredSink(sink, observer);
    this.observer = observer;
    this.refusals = refusals;
  }

  /// The name of the strategy that moves the next byte.
  public String strategy() {
    return candidates.get(current).strategy().name();
  }

  /// Moves `span`, or as much of it as the source has.
  ///
  /// @return the bytes moved: fewer than asked for only where the source ended before
  /// @throws TransferException where an end failed
  /// @throws RefusedException where no strategy is left that will go on
  /// @throws IllegalStateException where a strategy broke its contract: how much has arrived is not
  ///   known then
  public long move(Span span) throws TransferException, RefusedException {
    Span rest = span;
    while (!rest.isEmpty()) {
      // No switch over the patterns: its first use would cost every process 3 ms.
      Step step = step(rest);
      if (step instanceof Step.Moved(long bytes)) {
        rest = rest.skip(bytes);
      } else if (step instanceof Step.Declined declined) {
        next(declined, rest.offset());
      } else {
        return span.length() - rest.length();
      }
    }
    return span.length();
  }

  @Override
  public void close() {
    if (mover != null) {
      mover.close();
      mover = null;
    }
  }

  private Step step(Span rest) throws TransferException {
    try {
      if (mover == null) {
        Engine.Candidate candidate = candidates.get(current);
        mover = candidate.strategy().open(source, sink);
        pace = Pace.of(choice, candidate.verdict().chunkBytes());
      }
      Span chunk = rest.first(pace.chunkBytes());
      long startedNs = System.nanoTime();
      Step step = mover.move(chunk);
      if (step instanceof Step.Moved(long bytes)) {
        if (bytes > chunk.length()) {
          throw new IllegalStateException(
              strategy() + " moved " + bytes + " bytes of a chunk of " + chunk.length());
        }
        long elapsedNs = System.nanoTime() - startedNs;
        observer.moved(strategy(), bytes, elapsedNs);
        pace.took(bytes, elapsedNs);
      }
      return step;
    } catch (MoveException e) {
      throw new TransferException(e.end(), rest.offset(), e);
    } catch (IOException e) {
      throw new TransferException(Blame.of(e, source, rest.offset()), rest.offset(), e);
    } catch (InternalError e) {
      Span chunk = rest.first(pace == null ? 1 : pace.chunkBytes());
      throw new TransferException(
          Blame.ofFault(source, chunk), rest.offset(), new IOException(FAULT, e));
    } catch (RuntimeException e) {
      throw new IllegalStateException("strategy " + strategy() + " failed: " + e, e);
    }
  }

  /// Hands over to the next candidate. Its turn comes at the same offset, since a mover that
  /// declines has moved nothing.
  private void next(Step.Declined declined, long offset) throws RefusedException {
    Engine.Candidate gone = candidates.get(current);
    refusals.keep(gone.strategy(), declined, new Route(source.traits(), sink.traits()));
    close();
    if (current == candidates.size() - 1) {
      String alternative = choice.isAuto() ? "" : Choice.AUTO;
      throw new RefusedException(gone.strategy().name(), declined.reason(), alternative, offset);
    }
    observer.declined(gone.strategy().name(), declined.reason());
    current++;
  }
}
