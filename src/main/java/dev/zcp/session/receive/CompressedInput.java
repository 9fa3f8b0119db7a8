package dev.zcp.session.receive;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.compress.Compression;
import dev.zcp.compress.Zstd;
import dev.zcp.insight.Stage;
import dev.zcp.spi.UserSpaceSource;
import dev.zcp.wire.PieceHead;
import dev.zcp.wire.ProtocolException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The bytes of compressed blocks and parts, whole again as they come off one connection. What a
/// piece may come to is known, and bounded, before any of it is read. Belongs to the connection's
/// thread.
final class CompressedInput implements UserSpaceSource {

  private final Connection connection;
  private final ReceivingSession session;
  private final RateLimit rate;

  // Null until something is compressed.
  private Zstd zstd;
  private ByteBuffer packed;

  private ByteBuffer plain = ByteBuffer.allocate(0);

  private final ByteBuffer head = ByteBuffer.allocate(PieceHead.BYTES);

  /// How many of its bytes are in pieces that have not come yet.
  private long left;

  private long otherNs;

  CompressedInput(ReceivingSession session, Connection connection) {
    this.connection = connection;
    this.session = session;
    this.rate = session.context().rate();
  }

  /// Begins a block or part.
  ///
  /// @param bytes how many it comes to
  void begin(long bytes) {
    if (zstd == null) {
      zstd = new Zstd(Compression.LEVEL_USUAL);
    }
    plain.limit(0);
    left = bytes;
    otherNs = 0;
  }

  /// How many bytes were announced and not read yet.
  long left() {
    return left + plain.remaining();
  }

  /// @throws IOException if the connection failed; because of a [ProtocolException] if what came is
  ///   no piece
  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    if (!plain.hasRemaining()) {
      if (left == 0) {
        return -1;
      }
      takePiece();
    }
    int count = Math.min(target.remaining(), plain.remaining());
    target.put(target.position(), plain, plain.position(), count);
    target.position(target.position() + count);
    plain.position(plain.position() + count);
    return count;
  }

  private void takePiece() throws IOException {
    fill(head.clear());
    PieceHead piece;
    try {
      piece = PieceHead.take(head.flip(), left);
    } catch (ProtocolException e) {
      throw new IOException(e);
    }
    left -= piece.bytes();
    plain = Zstd.grown(plain, piece.bytes()).clear().limit(piece.bytes());
    if (piece.isPlain()) {
      fill(plain);
      plain.flip();
      return;
    }
    packed = Zstd.grown(packed, piece.rawBytes()).clear().limit(piece.rawBytes());
    fill(packed);
    long startedNs = System.nanoTime();
    boolean isWhole = zstd.unpack(packed.flip(), plain);
    long elapsedNs = System.nanoTime() - startedNs;
    session.sample(Stage.COMPRESS, elapsedNs);
    otherNs += elapsedNs;
    if (!isWhole) {
      throw new IOException(ProtocolException.damaged("a compressed piece is damaged"));
    }
    session.insight().ofSession().compressed(piece.bytes(), piece.rawBytes());
  }

  private void fill(ByteBuffer target) throws IOException {
    int end = target.limit();
    while (target.position() < end) {
      long count = Math.min(end - target.position(), rate.pieceBytesMax());
      int bytes = connection.read(target.limit(target.position() + (int) count));
      connection.moved(bytes);
      rate.spend(bytes, session);
    }
  }

  /// How long the reads since the last call took for something else, which is booked.
  long takeOtherNs() {
    long ns = otherNs;
    otherNs = 0;
    return ns;
  }

  @Override
  public void close() {
    if (zstd != null) {
      zstd.close();
    }
  }
}
