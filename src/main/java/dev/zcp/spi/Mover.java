package dev.zcp.spi;

import dev.zcp.core.Span;
import java.io.Closeable;
import java.io.IOException;

/// Moves the bytes of one transfer. Used by one platform thread: the calls below it block, and a
/// virtual thread stuck in one can be freed neither by close nor by interrupt.
public interface Mover extends Closeable {

  /// Moves some prefix of `span`, or declines.
  ///
  /// `span` is at most one chunk and never empty. An end that cannot seek ignores its offset and
  /// goes on where it is.
  ///
  /// Between calls a mover must hold no bytes: whatever it took from the source has reached the
  /// sink. A mover that declines must have moved nothing in that call, so that the engine may hand
  /// the very same span to another strategy.
  ///
  /// @throws MoveException if the strategy knows which end failed
  /// @throws IOException if it does not; the engine then finds out
  Step move(Span span) throws IOException;

  /// Releases what the mover opened. It must not complete work, since it cannot report failure.
  @Override
  default void close() {}
}
