package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Libc;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import java.io.IOException;

/// splice(2) from the source into a pipe of our own, and from there to the sink.
///
/// The pipe is empty between calls. Should the second hop fail while bytes are in it, then those of
/// a file are let go, since they can be read again, and those of a stream are written to the sink
/// by way of user space, since they are nowhere else.
final class PipedSpliceMover implements Mover {

  /// A slow source must not keep a step, and with it every sign of progress, for longer.
  private static final long STEP_NS_MAX = 100_000_000;

  private final Source source;
  private final Sink sink;
  private final OwnPipe pipe;

  /// Why the second hop cannot be made, once it has failed; nothing is taken from the source any
  /// more.
  private Step.Declined refusal;

  PipedSpliceMover(Source source, Sink sink, OwnPipe pipe) {
    this.source = source;
    this.sink = sink;
    this.pipe = pipe;
  }

  @Override
  public Step move(Span span) throws IOException {
    if (refusal != null) {
      return refusal;
    }
    long startedNs = System.nanoTime();
    Span rest = span;
    do {
      long taken = take(rest);
      if (taken < 1) {
        return rest.equals(span) ? afterNothing(rest, (int) -taken) : moved(span, rest);
      }
      rest = rest.skip(give(rest, taken));
    } while (!rest.isEmpty() && refusal == null && System.nanoTime() - startedNs < STEP_NS_MAX);
    return rest.equals(span) ? refusal : moved(span, rest);
  }

  @Override
  public void close() {
    pipe.close();
  }

  /// The first hop: bytes of the source into the empty pipe.
  private long take(Span rest) {
    long fromOffset = source.traits().seekable() ? rest.offset() : Libc.NO_OFFSET;
    long bytes = Math.min(rest.length(), pipe.bytes());
    return Libc.splice(source.descriptor(), fromOffset, pipe.writeEnd(), Libc.NO_OFFSET, bytes, 0);
  }

  /// The second hop: all `taken` bytes from the pipe into the sink.
  ///
  /// @return how many reached the sink; fewer only where the second hop is refused for good
  private long give(Span rest, long taken) throws IOException {
    long given = 0;
    while (given < taken) {
      long toOffset = sink.traits().seekable() ? rest.offset() + given : Libc.NO_OFFSET;
      // Without the flag the last, short segment leaves at once; with it, it may wait for 200 ms.
      int flags = taken < rest.length() ? Libc.SPLICE_F_MORE : 0;
      long count =
          Libc.splice(
              pipe.readEnd(), Libc.NO_OFFSET, sink.descriptor(), toOffset, taken - given, flags);
      if (count < 1) {
        return given + rescue(rest.offset() + given, taken - given, (int) -count);
      }
      given += count;
    }
    return given;
  }

  /// Deals with `left` bytes that are in the pipe and cannot be spliced on.
  ///
  /// @return how many of them reached the sink
  private long rescue(long offset, long left, int errno) throws IOException {
    refusal =
        errno == 0
            ? new Step.Declined(Step.Reach.ROUTE, "splice gave the target nothing")
            : CallResult.declined("splice", errno);
    if (!source.traits().seekable()) {
      pipe.drain(sink, offset, left);
      return left;
    }
    if (errno != 0 && !CallResult.isRefusal(errno)) {
      throw new MoveException(End.SINK, Errno.failure(errno));
    }
    return 0;
  }

  private Step afterNothing(Span span, int errno) throws IOException {
    if (errno == 0) {
      return UserSpace.afterNothing("splice", source, sink, span.offset());
    }
    if (CallResult.isRefusal(errno)) {
      return CallResult.declined("splice", errno);
    }
    throw new MoveException(End.SOURCE, Errno.failure(errno));
  }

  private static Step moved(Span span, Span rest) {
    return new Step.Moved(span.length() - rest.length());
  }
}
