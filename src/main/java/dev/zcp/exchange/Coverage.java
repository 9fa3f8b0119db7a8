package dev.zcp.exchange;

import dev.zcp.core.Crc32c;
import dev.zcp.core.Span;
import dev.zcp.wire.Held;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Which bytes of a file are there and proved, and the CRC32C of all once all are.
///
/// What was added joins its neighbours at once, so that a large file takes no more room than a
/// small one. What was only held from before stands alone, since the sender may find that it is not
/// the source's, and then sends it.
final class Coverage {

  private record Run(long end, int crc32c) {}

  // Most files are small and come in one piece, of which nothing is to be remembered here: so these
  // are made when they are needed.

  /// By their offsets; neither overlapping nor touching.
  private NavigableMap<Long, Run> runs = Collections.emptyNavigableMap();

  private NavigableMap<Long, Held> held = Collections.emptyNavigableMap();

  void hold(Held more) {
    held = held.isEmpty() ? new TreeMap<>() : held;
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

  /// Counts a span of which nothing is in a run.
  void add(Span span, int crc32c) {
    drop(span);
    runs = runs.isEmpty() ? new TreeMap<>() : runs;
    long offset = span.offset();
    long end = span.end();
    int sum = crc32c;
    Map.Entry<Long, Run> left = runs.lowerEntry(span.offset());
    if (left != null && left.getValue().end() == offset) {
      sum = Crc32c.combined(left.getValue().crc32c(), sum, span.length());
      offset = left.getKey();
    }
    Run right = runs.remove(end);
    if (right != null) {
      sum = Crc32c.combined(sum, right.crc32c(), right.end() - end);
      end = right.end();
    }
    runs.put(offset, new Run(end, sum));
  }

  /// These bytes will be written over: what was held of them is no more.
  void drop(Span span) {
    Map.Entry<Long, Held> last = held.lowerEntry(span.end());
    while (last != null && last.getValue().span().end() > span.offset()) {
      held.remove(last.getKey());
      last = held.lowerEntry(span.end());
    }
  }

  /// Where the first run ends that begins at 0; 0 if there is none.
  long end() {
    Run first = runs.get(0L);
    return first == null ? 0 : first.end();
  }

  /// How many pieces this has to remember.
  int pieces() {
    return runs.size() + held.size();
  }

  /// Whether all bytes up to `size` are there, and none beyond.
  boolean isWhole(long size) {
    long position = 0;
    for (Run next = from(0); next != null; next = from(position)) {
      position = next.end();
    }
    boolean nothingBeyond = runs.isEmpty() || runs.lastEntry().getValue().end() <= size;
    return position == size && nothingBeyond;
  }

  /// The CRC32C of all bytes, which must be [whole][#isWhole].
  int crc32c() {
    int sum = 0;
    long position = 0;
    for (Run next = from(0); next != null; next = from(position)) {
      sum = Crc32c.combined(sum, next.crc32c(), next.end() - position);
      position = next.end();
    }
    return sum;
  }

  /// What begins at `offset`, added or only held; null if nothing does.
  private Run from(long offset) {
    Run run = runs.get(offset);
    Held more = run == null ? held.get(offset) : null;
    return more == null ? run : new Run(more.span().end(), more.crc32c());
  }
}
