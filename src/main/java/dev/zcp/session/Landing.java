package dev.zcp.session;

import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.spi.Sink;
import java.io.IOException;

/// Where a received file comes down, and how its digest is taken there.
interface Landing {

  Sink sink();

  /// Before the bytes of `block` come.
  void beginBlock(Span block);

  /// The block's bytes before `offset` are in the sink.
  void advance(long offset);

  /// The CRC32C of the block as it was written.
  ///
  /// @throws IOException where what was written cannot be read again
  long finishBlock() throws IOException;

  /// Makes the whole file visible.
  ///
  /// @return whether it has its final name now; false where it never gets one, and is to be
  ///   discarded once it was answered for
  /// @throws Failure where that cannot be done
  boolean publish() throws Failure;

  /// Gives the file up.
  void discard();
}
