package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Libc;
import dev.zcp.spi.Model;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/// splice(2): moves references to pages through a pipe, for which Java has no method.
///
/// The one path on which a receiver's bytes never see user space.
public final class SpliceStrategy implements TransferStrategy {

  /// Several pipes full, so that the loop stays in native calls, and few enough for live progress.
  private static final long CHUNK_BYTES = 8 << 20;

  // Copied 0.46 s with 0.09 s of the process's start; in C sent 0.23 to 0.30 s; received 0.34 to
  // 0.37 s; pipes 180 µs for each MiB out and 480 in
  private static final CopyCosts COSTS = new CopyCosts(361_000, 220_000, 180_000, 330_000, 480_000);

  @Override
  public String name() {
    return "splice";
  }

  @Override
  public String summary() {
    return "splice(2) through a pipe of 1 MiB: pages change hands, also from a socket to a file";
  }

  /// The model has no row for it: two calls, and what sendfile copies, since sendfile is a splice
  /// through a pipe inside the kernel.
  @Override
  public Model model() {
    return new Model(4, 0, 1);
  }

  @Override
  public Verdict judge(Route route) {
    Optional<String> refusal = KernelRoute.refusal(route);
    return KernelRoute.verdict(
        refusal, new Verdict.Usable(COSTS.on(route, KernelRoute.START_UP_NS), CHUNK_BYTES));
  }

  @Override
  public Mover open(Source source, Sink sink) throws IOException {
    boolean pipeAtHand = source.traits().kind() == Kind.PIPE || sink.traits().kind() == Kind.PIPE;
    return pipeAtHand
        ? span -> move(source, sink, span)
        : new PipedSpliceMover(source, sink, OwnPipe.open());
  }

  /// Between a pipe and another end one call takes and gives, so no byte is ever held.
  private static Step move(Source source, Sink sink, Span span) throws IOException {
    long fromOffset = source.traits().seekable() ? span.offset() : Libc.NO_OFFSET;
    long toOffset = sink.traits().seekable() ? span.offset() : Libc.NO_OFFSET;
    long moved =
        Libc.splice(source.descriptor(), fromOffset, sink.descriptor(), toOffset, span.length(), 0);
    return CallResult.step("splice", moved, source, sink, span.offset());
  }

  /// splice(2) from the source into a pipe of our own, and from there to the sink.
  ///
  /// The pipe is empty between calls. Should the second hop fail while bytes are in it, then those
  /// of a file are let go, since they can be read again, and those of a stream are written to the
  /// sink by way of user space, since they are nowhere else.
  static final class PipedSpliceMover implements Mover {

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
      return Libc.splice(
          source.descriptor(), fromOffset, pipe.writeEnd(), Libc.NO_OFFSET, bytes, 0);
    }

    /// The second hop: all `taken` bytes from the pipe into the sink.
    ///
    /// @return how many reached the sink; fewer only if the second hop is refused for good
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

  /// A pipe between two ends neither of which is one, since splice(2) needs a pipe at one side.
  ///
  /// @param readEnd the descriptor that bytes leave by
  /// @param writeEnd the descriptor that bytes enter by
  /// @param bytes how much it holds
  record OwnPipe(int readEnd, int writeEnd, int bytes) implements Closeable {

    /// The most that an unprivileged process may ask for: `/proc/sys/fs/pipe-max-size`.
    private static final int CAPACITY_BYTES = 1 << 20;

    private static final int DRAIN_BYTES = 64 << 10;

    static OwnPipe open() throws IOException {
      int[] ends = new int[2];
      Errno.require(Libc.pipe(ends));
      // A pipe that may not grow, for want of pages allowed to this user, is smaller and slower
      // only.
      int granted = Libc.setPipeCapacity(ends[1], CAPACITY_BYTES);
      return new OwnPipe(ends[0], ends[1], granted > 0 ? granted : Libc.pipeCapacity(ends[1]));
    }

    /// Writes the `count` bytes in the pipe to the sink by way of user space.
    void drain(Sink sink, long offset, long count) throws IOException {
      ByteBuffer buffer = ByteBuffer.allocateDirect((int) Math.min(DRAIN_BYTES, count));
      long drained = 0;
      while (drained < count) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), count - drained));
        int got = Libc.read(readEnd, buffer);
        if (got < 1) {
          throw new IOException("The pipe lost bytes", got < 0 ? Errno.failure(-got) : null);
        }
        UserSpace.writeAll(sink, buffer.flip(), offset + drained);
        drained += got;
      }
    }

    @Override
    public void close() {
      // Nothing to tell anybody: a pipe has nothing to flush.
      Libc.close(readEnd);
      Libc.close(writeEnd);
    }
  }
}
