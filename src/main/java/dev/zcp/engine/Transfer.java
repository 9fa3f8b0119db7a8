package dev.zcp.engine;

import dev.zcp.core.Span;
import dev.zcp.engine.Engine.Refusals;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
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
  private final Route route;

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
    this.route = new Route(source.traits(), sink.traits());
    skipRefused();
  }

  public String strategy() {
    return candidates.get(current).strategy().name();
  }

  /// Moves `span`, or as much of it as the source has.
  ///
  /// @return the bytes moved: fewer than asked for only if the source ended before
  /// @throws TransferException if an end failed
  /// @throws RefusedException if no strategy is left that will go on
  /// @throws IllegalStateException if a strategy broke its contract: how much has arrived is not
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

  /// Writes bytes that came before those of the source and are in memory already. They count as
  /// those of the strategy, which goes on behind them.
  ///
  /// @return how many there were
  /// @throws TransferException if the sink failed
  public int write(ByteBuffer bytes, long offset) throws TransferException {
    int start = bytes.position();
    long startedNs = System.nanoTime();
    try {
      sink.writeAll(bytes, offset);
    } catch (IOException e) {
      throw new TransferException(MoveException.End.SINK, offset + bytes.position() - start, e);
    }
    int count = bytes.position() - start;
    if (count > 0) {
      observer.moved(strategy(), offset, count, System.nanoTime() - startedNs);
    }
    return count;
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
        try {
          mover = candidate.strategy().open(source, sink);
        } catch (UncheckedIOException e) {
          // An end has no channel: that opens the file once more, which takes /proc and the rights.
          return new Step.Declined(Step.Reach.ROUTE, "the file cannot be opened once more");
        }
        pace = Pace.of(choice, candidate.verdict().chunkBytes());
      }
      Span chunk = rest.first(pace.chunkBytes());
      long startedNs = System.nanoTime();
      Step step = mover.move(chunk);
      if (step instanceof Step.Exhausted) {
        // A stream may be waited for long before it ends.
        observer.read(chunk.offset(), 0, System.nanoTime() - startedNs);
      } else if (step instanceof Step.Moved(long bytes)) {
        if (bytes > chunk.length()) {
          throw new IllegalStateException(
              strategy() + " moved " + bytes + " bytes of a chunk of " + chunk.length());
        }
        long elapsedNs = System.nanoTime() - startedNs;
        observer.moved(strategy(), chunk.offset(), bytes, elapsedNs);
        pace.took(bytes, elapsedNs);
      }
      return step;
    } catch (MoveException e) {
      throw new TransferException(e.end(), rest.offset(), e);
    } catch (IOException e) {
      throw new TransferException(FailedEnd.of(e, source, rest.offset()), rest.offset(), e);
    } catch (InternalError e) {
      Span chunk = rest.first(pace == null ? 1 : pace.chunkBytes());
      throw new TransferException(
          FailedEnd.ofFault(source, chunk), rest.offset(), new IOException(FAULT, e));
    } catch (RuntimeException e) {
      throw new IllegalStateException("strategy " + strategy() + " failed: " + e, e);
    }
  }

  /// Hands over to the next candidate. Its turn comes at the same offset, since a mover that
  /// declines has moved nothing.
  private void next(Step.Declined declined, long offset) throws RefusedException {
    Engine.Candidate gone = candidates.get(current);
    refusals.keep(gone.strategy(), declined, route);
    close();
    if (current == candidates.size() - 1) {
      String alternative = choice.isAuto() ? "" : Choice.AUTO;
      throw new RefusedException(gone.strategy().name(), declined.reason(), alternative, offset);
    }
    observer.declined(gone.strategy().name(), declined.reason());
    current++;
    skipRefused();
  }

  /// Passes over strategies that need not be asked again, and tells why as if they had been. The
  /// last one is asked all the same.
  private void skipRefused() {
    while (current < candidates.size() - 1) {
      TransferStrategy strategy = candidates.get(current).strategy();
      String reason = refusals.reasonOf(strategy, route);
      if (reason == null) {
        return;
      }
      observer.declined(strategy.name(), reason);
      current++;
    }
  }

  /// Finds out which end failed if one call of the kernel served both, so that the message names
  /// the right file and the exit code the right side.
  static final class FailedEnd {

    /// Of ECONNRESET, ETIMEDOUT, ENOTCONN, EHOSTUNREACH and ENETUNREACH, and of the JDK itself.
    private static final String[] OF_A_PEER = {
      "reset", "timed out", "not connected", "No route", "unreachable", "EOF"
    };

    private FailedEnd() {}

    /// A source that can be asked again is asked; what it cannot answer for is the sink's.
    static MoveException.End of(IOException failure, Source source, long offset) {
      return source.traits().seekable()
          ? probe(source, offset, true)
          : speaksOfAPeer(failure) ? MoveException.End.SOURCE : MoveException.End.SINK;
    }

    /// Whose mapping lost a page: the source's, if it does not reach to the end of what was to be
    /// moved; else that of the sink, whose disk is full.
    static MoveException.End ofFault(Source source, Span chunk) {
      return source.traits().seekable()
          ? probe(source, chunk.end() - 1, false)
          : MoveException.End.SINK;
    }

    private static MoveException.End probe(Source source, long offset, boolean mayEndThere) {
      try {
        int count = source.read(ByteBuffer.allocate(1), offset);
        return count < 0 && !mayEndThere ? MoveException.End.SOURCE : MoveException.End.SINK;
      } catch (IOException e) {
        return MoveException.End.SOURCE;
      }
    }

    /// Java gives no errno, only strerror(3)'s text.
    private static boolean speaksOfAPeer(IOException failure) {
      String message = String.valueOf(failure.getMessage());
      for (String word : OF_A_PEER) {
        if (message.contains(word)) {
          return true;
        }
      }
      return false;
    }
  }

  /// How much to move at once: large enough that calls cost nothing, small enough that progress
  /// stays live and a slow link is seen to be slow and not stalled.
  ///
  /// A chunk doubles while it is done sooner than [#SOON_NS] and halves when it took longer than
  /// [#LATE_NS]. On loopback sendfile(2) gets from the first to the largest chunk within some 30
  /// ms; on a link of 10 MB/s it stays below 4 MiB.
  public static final class Pace {

    /// The first chunk, if nothing is known yet.
    static final long CHUNK_BYTES_FIRST = 4L << 20;

    /// No chunk gets smaller than this however slow the ends are.
    static final long CHUNK_BYTES_MIN = 64L << 10;

    static final long SOON_NS = 20_000_000;
    static final long LATE_NS = 250_000_000;

    private final long chunkBytesMax;
    private final boolean fixed;
    private long chunkBytes;

    private Pace(long chunkBytes, long chunkBytesMax, boolean fixed) {
      this.chunkBytes = chunkBytes;
      this.chunkBytesMax = chunkBytesMax;
      this.fixed = fixed;
    }

    /// A pace that never asks for more than `chunkBytesMax`.
    public static Pace adaptive(long chunkBytesMax) {
      return new Pace(Math.min(CHUNK_BYTES_FIRST, chunkBytesMax), chunkBytesMax, false);
    }

    /// The pace for a user's choice and a strategy's preference. A strategy that prefers no limit,
    /// as a clone of extents does, gets none.
    static Pace of(Choice choice, long chunkBytesPreferred) {
      if (choice.chunkBytes() != Choice.ADAPTIVE) {
        return new Pace(choice.chunkBytes(), choice.chunkBytes(), true);
      }
      return chunkBytesPreferred == Long.MAX_VALUE
          ? new Pace(Long.MAX_VALUE, Long.MAX_VALUE, true)
          : adaptive(chunkBytesPreferred);
    }

    public long chunkBytes() {
      return chunkBytes;
    }

    /// Learns from a step. Only a step that moved its whole chunk says anything of larger ones.
    public void took(long bytes, long elapsedNs) {
      if (fixed) {
        return;
      }
      if (elapsedNs > LATE_NS) {
        chunkBytes = Math.max(chunkBytes / 2, Math.min(CHUNK_BYTES_MIN, chunkBytesMax));
      } else if (elapsedNs < SOON_NS && bytes >= chunkBytes) {
        chunkBytes = chunkBytes > chunkBytesMax / 2 ? chunkBytesMax : chunkBytes * 2;
      }
    }
  }

  /// A sink whose writes are timed, and whose failures are known as the sink's.
  record MeteredSink(Sink sink, Observer observer) implements Sink {

    @Override
    public Route.Traits traits() {
      return sink.traits();
    }

    @Override
    public int write(ByteBuffer bytes, long offset) throws IOException {
      long startedNs = System.nanoTime();
      try {
        int count = sink.write(bytes, offset);
        observer.written(offset, count, System.nanoTime() - startedNs);
        return count;
      } catch (IOException e) {
        throw new MoveException(MoveException.End.SINK, e);
      }
    }

    @Override
    public WritableByteChannel channel() {
      return sink.channel();
    }

    @Override
    public int descriptor() {
      return sink.descriptor();
    }

    @Override
    public void close() throws IOException {
      sink.close();
    }
  }

  /// A source whose reads are timed, and whose failures are known as the source's.
  record MeteredSource(Source source, Observer observer) implements Source {

    @Override
    public Route.Traits traits() {
      return source.traits();
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      long startedNs = System.nanoTime();
      try {
        int count = source.read(target, offset);
        if (count > 0) {
          observer.read(offset, count, System.nanoTime() - startedNs);
        }
        return count;
      } catch (IOException e) {
        throw new MoveException(MoveException.End.SOURCE, e);
      }
    }

    @Override
    public ReadableByteChannel channel() {
      return source.channel();
    }

    @Override
    public int descriptor() {
      return source.descriptor();
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  /// Hears of every step of one transfer, on the thread that makes it. An implementation must
  /// return soon and must not throw: the time it takes is the transfer's time.
  public interface Observer {

    /// One call of a mover put `bytes` into the sink.
    ///
    /// @param offset of the first of them in the file; in [#read] and [#written], too
    default void moved(String strategy, long offset, long bytes, long elapsedNs) {}

    /// A strategy that moves bytes through user space read `bytes` from the source; part of a step
    /// that [#moved] reports as a whole.
    default void read(long offset, long bytes, long elapsedNs) {}

    /// A strategy that moves bytes through user space wrote `bytes` to the sink; part of a step,
    /// too.
    default void written(long offset, long bytes, long elapsedNs) {}

    /// `strategy` would not go on, and another takes over at the same offset.
    default void declined(String strategy, String reason) {}

    /// Hears everything and does nothing.
    Observer NONE = new Observer() {};
  }

  /// One end of a transfer failed; the bytes before `offset` have arrived.
  public static final class TransferException extends Exception {

    private static final long serialVersionUID = 1L;

    private final MoveException.End end;
    private final long offset;

    public TransferException(MoveException.End end, long offset, IOException cause) {
      super(cause.getMessage(), cause);
      this.end = end;
      this.offset = offset;
    }

    public MoveException.End end() {
      return end;
    }

    /// The offset of the first byte that did not arrive, in bytes.
    public long offset() {
      return offset;
    }

    /// What the end said, free of the wrapping that says which end it was.
    public IOException failure() {
      Throwable cause = getCause();
      while (cause instanceof MoveException && cause.getCause() != null) {
        cause = cause.getCause();
      }
      return (IOException) cause;
    }
  }
}
