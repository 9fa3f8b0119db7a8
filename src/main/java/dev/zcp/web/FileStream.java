package dev.zcp.web;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;

/// Writes a file's bytes to a client. The last ones go only after it was seen that the file has not
/// changed meanwhile: so a client gets all of a file as it was, or knows that it has not.
final class FileStream {

  private static final int PIECE_BYTES = 128 << 10;
  private static final String STRATEGY = "stream";

  private final OutputStream out;
  private final byte[] piece = new byte[PIECE_BYTES];

  FileStream(OutputStream out) {
    this.out = out;
  }

  /// @param status what the file was when it was opened
  /// @throws Failure SOURCE if it has changed or cannot be read
  /// @throws IOException if the client takes no more
  void send(NativeFile file, FileStatus status, Object name, ByteRange range, FileLog log)
      throws IOException, Failure {
    long end = range.start() + range.bytes();
    for (long at = range.start(); at < end; ) {
      long startedNs = System.nanoTime();
      int count;
      boolean isUnchanged = true;
      try {
        int wanted = (int) Math.min(PIECE_BYTES, end - at);
        count = file.read(ByteBuffer.wrap(piece, 0, wanted), at);
        if (at + count == end) {
          isUnchanged = file.isUnchangedSince(status);
        }
      } catch (IOException e) {
        throw Reasons.source(name, e);
      }
      if (count <= 0 || !isUnchanged) {
        throw Failure.of(ExitCode.SOURCE, name, "changed while it was sent")
            .with("the client got no complete file");
      }
      long readNs = System.nanoTime();
      out.write(piece, 0, count);
      long writtenNs = System.nanoTime();
      log.read(at, count, readNs - startedNs);
      log.written(at, count, writtenNs - readNs);
      log.moved(STRATEGY, at, count, writtenNs - startedNs);
      at += count;
    }
  }

  /// The client is why `name` has not gone.
  static Failure lost(Object name, IOException e) {
    boolean isStalled = e instanceof ClosedByInterruptException;
    String why = isStalled ? "it took nothing in time" : Reasons.of(e);
    return Failure.of(ExitCode.NETWORK, name, "its client stopped reading: " + why).because(e);
  }
}
