package dev.zcp.copy;

import dev.zcp.core.Span;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Observer;
import dev.zcp.engine.RefusedException;
import dev.zcp.engine.Transfer;
import dev.zcp.engine.TransferException;
import dev.zcp.io.NativeFile;
import dev.zcp.linux.FileStatus;
import dev.zcp.spi.MoveException.End;
import dev.zcp.tree.DataExtents;
import java.io.IOException;

/// Moves what is too large for one buffer: around holes, by two threads where that is faster, else
/// by the engine. Any thread may call it.
public final class LargeFiles {

  /// A file that is shorter is copied by one thread.
  public static final long TWO_THREADS_BYTES_MIN = TwoRanges.BYTES_MIN;

  /// The file system on which two threads were measured to be faster than one.
  public static final String TWO_THREADS_TYPE = "ext4";

  /// What stat(2) counts blocks in, whatever the file system's own are.
  private static final long BLOCK_BYTES = 512;

  /// Shares holes along with extents: a range for each run of data would be so many calls more.
  private static final String SHARES_HOLES = "reflink";

  private final boolean goesAroundHoles;
  private final boolean byTwoThreads;
  private final TwoRanges twoRanges = new TwoRanges();

  LargeFiles(Choice choice, boolean holesAreKept) {
    this.goesAroundHoles = holesAreKept && !choice.strategy().equals(SHARES_HOLES);
    this.byTwoThreads = choice.isAuto() && choice.chunkBytes() == Choice.ADAPTIVE;
  }

  /// Whether it is looked for holes at all.
  boolean goAroundHoles() {
    return goesAroundHoles;
  }

  /// Where `source` has data, or null where it is to be moved from end to end: it has no hole, or
  /// holes are not to be kept, or are without anybody's help.
  DataExtents extents(NativeFile source, FileStatus status) throws TransferException {
    long size = status.sizeBytes();
    if (!goesAroundHoles || status.blocks() >= (size + BLOCK_BYTES - 1) / BLOCK_BYTES) {
      return null;
    }
    // Compressed files have few blocks, and no hole.
    DataExtents extents = new DataExtents(source, size);
    return extents.coverAll() ? null : extents;
  }

  /// Moves what `extents` has from `offset` on and makes the target as long as the source. What the
  /// target has before `offset` is there already, holes filled; they become holes again.
  ///
  /// @return how long the target is: shorter than `size` where the source ended early
  long moveAround(DataExtents extents, Transfer transfer, long offset, long size, NativeFile target)
      throws TransferException, RefusedException {
    long end = 0;
    for (Span data = extents.next(); data != null; data = extents.next()) {
      punch(target, end, Math.min(data.offset(), offset));
      end = data.end();
      Span left = data.skip(Math.clamp(offset - data.offset(), 0, data.length()));
      long moved = transfer.move(left);
      if (moved < left.length()) {
        return left.offset() + moved;
      }
    }
    punch(target, end, offset);
    resize(target, size);
    return size;
  }

  /// Moves `span`, which has no holes, or as much of it as the source has.
  ///
  /// @return where the target ends then
  long move(Engine engine, NativeFile source, NativeFile target, Span span, Observer observer)
      throws TransferException, RefusedException {
    long end = moveByTwo(engine, source, target, span, observer);
    if (end >= 0) {
      return end;
    }
    try (Transfer transfer = engine.begin(source, target, span.length(), observer)) {
      return span.offset() + transfer.move(span);
    }
  }

  /// As [#move], by two threads.
  ///
  /// @return -1 where one is as fast, or another file has the second: nothing was moved then
  long moveByTwo(Engine engine, NativeFile source, NativeFile target, Span span, Observer observer)
      throws TransferException {
    if (!isForTwo(engine, target, span)) {
      return -1;
    }
    long end = twoRanges.move(source, target, span, observer);
    if (end >= 0 && end < span.end()) {
      resize(target, end);
    }
    return end;
  }

  /// Where it was measured to be faster. Other file systems share extents, copy on a server, or
  /// were not seen to gain.
  private boolean isForTwo(Engine engine, NativeFile target, Span span) {
    return byTwoThreads
        && span.length() >= TwoRanges.BYTES_MIN
        && !engine.isTuned()
        && engine.offers(DirectStep.STRATEGY)
        && target.isOnExt4();
  }

  private static void punch(NativeFile target, long from, long to) throws TransferException {
    try {
      if (from < to) {
        target.punch(from, to - from);
      }
    } catch (IOException e) {
      throw new TransferException(End.SINK, from, e);
    }
  }

  private static void resize(NativeFile target, long bytes) throws TransferException {
    try {
      target.resize(bytes);
    } catch (IOException e) {
      throw new TransferException(End.SINK, bytes, e);
    }
  }
}
