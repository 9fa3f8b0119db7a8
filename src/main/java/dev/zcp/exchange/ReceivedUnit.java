package dev.zcp.exchange;

import dev.zcp.core.Span;
import java.util.List;

/// A unit that arrived, and was not acknowledged. Its bytes may be taken in hand and judged any
/// number of times, until it is finished.
final class ReceivedUnit {

  final ReceivingConnection connection;
  final long number;

  /// The raw bytes that count for the window.
  final long bytes;

  /// Of a block or a hole: which bytes.
  final Span span;

  /// The file whose block or hole is being written, or null.
  private ReceivedEntry entry;

  /// The id of the first file of the part that it is, as long as that is not over; else -1.
  long partId = -1;

  /// The directory of each run of its files, null if that was not taken; and how many files are in
  /// each run.
  List<ReceivedEntries.Directory> directories;

  int[] runs;

  private boolean isHole;
  private boolean isDone;

  ReceivedUnit(ReceivingConnection connection, long number, long bytes, Span span) {
    this.connection = connection;
    this.number = number;
    this.bytes = bytes;
    this.span = span;
  }

  /// Its bytes, which count for `entry` as being in hand, are wanted.
  void take(ReceivedEntry entry, boolean isHole) {
    require(!isDone && this.entry == null);
    this.entry = entry;
    this.isHole = isHole;
  }

  /// The file whose bytes are in hand, or null.
  ReceivedEntry inHandOf() {
    return entry;
  }

  boolean isHole() {
    return isHole;
  }

  /// Its bytes are in the file, or are damaged, or nobody knows: they are in hand no more.
  ///
  /// @return the file that they are of
  ReceivedEntry judge() {
    require(entry != null);
    ReceivedEntry mine = entry;
    entry = null;
    mine.inHand--;
    return mine;
  }

  /// The driver has dealt with it, or there is nothing to do.
  void finish() {
    require(!isDone);
    if (entry != null) {
      judge();
    }
    isDone = true;
  }

  boolean isDone() {
    return isDone;
  }

  private void require(boolean isNow) {
    if (!isNow) {
      throw new IllegalStateException("a unit out of turn: " + number);
    }
  }
}
