package dev.zcp.testing;

import dev.zcp.core.Level;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Digest;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Part;
import dev.zcp.wire.PartBuilder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Frames of a session whose connections stay on this machine, and that replaces what exists.
public final class TestFrames {

  private TestFrames() {}

  public static Manifest manifest(
      long entries, long bytes, long dataBytes, Level level, int keeps) {
    Digest.Algorithm digest = Digest.Algorithm.of(level, true);
    return new Manifest(
        entries, bytes, dataBytes, level, digest, KeepExisting.NONE, false, false, keeps);
  }

  public static Accept accept(
      Level level, int keeps, boolean inOrder, int connectionsMax, long windowBytes, int filesMax) {
    Digest.Algorithm digest = Digest.Algorithm.of(level, true);
    return new Accept(level, digest, keeps, inOrder, connectionsMax, windowBytes, filesMax);
  }

  /// New files of these sizes, from the id 0 on, in the receiver's own directory.
  public static Part part(int... sizes) {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 0, 0);
    for (int i = 0; i < sizes.length; i++) {
      byte[] name = ("file" + i).getBytes(StandardCharsets.US_ASCII);
      builder.add(Part.OWN_DIRECTORY, name, sizes[i], 0, List.of());
    }
    return builder.build(0, false, false, Digest.NONE);
  }
}
