package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.place.Durability;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Level;
import java.io.IOException;

/// A file whose bytes go on to standard output. They cannot be taken back, so each block waits in
/// memory until it is known to be right; and the exit code says whether all came.
final class StreamLanding implements Landing {

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
    if (span.length() > BlockBuffer.BYTES_MAX) {
      throw Failure.of(
          ExitCode.DESTINATION,
          "standard output",
          "a block of " + new ByteSize(span.length()) + " cannot be checked before it is written");
    }
    block.begin((int) span.length());
  }

  /// Zeros need no memory to wait in.
  @Override
  public void beginHole(Span span) {
    // Nothing is held.
  }

  @Override
  public void hole(Span span) throws IOException {
    stream.writeZeros(span);
  }

  @Override
  public void holeMade(Span span) {
    // It has gone on already.
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
