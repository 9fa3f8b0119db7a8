package dev.zcp.testing;

import dev.zcp.wire.Accept;
import dev.zcp.wire.Digest;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Level;
import dev.zcp.wire.Manifest;

/// What begins a session whose connections stay on this machine, and that replaces what exists.
public final class TestFrames {

  private TestFrames() {}

  public static Manifest manifest(
      long entries, long bytes, long dataBytes, Level level, int keeps) {
    Digest.Algorithm digest = Digest.Algorithm.of(level, true);
    return new Manifest(entries, bytes, dataBytes, level, digest, KeepExisting.NONE, keeps);
  }

  public static Accept accept(
      Level level, int keeps, boolean inOrder, int connectionsMax, long windowBytes, int filesMax) {
    Digest.Algorithm digest = Digest.Algorithm.of(level, true);
    return new Accept(level, digest, keeps, inOrder, connectionsMax, windowBytes, filesMax);
  }
}
