package dev.zcp.engine;

import dev.zcp.spi.MoveException;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Finds out which end failed where one call of the kernel served both, so that the message names
/// the right file and the exit code the right side.
final class Blame {

  private Blame() {}

  /// A source that can be asked again is asked; what it cannot answer for is the sink's.
  static MoveException.End of(IOException failure, Source source, long offset) {
    return source.traits().seekable()
        ? probe(source, offset)
        : speaksOfAPeer(failure) ? MoveException.End.SOURCE : MoveException.End.SINK;
  }

  private static MoveException.End probe(Source source, long offset) {
    try {
      source.read(ByteBuffer.allocate(1), offset);
      return MoveException.End.SINK;
    } catch (IOException e) {
      return MoveException.End.SOURCE;
    }
  }

  /// Java gives no errno, only strerror(3)'s text.
  private static boolean speaksOfAPeer(IOException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.contains("reset") || message.contains("timed out") || message.contains("EOF");
  }
}
