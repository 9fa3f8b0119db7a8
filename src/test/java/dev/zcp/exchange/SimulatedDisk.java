package dev.zcp.exchange;

import dev.zcp.core.Span;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Held;
import dev.zcp.wire.Offered;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/// A receiver's disk: what has its final name, and what is coming down. Outlives the receiver.
final class SimulatedDisk {

  /// @param modifiedSeconds its time
  record Final(Cells content, long modifiedSeconds) {}

  private record Record(Span span, int crc32c) {}

  /// A file that is coming down, with its journal.
  static final class Partial {
    final Bytes identity;
    final long size;
    Cells content;
    private final TreeMap<Long, Record> journal = new TreeMap<>();

    Partial(Offered offered, int cellBytes) {
      identity = offered.identity();
      size = offered.size();
      content = Cells.ofZeros(cellBytes, Math.max(size, 0));
    }

    /// These bytes are about to be written over.
    void forget(Span span) {
      journal
          .values()
          .removeIf(each -> each.span().offset() < span.end() && span.offset() < each.span().end());
    }

    void note(Span span, int crc32c) {
      journal.put(span.offset(), new Record(span, crc32c));
    }

    /// What the journal says, as far as it is true.
    List<Held> verified() {
      List<Held> held = new ArrayList<>();
      for (Record each : journal.values()) {
        if (content.at(each.span()).crc32c() == each.crc32c()) {
          held.add(new Held(each.span(), each.crc32c()));
        }
      }
      journal.values().removeIf(each -> content.at(each.span()).crc32c() != each.crc32c());
      return held;
    }

    private void crash(Random random) {
      for (Record each : List.copyOf(journal.values())) {
        if (random.nextInt(4) == 0) {
          Cells lost = content.at(each.span());
          lost.damage(random);
          content.put(each.span().offset(), lost, lost.count());
        } else if (random.nextInt(4) == 0) {
          journal.remove(each.span().offset());
        }
      }
    }
  }

  final Map<String, Final> finals = new HashMap<>();
  final Map<String, Partial> partials = new HashMap<>();
  final Set<String> directories = new HashSet<>();
  final Set<String> links = new HashSet<>();

  /// What some path had before, or has now.
  final Map<String, Cells> old = new HashMap<>();

  /// The machine goes down: of what was not forced, some is lost.
  void crash(Random random) {
    for (Partial partial : partials.values()) {
      partial.crash(random);
    }
  }
}
