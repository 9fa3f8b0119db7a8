package dev.zcp.strategy;

import dev.zcp.core.SpareBuffer;
import dev.zcp.spi.Model;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;

/// Reads into a heap buffer and writes from there. The kernel cannot be given the address of an
/// object that the garbage collector may move, so the JDK copies each way through direct memory of
/// its own.
public final class HeapStrategy implements TransferStrategy {

  private static final long CHUNK_BYTES = 1 << 20;

  // 0.53 s for 1 GiB copied; 0.58 s sent; 0.91 s received; pipes 425 µs for each MiB out and 590 in
  private static final CopyCosts COSTS = new CopyCosts(490_000, 527_000, 425_000, 888_000, 590_000);

  @Override
  public String name() {
    return "heap";
  }

  @Override
  public String summary() {
    return "read(2) and write(2) through a heap buffer: two copies more inside the JDK";
  }

  /// As the model counts it: the copies between the heap and the JDK's own direct memory, both in
  /// user space, are not in it.
  @Override
  public Model model() {
    return new Model(4, 2, 0);
  }

  @Override
  public Verdict judge(Route route) {
    return new Verdict.Usable(COSTS.on(route, 2 * CopyCosts.BUFFER_NS), CHUNK_BYTES);
  }

  @Override
  public Mover open(Source source, Sink sink) {
    return new UserSpace.BufferMover(source, sink, SpareBuffer.HEAP);
  }
}
