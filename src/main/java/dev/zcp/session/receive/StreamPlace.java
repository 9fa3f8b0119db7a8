package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.place.Durability;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.UserSpaceSink;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.ByteBuffer;

/// Standard output: it takes the bytes of one file, in order.
final class StreamPlace implements Place {

  /// No block is longer that goes to standard output.
  static final int BLOCK_BYTES_MAX = 16 << 20;

  private final Sink stream;

  /// Guarded by this.
  private Offered taken;

  /// @param stream is left open
  StreamPlace(Sink stream) {
    this.stream = stream;
  }

  @Override
  public int admit(Manifest manifest) throws Failure {
    if (manifest.entries() > 1) {
      throw Failure.of(
          ExitCode.DESTINATION,
          "standard output takes one file, and the sender has " + manifest.entries());
    }
    return 0;
  }

  /// Nothing is read back from a stream.
  @Override
  public Level provable(Level wanted) {
    return wanted.compareTo(Level.WIRE) > 0 ? Level.WIRE : wanted;
  }

  @Override
  public int filesMax() {
    return 1;
  }

  @Override
  public synchronized Answer consider(IncomingEntry incoming) {
    Offered entry = incoming.offered();
    if (entry.kind() != EntryKind.FILE) {
      return Answer.failed(
          entry.fileId(), ExitCode.DESTINATION, "standard output takes a regular file or a stream");
    }
    if (taken != null && taken.fileId() != entry.fileId()) {
      return Answer.failed(
          entry.fileId(),
          ExitCode.DESTINATION,
          "the receiver writes to standard output, which takes one file");
    }
    Answer answer = Answer.of(entry.fileId(), Answer.AnswerKind.ALL);
    if (taken == null) {
      incoming.land(answer, new StreamLanding(stream, incoming));
    }
    taken = entry;
    return answer;
  }

  @Override
  public Durability durability() {
    return Durability.none();
  }

  @Override
  public boolean complete(Offered directory) {
    throw new IllegalStateException("standard output takes no directories");
  }

  @Override
  public void close() {
    // The stream is not this one's.
  }

  /// A file whose bytes go on to standard output. They cannot be taken back, so each block waits in
  /// memory until it is known to be right; and the exit code says whether all came.
  private static final class StreamLanding implements Landing {

    private final Sink stream;
    private final IncomingEntry file;
    private final BlockBuffer block = new BlockBuffer();

    StreamLanding(Sink stream, IncomingEntry file) {
      this.stream = stream;
      this.file = file;
    }

    @Override
    public Sink sink() {
      return block;
    }

    @Override
    public Source written() {
      return null;
    }

    @Override
    public void begin(Span span) throws Failure {
      if (span.length() > BLOCK_BYTES_MAX) {
        throw Failure.of(
            ExitCode.DESTINATION,
            "standard output",
            "a block of "
                + new ByteSize(span.length())
                + " cannot be checked before it is written");
      }
      block.begin((int) span.length());
    }

    @Override
    public void verified(Span span, int crc32c) throws IOException {
      long startedNs = System.nanoTime();
      block.writeTo(stream, span.offset());
      file.written(span, System.nanoTime() - startedNs);
    }

    /// What was written is with whoever reads it, so no more than the way there is proved.
    @Override
    public void publish(
        Ending ending, Level level, Durability.PublicationQueue queue, PublishOutcome outcome) {
      outcome.arrived(level.compareTo(Level.WIRE) > 0 ? Level.WIRE : level);
    }

    @Override
    public long keep() {
      return 0;
    }

    @Override
    public void drop() {
      // What was written cannot be taken back.
    }

    @Override
    public void close() {
      // The stream is not this one's.
    }
  }

  /// The bytes of one block on their way to standard output, which must not get them before they
  /// are known to be right. Belongs to one thread.
  static final class BlockBuffer implements UserSpaceSink {

    private ByteBuffer bytes = ByteBuffer.allocateDirect(0);

    /// Begins another block; what is there of the one before is dropped.
    ///
    /// @param count how many bytes it has, at most [#BLOCK_BYTES_MAX]
    void begin(int count) {
      if (bytes.capacity() < count) {
        bytes = ByteBuffer.allocateDirect(count);
      }
      bytes.clear().limit(count);
    }

    /// Writes what is there of the block.
    void writeTo(Sink sink, long offset) throws IOException {
      sink.writeAll(bytes.flip(), offset);
    }

    @Override
    public int write(ByteBuffer from, long offset) {
      int count = Math.min(from.remaining(), bytes.remaining());
      bytes.put(bytes.position(), from, from.position(), count).position(bytes.position() + count);
      from.position(from.position() + count);
      return count;
    }

    @Override
    public void close() {
      // It is used again.
    }
  }
}
