package dev.zcp.strategy;

import dev.zcp.core.Span;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Libc;
import dev.zcp.spi.Model;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;

/// What `FileChannel.transferTo` does: copy_file_range(2) between files, sendfile(2) to anything
/// else. Into a file from anything else it is `transferFrom`, which is no zero copy at all.
public final class TransferToStrategy implements TransferStrategy {

  /// From 1 MiB on the time is flat; 16 MiB keeps progress alive.
  private static final long FILE_CHUNK_BYTES = 16 << 20;

  /// One call for 1 GiB takes 0.20 s and calls of 1 MiB 0.31 s: 64 MiB loses under 5 %.
  private static final long SOCKET_CHUNK_BYTES = 64 << 20;

  /// More buys nothing: the JDK moves 8 KiB at a time.
  private static final long TRANSFER_FROM_CHUNK_BYTES = 1 << 20;

  // Copied 0.36 s; sent 0.23 s (0.168 s without the process); received 1.60 s; pipes 175 µs for
  // each MiB out and 840 in
  private static final CopyCosts COSTS =
      new CopyCosts(315_000, 180_000, 175_000, 1_560_000, 840_000);

  /// From ext4 to tmpfs, 512 MiB: 0.187 s where direct took 0.229 s, of whose figure it is as much
  /// a part here. The JDK asks for copy_file_range(2) again at each call, in vain, before it goes
  /// on by sendfile(2): once in 16 MiB, which does not show.
  private static final long ACROSS_NS_PER_MIB = 335_000;

  /// The JDK's method switches over types, which costs a cold process some 5 ms, once. The part of
  /// it that is charged to each file sends those under some 7 MiB through a buffer, and lets the
  /// kernel have the others, which may share their extents.
  private static final long START_UP_NS = 1_000_000;

  @Override
  public String name() {
    return "transferTo";
  }

  @Override
  public String summary() {
    return "copy_file_range(2) or sendfile(2), one copy or none;"
        + " to receive it is transferFrom, an 8 KiB loop four times slower than direct";
  }

  /// As the model has it: one copy, or none with gather DMA.
  @Override
  public Model model() {
    return new Model(2, 0, 1);
  }

  @Override
  public Verdict judge(Route route) {
    Optional<String> refusal =
        KernelRoute.encryption(route)
            .or(() -> KernelRoute.noFile(route))
            .or(() -> streamSink(route));
    return KernelRoute.verdict(refusal, new Verdict.Usable(cost(route), chunkBytes(route)));
  }

  @Override
  public Mover open(Source source, Sink sink) {
    if (!source.traits().seekable()) {
      return transferFrom(source, sink);
    }
    return sink.traits().seekable() ? transferTo(source, sink) : sendfile(source, sink);
  }

  private static long chunkBytes(Route route) {
    if (!route.source().seekable()) {
      return TRANSFER_FROM_CHUNK_BYTES;
    }
    return route.sink().seekable() ? FILE_CHUNK_BYTES : SOCKET_CHUNK_BYTES;
  }

  private static Verdict.Cost cost(Route route) {
    if (!route.source().seekable()) {
      // transferFrom allocates its array anew at each call.
      return COSTS.on(route, 2 * CopyCosts.BUFFER_NS);
    }
    return KernelRoute.isAcrossFileSystems(route)
        ? new Verdict.Cost(START_UP_NS, ACROSS_NS_PER_MIB)
        : COSTS.on(route, START_UP_NS);
  }

  private static Optional<String> streamSink(Route route) {
    return route.sink().kind() == Kind.STREAM
        ? Optional.of("needs a file, a socket or a pipe to send to, and the target is a stream")
        : Optional.empty();
  }

  /// sendfile(2) from a file to a socket or a pipe.
  ///
  /// `FileChannel.transferTo` makes that call too, but on JDK 25 tries copy_file_range(2) first, in
  /// vain, every time. So it serves only ends whose descriptors are not known.
  private static Mover sendfile(Source source, Sink sink) {
    boolean hasDescriptors =
        source.traits().hasDescriptor()
            && sink.traits().hasDescriptor()
            && Libc.obstacle().isEmpty();
    return span -> {
      long moved =
          hasDescriptors
              ? Libc.sendfile(sink.descriptor(), source.descriptor(), span.offset(), span.length())
              : sendfileByJdk(source, sink, span);
      return CallResult.step("sendfile", moved, source, sink, span.offset());
    };
  }

  private static long sendfileByJdk(Source source, Sink sink, Span span) throws IOException {
    try {
      FileChannel from = (FileChannel) source.channel();
      return from.transferTo(span.offset(), span.length(), sink.channel());
    } catch (IOException e) {
      int errno = Errno.ofMessage(e.getMessage());
      if (errno == 0) {
        throw e;
      }
      return -errno;
    }
  }

  /// `FileChannel.transferTo` from file to file, in which the JDK calls copy_file_range(2) once, at
  /// most 2 GiB, and falls back to sendfile(2) by itself if that fails with EXDEV, EINVAL or
  /// ENOSYS.
  private static Mover transferTo(Source source, Sink sink) {
    FileChannel from = (FileChannel) source.channel();
    FileChannel to = (FileChannel) sink.channel();
    return span -> {
      long moved;
      try {
        // transferTo writes at the target's position, and nobody else relies on that.
        to.position(span.offset());
        moved = from.transferTo(span.offset(), span.length(), to);
      } catch (IOException e) {
        int errno = Errno.ofMessage(e.getMessage());
        // One call either moved or failed, so nothing has been moved. EIO too: copy_file_range(2)
        // of some network file systems says so of files that can be read.
        if (CallResult.isRefusal(errno) || errno == Errno.EIO) {
          return CallResult.declined("copy_file_range", errno);
        }
        throw errno == 0 ? e : CallResult.failure(errno);
      }
      return CallResult.step("transferTo", moved, source, sink, span.offset());
    };
  }

  /// `FileChannel.transferFrom`: whatever its name suggests, a loop over 8 KiB of heap unless the
  /// source is a file.
  private static Mover transferFrom(Source source, Sink sink) {
    ReadableByteChannel from = source.channel();
    FileChannel to = (FileChannel) sink.channel();
    return span -> {
      long moved = to.transferFrom(from, span.offset(), span.length());
      // 0 is the end of the source for most channels and a pause of it for some: a read decides.
      return CallResult.step("transferFrom", moved, source, sink, span.offset());
    };
  }
}
