package dev.zcp.exchange;

import dev.zcp.core.Crc32c;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Piece;
import java.util.ArrayList;
import java.util.List;

/// A unit that is under way: sent, or about to be, and not acknowledged.
final class SentUnit {

  /// The raw bytes that count for the window.
  final long bytes;

  /// Of a block, a hole or a piece of a stream: its file, which bytes, and their CRC32C.
  final SentEntry blockOf;

  final UnsentSpan unsent;
  final int crc32c;

  final List<Piece> pieces;
  final List<Ending> endings;

  /// Of a part: its files, and the connection.
  SentPart smallFiles;

  int connection;

  /// The files whose block or piece arrived damaged, and was queued again.
  private final List<Long> damaged = new ArrayList<>(1);

  private SentUnit(
      long bytes,
      SentEntry blockOf,
      UnsentSpan unsent,
      int crc32c,
      List<Piece> pieces,
      List<Ending> endings) {
    this.bytes = bytes;
    this.blockOf = blockOf;
    this.unsent = unsent;
    this.crc32c = crc32c;
    this.pieces = pieces;
    this.endings = endings;
  }

  static SentUnit block(SentEntry entry, UnsentSpan unsent, int crc32c) {
    return new SentUnit(unsent.span().length(), entry, unsent, crc32c, List.of(), List.of());
  }

  static SentUnit hole(SentEntry entry, UnsentSpan unsent) {
    int zeros = Crc32c.ofZeros(unsent.span().length());
    return new SentUnit(0, entry, unsent, zeros, List.of(), List.of());
  }

  static SentUnit batch(List<Piece> pieces, long bytes) {
    return new SentUnit(bytes, null, null, 0, pieces, List.of());
  }

  static SentUnit smallFiles(SentPart part, long bytes, int connection) {
    SentUnit unit = new SentUnit(bytes, null, null, 0, List.of(), List.of());
    unit.smallFiles = part;
    unit.connection = connection;
    return unit;
  }

  static SentUnit end(List<Ending> endings) {
    return new SentUnit(0, null, null, 0, List.of(), endings);
  }

  boolean isDamaged(long fileId) {
    return damaged.contains(fileId);
  }

  void damage(long fileId) {
    damaged.add(fileId);
  }
}
