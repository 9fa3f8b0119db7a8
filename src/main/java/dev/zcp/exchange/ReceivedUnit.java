package dev.zcp.exchange;

import dev.zcp.core.Span;

/// A unit that arrived, and is not dealt with.
final class ReceivedUnit {

  final ReceivingConnection connection;
  final long number;

  /// The raw bytes that count for the window.
  final long bytes;

  /// Of a block or a hole that is wanted: its file and which bytes, until they are judged.
  ReceivedEntry blockOf;

  final Span span;
  boolean isHole;

  /// What has to happen before it is done: the driver's word, entries that are being published.
  private int open;

  ReceivedUnit(ReceivingConnection connection, long number, long bytes, Span span) {
    this.connection = connection;
    this.number = number;
    this.bytes = bytes;
    this.span = span;
  }

  void open() {
    open++;
  }

  void close() {
    open--;
  }

  boolean isDone() {
    return open == 0;
  }
}
