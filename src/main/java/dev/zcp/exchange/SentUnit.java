package dev.zcp.exchange;

import dev.zcp.core.Crc32c;
import dev.zcp.exchange.SentEntry.UnsentSpan;
import dev.zcp.wire.Ending;
import java.util.List;

/// A unit that is under way: sent, or about to be, and not acknowledged.
final class SentUnit {

  /// The raw bytes that count for the window.
  final long bytes;

  /// Of a block, a hole or a piece of a stream: its file, which bytes, and their CRC32C.
  final SentEntry blockOf;

  final UnsentSpan unsent;
  final int crc32c;

  final List<Ending> endings;

  /// The file that is [shown][dev.zcp.wire.Show], or null.
  SentEntry shown;

  /// Of a part: its files, and the connection.
  SentPart smallFiles;

  int connection;

  /// Whether its block arrived damaged, and was queued again.
  boolean isDamaged;

  private SentUnit(
      long bytes, SentEntry blockOf, UnsentSpan unsent, int crc32c, List<Ending> endings) {
    this.bytes = bytes;
    this.blockOf = blockOf;
    this.unsent = unsent;
    this.crc32c = crc32c;
    this.endings = endings;
  }

  static SentUnit block(SentEntry entry, UnsentSpan unsent, int crc32c) {
    return new SentUnit(unsent.span().length(), entry, unsent, crc32c, List.of());
  }

  static SentUnit hole(SentEntry entry, UnsentSpan unsent) {
    int zeros = Crc32c.ofZeros(unsent.span().length());
    return new SentUnit(0, entry, unsent, zeros, List.of());
  }

  static SentUnit smallFiles(SentPart part, long bytes, int connection) {
    SentUnit unit = new SentUnit(bytes, null, null, 0, List.of());
    unit.smallFiles = part;
    unit.connection = connection;
    return unit;
  }

  static SentUnit shown(SentEntry entry) {
    SentUnit unit = new SentUnit(0, null, null, 0, List.of());
    unit.shown = entry;
    return unit;
  }

  static SentUnit end(List<Ending> endings) {
    return new SentUnit(0, null, null, 0, endings);
  }
}
