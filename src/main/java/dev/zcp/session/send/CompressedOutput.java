package dev.zcp.session.send;

import dev.zcp.carrier.Connection;
import dev.zcp.carrier.RateLimit;
import dev.zcp.compress.Compression;
import dev.zcp.compress.Zstd;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Samples;
import dev.zcp.insight.Stage;
import dev.zcp.spi.UserSpaceSink;
import dev.zcp.wire.Limits;
import dev.zcp.wire.PieceHead;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Compresses what goes over one connection, as far as that is asked for and pays. As a sink it
/// takes the bytes of a block, once that has [begun][#begin], and sends them in pieces: so whatever
/// has the bytes in memory can move them, and the kernel alone cannot.
///
/// Used by one thread.
final class CompressedOutput implements UserSpaceSink {

  /// A piece that is not smaller by a tenth goes as it is.
  private static final double SHRUNK_MAX = 0.9;

  /// After such a piece so much is not tried, twice as much after the next one, and so on.
  private static final long SKIPPED_BYTES_MIN = 1 << 20;

  private static final long SKIPPED_BYTES_MAX = 64 << 20;

  private final Connection connection;
  private final RateLimit rate;
  private final Insight insight;
  private final Compression wish;
  private final LinkUse link;

  /// Why nothing may be compressed, for the report; empty if it may.
  private final String obstacle;

  /// Whether anything was tried.
  private boolean isTried;

  private final Trials ofParts = new Trials();
  private Trials ofFile = new Trials();
  private long fileId = -1;

  // Null until something is tried.
  private Zstd zstd;
  private ByteBuffer plain;
  private ByteBuffer packed;

  /// Told of the block.
  private Samples samples;

  /// How many bytes of the block are still to come.
  private long left;

  private long otherNs;

  /// How long it took to compress what there is of the block.
  private long packingNs;

  CompressedOutput(SendingSession session, Connection connection) {
    this.connection = connection;
    this.rate = session.terms().rate();
    this.insight = session.insight();
    this.wish = session.terms().savings().compression();
    this.link = new LinkUse(connection);
    this.obstacle = obstacle(session);
  }

  private String obstacle(SendingSession session) {
    if (wish.isNever()) {
      return "as --compress=never asks";
    }
    if (!connection.takesCompressed()) {
      return "the receiver does not take it";
    }
    if (!wish.isForced() && !link.isPossible()) {
      return "the receiver is on this machine";
    }
    if (!session.terms().engines().untuned().isAuto()) {
      return "a strategy was named";
    }
    return Compression.isSupported() ? "" : "zstd is missing or cannot be loaded";
  }

  /// What is known of how well the bytes of a file shrink, or those of small files.
  private static final class Trials {

    private long untriedBytes;
    private long nextBytes = SKIPPED_BYTES_MIN;

    /// Whether so many bytes are to be tried; else they are counted.
    boolean isDue(long bytes) {
      boolean isDue = untriedBytes <= 0;
      untriedBytes -= isDue ? 0 : bytes;
      return isDue;
    }

    void shrunk() {
      nextBytes = SKIPPED_BYTES_MIN;
    }

    void stayed() {
      untriedBytes = nextBytes;
      nextBytes = Math.min(2 * nextBytes, SKIPPED_BYTES_MAX);
    }
  }

  /// Whether the next block of a file, of so many bytes, is to be compressed.
  boolean isWorthTrying(long newFileId, long bytes) {
    if (!isDue()) {
      return false;
    }
    if (fileId != newFileId) {
      fileId = newFileId;
      ofFile = new Trials();
    }
    return ofFile.isDue(bytes);
  }

  private boolean isDue() {
    return obstacle.isEmpty() && (wish.isForced() || rate.isLimited() || link.isFull());
  }

  /// A part was sent, compressed or not.
  ///
  /// @param elapsedNs of all that it took
  /// @param writingNs how long of that nothing but the socket was waited for
  void sentPart(long bytes, long elapsedNs, long writingNs, boolean isCompressed) {
    link.sent(bytes, elapsedNs, writingNs, isCompressed);
  }

  /// As [#sentPart], a block.
  void sentBlock(long bytes, long elapsedNs, boolean isCompressed) {
    long writingNs = elapsedNs - (isCompressed ? packingNs : 0);
    link.sent(bytes, elapsedNs, writingNs, isCompressed);
  }

  /// The bytes of a part in pieces, if they are to be compressed and shrink; else null. Good until
  /// the next call.
  ///
  /// @param bytes at most those of one piece, direct; they stay
  ByteBuffer packed(ByteBuffer bytes) {
    int count = bytes.remaining();
    if (count == 0 || !isDue() || !ofParts.isDue(count)) {
      return null;
    }
    boolean isSmaller = pack(bytes, ofParts, insight);
    if (isSmaller) {
      insight.ofSession().compressed(count, packed.remaining());
    }
    return isSmaller ? packed : null;
  }

  /// Puts a piece with its head into `packed`.
  ///
  /// @return false if it does not shrink
  private boolean pack(ByteBuffer bytes, Trials trials, Samples told) {
    if (zstd == null) {
      isTried = true;
      zstd = new Zstd(wish.level());
    }
    int count = bytes.remaining();
    packed = Zstd.grown(packed, PieceHead.BYTES + Zstd.packedBytesMax(count));
    long startedNs = System.nanoTime();
    int rawBytes = zstd.pack(bytes, packed.clear().position(PieceHead.BYTES));
    long elapsedNs = System.nanoTime() - startedNs;
    told.sample(Stage.COMPRESS, elapsedNs);
    otherNs += elapsedNs;
    packingNs += elapsedNs;
    if (rawBytes > SHRUNK_MAX * count) {
      trials.stayed();
      return false;
    }
    trials.shrunk();
    packed.flip();
    new PieceHead(count, rawBytes).put(packed);
    packed.rewind();
    return true;
  }

  /// Begins a block.
  void begin(long bytes, Samples newSamples) {
    if (plain == null) {
      plain = ByteBuffer.allocateDirect(Limits.PIECE_BYTES_MAX);
    }
    left = bytes;
    samples = newSamples;
    otherNs = 0;
    packingNs = 0;
    plain.clear().limit((int) Math.min(plain.capacity(), left));
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    int count = Math.min(bytes.remaining(), plain.remaining());
    plain.put(plain.position(), bytes, bytes.position(), count);
    plain.position(plain.position() + count);
    bytes.position(bytes.position() + count);
    if (!plain.hasRemaining()) {
      sendPiece(plain.flip());
      left -= plain.limit();
      plain.clear().limit((int) Math.min(plain.capacity(), left));
    }
    return count;
  }

  private void sendPiece(ByteBuffer piece) throws IOException {
    int count = piece.remaining();
    if (ofFile.isDue(count) && pack(piece, ofFile, samples)) {
      insight.ofSession().compressed(count, packed.remaining());
      send(packed);
      return;
    }
    ByteBuffer head = ByteBuffer.allocate(PieceHead.BYTES);
    new PieceHead(count, count).put(head);
    send(head.flip());
    send(piece);
  }

  private void send(ByteBuffer raw) throws IOException {
    int end = raw.limit();
    while (raw.position() < end) {
      raw.limit(raw.position() + (int) Math.min(end - raw.position(), rate.pieceBytesMax()));
      rate.spend(raw.remaining(), samples);
      connection.writeRaw(raw);
    }
  }

  /// How long the writes since the last call took for something else, which is booked.
  long takeOtherNs() {
    long ns = otherNs;
    otherNs = 0;
    return ns;
  }

  @Override
  public void close() {
    insight
        .ofSession()
        .uncompressed(
            !obstacle.isEmpty()
                ? obstacle
                : isTried ? "the bytes did not shrink by a tenth" : "the network did not limit");
    if (zstd != null) {
      zstd.close();
    }
  }
}
