package dev.zcp.copy;

import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Failure;
import dev.zcp.core.PerThread;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Engine.Tuning;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.Transfer.Observer;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Samples;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.profile.RouteTunings;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.DataExtents;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Moves the bytes of a file by the path that [PathChoice] gives it. Any thread may call it; each
/// call belongs to its thread.
final class ByteMover {

  /// The strategies in whose name a path of its own makes their calls.
  private static final String BUFFER_STRATEGY = "direct";

  private static final String ONE_CALL_STRATEGY = "copyFileRange";

  /// Shares holes along with extents: a range for each run of data would be so many calls more.
  private static final String SHARES_HOLES = "reflink";

  /// After as many bytes it is looked whether a file of no known size is one that grows.
  private static final long LOOK_BYTES = 1 << 20;

  /// One page more than a file has, so that the read that takes its last byte finds its end, too.
  private static final int BUFFER_BYTES = PathChoice.SMALL_BUFFER_BYTES_MAX + 4096;

  private final Engine engine;
  private final Choice choice;
  private final RouteTunings tunings;
  private final SourceWatch watch;
  private final boolean keepsHoles;
  private final boolean zerosToHoles;
  private final LargeFile largeFile = new LargeFile();
  private final RateLimit rate;

  /// The devices whose file systems have no copy_file_range(2).
  private final Set<Long> devicesWithoutOneCall = ConcurrentHashMap.newKeySet();

  private final PerThread<ByteBuffer> buffers =
      new PerThread<>(() -> ByteBuffer.allocateDirect(BUFFER_BYTES));

  /// @param rate if it limits, the request's steps must be short
  ByteMover(
      Engine engine, CopyRequest request, RouteTunings tunings, SourceWatch watch, RateLimit rate) {
    this.engine = engine;
    this.choice = request.choice();
    this.tunings = tunings;
    this.watch = watch;
    this.rate = rate;
    this.keepsHoles = request.preserve().sparse() && !choice.strategy().equals(SHARES_HOLES);
    this.zerosToHoles = request.form().zerosToHoles();
  }

  SourceWatch watch() {
    return watch;
  }

  /// As [RateLimit#spend], of a file that is moved elsewhere.
  void spend(long bytes, Samples samples) {
    rate.spend(bytes, samples);
  }

  /// What hears of each step, and waits after it if the rate is limited.
  private Observer observer(FileLog log) {
    return rate.isLimited() ? new PacedSteps(log, rate) : log;
  }

  /// After each step of a file it waits until that many bytes may have gone.
  private record PacedSteps(FileLog log, RateLimit rate) implements Observer {

    @Override
    public void moved(String strategy, long offset, long bytes, long elapsedNs) {
      log.moved(strategy, offset, bytes, elapsedNs);
      rate.spend(bytes, log);
    }

    @Override
    public void read(long offset, long bytes, long elapsedNs) {
      log.read(offset, bytes, elapsedNs);
    }

    @Override
    public void written(long offset, long bytes, long elapsedNs) {
      log.written(offset, bytes, elapsedNs);
    }

    @Override
    public void declined(String strategy, String reason) {
      log.declined(strategy, reason);
    }
  }

  /// Whether a file goes through one buffer, as told by what is known before anything is opened.
  boolean isSmall(FileStatus status, OpenDirectory target) {
    return choice.isAuto()
        && !zerosToHoles
        && (!keepsHoles || status.hasAllBlocks())
        && status.sizeBytes()
            <= PathChoice.smallBytesMax(choice, target.status().device() == status.device());
  }

  /// Moves all bytes of `source` to `target`, which is empty. Holes stay holes if they are to be
  /// kept.
  ///
  /// @param status what the source is now
  /// @return how many bytes the target has: fewer than `status` says if the source ended early,
  ///   more if it was seen to go on
  /// @throws Failure if either end fails
  long move(
      NativeFile source,
      FileStatus status,
      NativeFile target,
      Object sourceLabel,
      Object targetLabel,
      FileLog log)
      throws Failure {
    long size = status.sizeBytes();
    Observer observer = observer(log);
    try {
      if (zerosToHoles && !SourceWatch.saysNothing(size)) {
        log.path(PathChoice.SMALL_BUFFER.label());
        return aroundZeros(source, size, target, observer);
      }
      DataExtents extents = keepsHoles ? LargeFile.extents(source, status) : null;
      Engine mover = engineFor(source, target, size);
      long device = target.traits().device();
      boolean mayTakeOneCall =
          source.traits().device() == device && !devicesWithoutOneCall.contains(device);
      PathChoice path =
          PathChoice.of(
              choice,
              new PathChoice.Facts(
                  size, mayTakeOneCall, mover.isTuned(), extents != null, target::isOnExt4));
      PathChoice taken = path;
      long end =
          switch (path) {
            case SMALL_BUFFER -> throughBuffer(source, size, target, observer);
            case ONE_CALL -> {
              long moved = byOneCall(source, size, target, log);
              if (moved >= size) {
                yield moved;
              }
              taken = PathChoice.STRATEGY_STEPS;
              yield bySteps(mover, source, new Span(moved, size - moved), target, observer);
            }
            case TWO_THREADS -> {
              long moved = largeFile.moveByTwoThreads(source, target, size, observer);
              if (moved >= 0) {
                yield moved;
              }
              taken = PathChoice.STRATEGY_STEPS;
              yield bySteps(mover, source, new Span(0, size), target, observer);
            }
            case STRATEGY_STEPS -> {
              if (extents != null) {
                try (Transfer transfer = mover.begin(source, target, size, observer)) {
                  yield LargeFile.moveAroundHoles(extents, transfer, 0, size, target);
                }
              }
              yield SourceWatch.saysNothing(size)
                  ? toTheEnd(mover, source, size, target, observer)
                  : bySteps(mover, source, new Span(0, size), target, observer);
            }
          };
      log.path(taken.label());
      return end;
    } catch (IOException e) {
      throw Reasons.source(sourceLabel, e);
    } catch (TransferException e) {
      throw Reasons.transfer(sourceLabel, targetLabel, e);
    } catch (RefusedException e) {
      throw Reasons.refused(targetLabel, e);
    }
  }

  /// As [#move], to a target that ends at `from` and is what the source is before.
  long moveRest(
      NativeFile source,
      FileStatus status,
      NativeFile target,
      long from,
      Object sourceLabel,
      Object targetLabel,
      FileLog log)
      throws Failure {
    long size = status.sizeBytes();
    Observer observer = observer(log);
    log.path(PathChoice.STRATEGY_STEPS.label());
    try {
      DataExtents extents = keepsHoles ? LargeFile.extents(source, status) : null;
      Engine mover = engineFor(source, target, size);
      if (extents == null) {
        return bySteps(mover, source, new Span(from, size - from), target, observer);
      }
      try (Transfer transfer = mover.begin(source, target, size, observer)) {
        return LargeFile.moveAroundHoles(extents, transfer, from, size, target);
      }
    } catch (TransferException e) {
      throw Reasons.transfer(sourceLabel, targetLabel, e);
    } catch (RefusedException e) {
      throw Reasons.refused(targetLabel, e);
    }
  }

  /// Moves what comes from a stream or goes into one.
  ///
  /// @param bytes how many there are, or [Long#MAX_VALUE] if nobody knows
  /// @return how many were moved
  long moveStream(
      Source source, Sink sink, long bytes, Object sourceLabel, Object targetLabel, FileLog log)
      throws Failure {
    try {
      long moved = engine.moveAll(source, sink, bytes, observer(log));
      log.path(PathChoice.STRATEGY_STEPS.label());
      return moved;
    } catch (TransferException e) {
      throw Reasons.transfer(sourceLabel, targetLabel, e);
    } catch (RefusedException e) {
      throw Reasons.refused(targetLabel, e);
    }
  }

  private Engine engineFor(NativeFile source, NativeFile target, long bytes) {
    Tuning tuning =
        bytes < RouteTunings.FILE_BYTES_MIN
            ? Tuning.NONE
            : tunings.ofCopy(held(source), held(target), bytes);
    return tuning == Tuning.NONE ? engine : engine.tunedBy(tuning);
  }

  /// A path to an open file, whatever has become of its name.
  private static RawPath held(NativeFile file) {
    return RawPath.of("/proc/self/fd/" + file.descriptor());
  }

  private static long bySteps(
      Engine mover, NativeFile source, Span span, NativeFile target, Observer observer)
      throws TransferException, RefusedException {
    try (Transfer transfer = mover.begin(source, target, span.length(), observer)) {
      return span.offset() + transfer.move(span);
    }
  }

  /// A file whose size says nothing, as long as that stays the same: one that grows may have no
  /// end.
  private static long toTheEnd(
      Engine mover, NativeFile source, long size, NativeFile target, Observer observer)
      throws TransferException, RefusedException, IOException {
    try (Transfer transfer = mover.begin(source, target, size, observer)) {
      long at = size == 0 ? 0 : transfer.move(new Span(0, size));
      // Some strategies refuse to be asked for more than there is, so it is looked first.
      while (at >= size && source.read(ByteBuffer.allocate(1), at) > 0) {
        long moved = transfer.move(new Span(at, LOOK_BYTES));
        at += moved;
        if (moved < LOOK_BYTES || source.status().sizeBytes() != size) {
          return at;
        }
      }
      return at;
    }
  }

  /// @return how many bytes were moved: fewer than `size` if the call does not take all of them,
  ///   one more than `size` if there are more
  private long byOneCall(NativeFile source, long size, NativeFile target, FileLog log) {
    long startedNs = System.nanoTime();
    // One byte more than there should be: a shorter answer has seen the end.
    long moved = source.copyTo(target, size + 1);
    if (moved > 0) {
      log.moved(ONE_CALL_STRATEGY, 0, moved, System.nanoTime() - startedNs);
    } else if (isOfFileSystem((int) -moved)) {
      devicesWithoutOneCall.add(target.traits().device());
    }
    return Math.max(moved, 0);
  }

  /// Whether every file of the file system would be refused like this. Other errors are of one
  /// file.
  private static boolean isOfFileSystem(int errno) {
    return switch (errno) {
      case Errno.ENOSYS, Errno.EXDEV, Errno.EOPNOTSUPP -> true;
      default -> false;
    };
  }

  /// @param size how many bytes there should be. If that [says nothing][SourceWatch#saysNothing],
  ///   all is read as long as the size stays the same: a file that grows may have no end.
  /// @return how many they were; more than `size` if there are more, but not how many more then
  private long throughBuffer(NativeFile source, long size, NativeFile target, Observer observer)
      throws TransferException, IOException {
    ByteBuffer buffer = buffers.get();
    long at = 0;
    while (at <= size || SourceWatch.saysNothing(size) && source.status().sizeBytes() == size) {
      int count = step(source, target, buffer.clear(), at, observer);
      if (count < 0) {
        return at;
      }
      at += count;
      if (at == size && count < BUFFER_BYTES) {
        return at;
      }
    }
    return at;
  }

  /// Moves all but blocks of zeros, and makes the target as long as the source.
  ///
  /// @return how long the target is: shorter than `size` if the source ended early, longer if it
  ///   goes on
  private long aroundZeros(NativeFile source, long size, NativeFile target, Observer observer)
      throws TransferException {
    ByteBuffer buffer = buffers.get();
    DataExtents extents = new DataExtents(source, size);
    for (Span data = extents.next(); data != null; data = extents.next()) {
      long at = data.offset();
      while (at < data.end()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), data.end() - at));
        long startedNs = System.nanoTime();
        int count = read(source, buffer, at, observer);
        if (count < 0) {
          LargeFile.resize(target, at);
          return at;
        }
        writeAroundZeros(target, buffer.flip(), at, observer);
        observer.moved(BUFFER_STRATEGY, at, count, System.nanoTime() - startedNs);
        at += count;
      }
    }
    LargeFile.resize(target, size);
    return size + Math.max(0, step(source, target, buffer.clear(), size, observer));
  }

  private static void writeAroundZeros(
      NativeFile target, ByteBuffer bytes, long at, Observer observer) throws TransferException {
    int end = bytes.limit();
    while (bytes.position() < end) {
      int runEnd = ZeroBlocks.runEnd(bytes);
      if (ZeroBlocks.isZero(bytes)) {
        bytes.position(runEnd);
      } else {
        write(target, bytes.limit(runEnd), at, observer);
        bytes.limit(end);
      }
    }
  }

  /// One read at `at` into all of `buffer`, up to its limit, and the writes that put it where it
  /// belongs.
  ///
  /// @return how many bytes, or -1 at the end of the source
  /// @throws TransferException if an end failed
  static int step(Source source, Sink sink, ByteBuffer buffer, long at, Observer observer)
      throws TransferException {
    long startedNs = System.nanoTime();
    int count = read(source, buffer.rewind(), at, observer);
    if (count >= 0) {
      write(sink, buffer.flip(), at, observer);
      observer.moved(BUFFER_STRATEGY, at, count, System.nanoTime() - startedNs);
    }
    return count;
  }

  private static int read(Source source, ByteBuffer buffer, long at, Observer observer)
      throws TransferException {
    long startedNs = System.nanoTime();
    try {
      int count = source.read(buffer, at);
      if (count >= 0) {
        observer.read(at, count, System.nanoTime() - startedNs);
      }
      return count;
    } catch (IOException e) {
      throw new TransferException(End.SOURCE, at, e);
    }
  }

  /// @param at where the byte at index 0 of `buffer` goes
  private static void write(Sink sink, ByteBuffer buffer, long at, Observer observer)
      throws TransferException {
    try {
      while (buffer.hasRemaining()) {
        long startedNs = System.nanoTime();
        long offset = at + buffer.position();
        int taken = sink.write(buffer, offset);
        if (taken < 1) {
          throw new IOException("nothing could be written");
        }
        observer.written(offset, taken, System.nanoTime() - startedNs);
      }
    } catch (IOException e) {
      throw new TransferException(End.SINK, at + buffer.position(), e);
    }
  }
}
