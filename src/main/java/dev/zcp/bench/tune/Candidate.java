package dev.zcp.bench.tune;

import dev.zcp.core.ByteSize;
import dev.zcp.engine.Choice;

/// One way of moving the bytes.
///
/// @param strategy the name of a strategy
/// @param chunkBytes its chunk; [Choice#ADAPTIVE] is its own
public record Candidate(String strategy, long chunkBytes) {

  static Candidate ofOwnChunk(String strategy) {
    return new Candidate(strategy, Choice.ADAPTIVE);
  }

  Choice choice() {
    return new Choice(strategy, chunkBytes);
  }

  boolean hasOwnChunk() {
    return chunkBytes == Choice.ADAPTIVE;
  }

  /// `direct, 128 KiB`.
  @Override
  public String toString() {
    return hasOwnChunk() ? strategy : strategy + ", " + new ByteSize(chunkBytes);
  }
}
