package dev.zcp.exchange;

import dev.zcp.wire.Offered;

/// An entry that a test offers.
final class TestEntry extends SentEntry {

  TestEntry(Offered draft, SentEntry above) {
    super(draft, above);
  }

  /// In the receiver's own directory.
  TestEntry(Offered draft) {
    this(draft, null);
  }
}
