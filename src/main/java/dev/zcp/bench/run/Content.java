package dev.zcp.bench.run;

import java.io.IOException;

/// What a file must hold, at any offset, without the file being in memory.
interface Content {

  /// What a run is spot-checked by is one byte of each of these.
  int PAGE_BYTES = 4096;

  /// The byte at `offset`, a multiple of [#PAGE_BYTES] within the file. Takes next to no time,
  /// since it is asked for while a clock runs.
  byte atPage(long offset);

  /// Puts the `count` bytes from `offset` on at the beginning of `target`.
  ///
  /// @throws IOException where that takes reading a file, and it fails
  void fill(long offset, byte[] target, int count) throws IOException;
}
