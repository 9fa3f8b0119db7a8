package dev.zcp.exchange;

import dev.zcp.core.Span;
import dev.zcp.wire.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Which bytes of a file are there and proved, and the CRC32C of all once all are.
///
/// What was added joins its neighbours at once, so that a large file takes no more room than a
/// small one. What was only held from before stands alone, since the sender may find that it is not
/// the source's, and then sends it.
final class Coverage {

  private record Run(long end, int crc32c) {}

  /// By their offsets; neither overlapping nor touching.
  private final TreeMap<Long, Run> runs = new TreeMap<>();

  private final TreeMap<Long, Held> held = new TreeMap<>();

  /// Parts of runs that were written over by what does not fit. Their old CRC32C still stands in
  /// their run's: the same bytes have to come again.
  private final List<Span> hurt = new ArrayList<>();

  void hold(Held more) {
    held.put(more.span().offset(), more);
  }

  /// Whether `span` begins outside a run and reaches into one, or the other way round: no block
  /// that is only repeated does.
  boolean straddles(Span span) {
    if (contains(span)) {
      return false;
    }
    Map.Entry<Long, Run> before = runs.lowerEntry(span.end());
    return before != null && before.getValue().end() > span.offset();
  }

  boolean contains(Span span) {
    Map.Entry<Long, Run> run = runs.floorEntry(span.offset());
    return run != null && run.getValue().end() >= span.end();
  }

  /// Whether all of `span` is there, and fits.
  boolean isProved(Span span) {
    if (!contains(span)) {
      return false;
    }
    for (Span each : hurt) {
      if (each.offset() < span.end() && span.offset() < each.end()) {
        return false;
      }
    }
    return true;
  }

  /// Counts a span that does not [straddle][#straddles].
  void add(Span span, int crc32c) {
    if (contains(span)) {
      hurt.removeIf(each -> span.offset() <= each.offset() && each.end() <= span.end());
      return;
    }
    dropHeld(span);
    long offset = span.offset();
    long end = span.end();
    int sum = crc32c;
    Map.Entry<Long, Run> left = runs.lowerEntry(span.offset());
    if (left != null && left.getValue().end() == offset) {
      sum = Crc32cSum.combined(left.getValue().crc32c(), sum, span.length());
      offset = left.getKey();
    }
    Run right = runs.remove(end);
    if (right != null) {
      sum = Crc32cSum.combined(sum, right.crc32c(), right.end() - end);
      end = right.end();
    }
    runs.put(offset, new Run(end, sum));
  }

  /// These bytes may be anything now.
  void spoil(Span span) {
    dropHeld(span);
    if (contains(span) && !isHurt(span)) {
      hurt.add(span);
    }
  }

  private boolean isHurt(Span span) {
    for (Span each : hurt) {
      if (each.offset() == span.offset() && each.length() == span.length()) {
        return true;
      }
    }
    return false;
  }

  private void dropHeld(Span span) {
    Map.Entry<Long, Held> last = held.lowerEntry(span.end());
    while (last != null && last.getValue().span().end() > span.offset()) {
      held.remove(last.getKey());
      last = held.lowerEntry(span.end());
    }
  }

  /// Where the first run ends that begins at 0; 0 where there is none.
  long end() {
    Run first = runs.get(0L);
    return first == null ? 0 : first.end();
  }

  boolean isEmpty() {
    return runs.isEmpty() && held.isEmpty();
  }

  /// How many pieces this has to remember.
  int pieces() {
    return runs.size() + held.size() + hurt.size();
  }

  /// Whether all bytes up to `size` are there, and none beyond.
  boolean isWhole(long size) {
    long position = 0;
    while (true) {
      Run run = runs.get(position);
      Held more = run == null ? held.get(position) : null;
      if (run == null && more == null) {
        break;
      }
      position = run == null ? more.span().end() : run.end();
    }
    boolean nothingBeyond = runs.isEmpty() || runs.lastEntry().getValue().end() <= size;
    return position == size && nothingBeyond && hurt.isEmpty();
  }

  /// The CRC32C of all bytes, which must be [whole][#isWhole].
  int crc32c() {
    int sum = 0;
    long position = 0;
    while (true) {
      Run run = runs.get(position);
      Held more = run == null ? held.get(position) : null;
      if (run == null && more == null) {
        return sum;
      }
      long end = run == null ? more.span().end() : run.end();
      sum = Crc32cSum.combined(sum, run == null ? more.crc32c() : run.crc32c(), end - position);
      position = end;
    }
  }
}
