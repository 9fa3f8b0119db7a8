package dev.zcp.exchange;

import dev.zcp.core.Span;

/// A unit that arrived, and was not acknowledged.
final class ReceivedUnit {

  /// How far a unit has got.
  ///
  /// ```
  /// LEFT <--> IN_HAND
  ///   |          |
  ///   +-> DONE <-+
  /// ```
  enum UnitStage {
    /// The driver works at it, or could not judge its bytes. From the start, or IN_HAND.
    LEFT,
    /// A block or a hole that is being written. From LEFT.
    IN_HAND,
    /// From LEFT or IN_HAND. To nowhere.
    DONE;

    /// The stage after `event`.
    ///
    /// @throws IllegalStateException if that cannot happen now
    UnitStage after(UnitEvent event) {
      boolean isAllowed =
          this == IN_HAND ? event != UnitEvent.TAKE : this == LEFT && event != UnitEvent.JUDGE;
      if (!isAllowed) {
        throw new IllegalStateException(event + " of a unit that is " + this);
      }
      return switch (event) {
        case TAKE -> IN_HAND;
        case JUDGE -> LEFT;
        case FINISH -> DONE;
      };
    }
  }

  /// What happens to a unit.
  enum UnitEvent {
    /// Its bytes are wanted.
    TAKE,
    /// Its bytes are in the file, or are damaged, or nobody knows.
    JUDGE,
    /// The driver has dealt with it, or there is nothing to do.
    FINISH
  }

  final ReceivingConnection connection;
  final long number;

  /// The raw bytes that count for the window.
  final long bytes;

  /// Of a block or a hole: which bytes.
  final Span span;

  private UnitStage stage = UnitStage.LEFT;

  /// The file whose bytes are in hand, or null.
  private ReceivedEntry entry;

  private boolean isHole;

  ReceivedUnit(ReceivingConnection connection, long number, long bytes, Span span) {
    this.connection = connection;
    this.number = number;
    this.bytes = bytes;
    this.span = span;
  }

  /// Its bytes, which count for `entry` as being in hand, are wanted.
  void take(ReceivedEntry entry, boolean isHole) {
    stage = stage.after(UnitEvent.TAKE);
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

  /// Its bytes are in hand no more.
  ///
  /// @return the file that they are of
  ReceivedEntry judge() {
    stage = stage.after(UnitEvent.JUDGE);
    return letGo();
  }

  /// Nothing of it is left to do.
  void finish() {
    stage = stage.after(UnitEvent.FINISH);
    if (entry != null) {
      letGo();
    }
  }

  private ReceivedEntry letGo() {
    ReceivedEntry mine = entry;
    entry = null;
    mine.inHand--;
    return mine;
  }

  boolean isDone() {
    return stage == UnitStage.DONE;
  }
}
