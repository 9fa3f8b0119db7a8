package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Libc;
import dev.zcp.spi.Model;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.io.IOException;
import java.util.Optional;

/// Shares the source's extents with the target: no byte is copied until one of them changes.
///
/// It asks with FICLONERANGE for exactly the span, and not with FICLONE for the whole file: a
/// source that grows meanwhile must not give the target more than was counted.
public final class ReflinkStrategy implements TransferStrategy {

  /// A whole file is one call.
  private static final long CHUNK_BYTES = Long.MAX_VALUE;

  /// At least the block size of every file system that shares extents.
  private static final long BLOCK_BYTES_MAX = 64 << 10;

  // If the file system can share, it takes no time for each MiB; if it cannot, as on ext4 and
  // tmpfs, all is to do still. The kernel's copy shares as well, so nobody need bet on this one.
  private static final long NS_PER_MIB = 320_000;

  /// Only btrfs shares between two devices, which are two subvolumes then.
  private static final long ACROSS_NS_PER_MIB = 10 * NS_PER_MIB;

  @Override
  public String name() {
    return "reflink";
  }

  @Override
  public String summary() {
    return "ioctl(FICLONERANGE): shares the extents on xfs, btrfs and the like, copies nothing";
  }

  /// The model speaks of sockets, which sharing cannot reach: one call and no copy.
  @Override
  public Model model() {
    return new Model(2, 0, 0);
  }

  @Override
  public Verdict judge(Route route) {
    Optional<String> refusal = KernelRoute.notFiles(route).or(() -> KernelRoute.refusal(route));
    long nsPerMiB = KernelRoute.isAcrossFileSystems(route) ? ACROSS_NS_PER_MIB : NS_PER_MIB;
    return KernelRoute.verdict(
        refusal,
        new Verdict.Usable(new Verdict.Cost(KernelRoute.START_UP_NS, nsPerMiB), CHUNK_BYTES));
  }

  @Override
  public Mover open(Source source, Sink sink) {
    return span -> move(source, sink, span);
  }

  private static Step move(Source source, Sink sink, Span span) throws IOException {
    int result = share(source, sink, span);
    // A length that fills no block is taken at the end of the source only. If the source goes
    // on by now, the full blocks before can still be shared.
    if (result == -Errno.EINVAL && span.length() > BLOCK_BYTES_MAX) {
      Span blocks = span.first(span.length() - span.length() % BLOCK_BYTES_MAX);
      if (share(source, sink, blocks) == 0) {
        return new Step.Moved(blocks.length());
      }
    }
    if (result == 0) {
      return new Step.Moved(span.length());
    }
    if (CallResult.isRefusal(-result)) {
      return result == -Errno.EINVAL
          ? new Step.Declined(
              Step.Reach.ROUTE, "the span is not made of whole blocks, or ends late: EINVAL")
          : CallResult.declined("reflink", -result);
    }
    throw CallResult.failure(-result);
  }

  private static int share(Source source, Sink sink, Span span) {
    return Libc.ficloneRange(
        sink.descriptor(), span.offset(), source.descriptor(), span.offset(), span.length());
  }
}
