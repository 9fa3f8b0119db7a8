package dev.zcp.session.receive;

import dev.zcp.core.Span;
import dev.zcp.wire.Held;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Bytes that are in a file, in ascending order without overlap: what comes later stands in place
/// of what it overlaps.
final class HeldSpans {

  private final TreeMap<Long, Held> byOffset = new TreeMap<>();
  private long bytes;

  void add(Held held) {
    remove(held.span());
    byOffset.put(held.span().offset(), held);
    bytes += held.span().length();
  }

  /// Takes out all that overlaps `span`.
  ///
  /// @return whether anything did
  boolean remove(Span span) {
    boolean removed = false;
    Map.Entry<Long, Held> last = byOffset.lowerEntry(span.end());
    while (last != null && last.getValue().span().end() > span.offset()) {
      byOffset.remove(last.getKey());
      bytes -= last.getValue().span().length();
      removed = true;
      last = byOffset.lowerEntry(span.end());
    }
    return removed;
  }

  List<Held> list() {
    return List.copyOf(byOffset.values());
  }

  /// How many they are in all.
  long bytes() {
    return bytes;
  }
}
