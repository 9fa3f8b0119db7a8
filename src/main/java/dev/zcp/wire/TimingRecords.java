package dev.zcp.wire;

import dev.zcp.core.ProcessTimes;
import dev.zcp.wire.Timings.SlowOperation;
import dev.zcp.wire.Timings.StageTimes;
import dev.zcp.wire.Timings.TimeCell;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// [Timings] in the payload of [Done], both ways. They are the last thing in it, and nothing at all
/// if they are [Timings#NONE].
public final class TimingRecords {

  /// Four times, and the number of stages.
  private static final int HEAD_BYTES = 4 * Long.BYTES + 1;

  /// Of a stage, beside its word and its cells.
  private static final int STAGE_BYTES = 1 + 4 * Long.BYTES + Short.BYTES;

  private static final int COUNT_BYTES = Short.BYTES;

  /// Of a slow operation, beside its word and its path.
  private static final int SLOW_BYTES = 1 + 4 * Long.BYTES + Short.BYTES;

  static final int BYTES_MAX =
      HEAD_BYTES + Limits.STAGES_BYTES_MAX + COUNT_BYTES + Limits.SLOWEST_BYTES_MAX;

  /// A byte of a varint holds so many bits of it; the highest bit says that another byte follows.
  private static final int VARINT_BITS = 7;

  private static final int VARINT_MORE = 1 << VARINT_BITS;

  private TimingRecords() {}

  static int bytes(Timings timings) {
    // Not by equals, which a record makes at its first use, for milliseconds.
    return timings == Timings.NONE
        ? 0
        : HEAD_BYTES + stageBytes(timings.stages()) + COUNT_BYTES + slowestBytes(timings.slowest());
  }

  /// What these take of [Limits#STAGES_BYTES_MAX].
  public static int stageBytes(List<StageTimes> stages) {
    long bytes = 0;
    for (StageTimes stage : stages) {
      bytes += stageBytes(stage);
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  private static int stageBytes(StageTimes stage) {
    int bytes = STAGE_BYTES + stage.stage().length();
    int before = -1;
    for (TimeCell cell : stage.cells()) {
      bytes += varintBytes(cell.index() - before) + varintBytes(cell.count());
      before = cell.index();
    }
    return bytes;
  }

  static int slowestBytes(List<SlowOperation> slowest) {
    long bytes = 0;
    for (SlowOperation slow : slowest) {
      bytes += slowBytes(slow);
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  /// What one slow operation takes of [Limits#SLOWEST_BYTES_MAX].
  public static int slowBytes(SlowOperation slow) {
    return SLOW_BYTES + slow.stage().length() + Text.length(slow.path());
  }

  static void put(Timings timings, ByteBuffer out) {
    if (timings == Timings.NONE) {
      return;
    }
    out.putLong(timings.elapsedNs());
    out.putLong(timings.process().usedNs());
    out.putLong(timings.process().starvedNs()).putLong(timings.process().stoppedNs());
    out.put((byte) timings.stages().size());
    for (StageTimes stage : timings.stages()) {
      putWord(stage.stage(), out);
      out.putLong(stage.leastNs()).putLong(stage.greatestNs());
      out.putLong(stage.totalNs()).putLong(stage.busiestNs());
      out.putShort((short) stage.cells().size());
      int before = -1;
      for (TimeCell cell : stage.cells()) {
        putVarint(cell.index() - before, out);
        putVarint(cell.count(), out);
        before = cell.index();
      }
    }
    out.putShort((short) timings.slowest().size());
    for (SlowOperation slow : timings.slowest()) {
      byte[] path = Text.bytes(slow.path());
      putWord(slow.stage(), out);
      out.putLong(slow.offset()).putLong(slow.bytes());
      out.putLong(slow.elapsedNs()).putLong(slow.startedMs());
      out.putShort((short) path.length).put(path);
    }
  }

  /// Takes what is left of `in`.
  ///
  /// @throws IllegalArgumentException with the reason, if those are no timings
  static Timings parse(ByteBuffer in) {
    if (!in.hasRemaining()) {
      return Timings.NONE;
    }
    Bytes.requireRemaining(in, HEAD_BYTES);
    long elapsedNs = in.getLong();
    ProcessTimes process = new ProcessTimes(in.getLong(), in.getLong(), in.getLong());
    int stageCount = in.get() & 0xff;
    List<StageTimes> stages = new ArrayList<>();
    for (int i = 0; i < stageCount; i++) {
      stages.add(stage(in));
    }
    Bytes.requireRemaining(in, COUNT_BYTES);
    int slowCount = in.getShort() & 0xffff;
    List<SlowOperation> slowest = new ArrayList<>();
    for (int i = 0; i < slowCount; i++) {
      slowest.add(slow(in));
    }
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("bytes behind the timings");
    }
    return new Timings(elapsedNs, process, stages, slowest);
  }

  private static StageTimes stage(ByteBuffer in) {
    String word = takeWord(in);
    Bytes.requireRemaining(in, STAGE_BYTES - 1);
    long leastNs = in.getLong();
    long greatestNs = in.getLong();
    long totalNs = in.getLong();
    long busiestNs = in.getLong();
    int count = in.getShort() & 0xffff;
    List<TimeCell> cells = new ArrayList<>();
    long index = -1;
    for (int i = 0; i < count; i++) {
      long step = takeVarint(in);
      if (step < 1 || step > Limits.CELLS_MAX) {
        throw new IllegalArgumentException("cells that do not ascend");
      }
      index += step;
      cells.add(new TimeCell((int) Math.min(index, Limits.CELLS_MAX), takeVarint(in)));
    }
    return new StageTimes(word, leastNs, greatestNs, totalNs, busiestNs, cells);
  }

  private static SlowOperation slow(ByteBuffer in) {
    String word = takeWord(in);
    Bytes.requireRemaining(in, SLOW_BYTES - 1);
    long offset = in.getLong();
    long bytes = in.getLong();
    long elapsedNs = in.getLong();
    long startedMs = in.getLong();
    String path = Text.take(in.getShort() & 0xffff, in);
    return new SlowOperation(word, path, offset, bytes, elapsedNs, startedMs);
  }

  static void putWord(String word, ByteBuffer out) {
    byte[] ascii = word.getBytes(StandardCharsets.US_ASCII);
    out.put((byte) ascii.length).put(ascii);
  }

  static String takeWord(ByteBuffer in) {
    Bytes.requireRemaining(in, 1);
    byte[] ascii = Bytes.take(in, in.get() & 0xff).bytes();
    return new String(ascii, StandardCharsets.US_ASCII);
  }

  private static int varintBytes(long value) {
    return (Long.SIZE - Long.numberOfLeadingZeros(value) + VARINT_BITS - 1) / VARINT_BITS;
  }

  private static void putVarint(long value, ByteBuffer out) {
    long rest = value;
    while (rest >= VARINT_MORE) {
      out.put((byte) (rest | VARINT_MORE));
      rest >>>= VARINT_BITS;
    }
    out.put((byte) rest);
  }

  private static long takeVarint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE - 1; shift += VARINT_BITS) {
      Bytes.requireRemaining(in, 1);
      int next = in.get() & 0xff;
      value |= (long) (next & VARINT_MORE - 1) << shift;
      if (next < VARINT_MORE) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number above 2^63-1");
  }
}
