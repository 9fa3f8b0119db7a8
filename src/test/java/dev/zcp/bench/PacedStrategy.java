package dev.zcp.bench;

import dev.zcp.core.Span;
import dev.zcp.spi.Model;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Copies through a buffer, waits for each MiB, and says of itself what a test wants.
///
/// @param nsPerMiBSaid what it costs by its own account
/// @param msPerMiB how long it waits
/// @param kind what else is to be known of it
record PacedStrategy(String name, long nsPerMiBSaid, long msPerMiB, Kind kind)
    implements TransferStrategy {

  private static final int CHUNK_BYTES = 1 << 20;

  enum Kind {
    RIGHT,
    /// Moves other bytes than those of the source.
    WRONG,
    /// Will not serve when it comes to it.
    DECLINING
  }

  @Override
  public String summary() {
    return "takes the time that a test wants";
  }

  @Override
  public Model model() {
    return new Model(4, 2, 0);
  }

  @Override
  public Verdict judge(Route route) {
    return new Verdict.Usable(new Verdict.Cost(0, nsPerMiBSaid), CHUNK_BYTES);
  }

  @Override
  public Mover open(Source source, Sink sink) {
    return span -> move(source, sink, span);
  }

  private Step move(Source source, Sink sink, Span span) throws IOException {
    if (kind == Kind.DECLINING) {
      return new Step.Declined(Step.Reach.ROUTE, "not today");
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(span.length(), CHUNK_BYTES));
    int count = source.read(bytes, span.offset());
    if (count < 0) {
      return new Step.Exhausted();
    }
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(msPerMiB * count) / CHUNK_BYTES);
    bytes.flip();
    if (kind == Kind.WRONG) {
      bytes.put(0, (byte) ~bytes.get(0));
    }
    while (bytes.hasRemaining()) {
      sink.write(bytes, span.offset() + bytes.position());
    }
    return new Step.Moved(count);
  }
}
