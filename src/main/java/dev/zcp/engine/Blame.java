package dev.zcp.engine;

import dev.zcp.core.Span;
import dev.zcp.spi.MoveException;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Finds out which end failed where one call of the kernel served both, so that the message names
/// the right file and the exit code the right side.
final class Blame {

  /// Of ECONNRESET, ETIMEDOUT, ENOTCONN, EHOSTUNREACH and ENETUNREACH, and of the JDK itself.
  private static final String[] OF_A_PEER = {
    "reset", "timed out", "not connected", "No route", "unreachable", "EOF"
  };

  private Blame() {}

  /// A source that can be asked again is asked; what it cannot answer for is the sink's.
  static MoveException.End of(IOException failure, Source source, long offset) {
    return source.traits().seekable()
        ? probe(source, offset)
        : speaksOfAPeer(failure) ? MoveException.End.SOURCE : MoveException.End.SINK;
  }

  /// Whose mapping lost a page: the source's, where it does not reach to the end of what was to be
  /// moved; else that of the sink, whose disk is full.
  static MoveException.End ofFault(Source source, Span chunk) {
    if (!source.traits().seekable()) {
      return MoveException.End.SINK;
    }
    try {
      int count = source.read(ByteBuffer.allocate(1), chunk.end() - 1);
      return count < 0 ? MoveException.End.SOURCE : MoveException.End.SINK;
    } catch (IOException e) {
      return MoveException.End.SOURCE;
    }
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
    for (String word : OF_A_PEER) {
      if (message.contains(word)) {
        return true;
      }
    }
    return false;
  }
}
