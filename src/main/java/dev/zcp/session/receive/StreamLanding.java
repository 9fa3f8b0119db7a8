package dev.zcp.session.receive;

import dev.zcp.core.Span;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Level;
import java.io.IOException;

/// A file whose bytes go on to standard output. They cannot be read back, so they are digested on
/// the way; and they cannot be taken back, so only the exit code says whether they were right.
final class StreamLanding implements Landing {

  private final Sink stream;

  StreamLanding(Sink stream) {
    this.stream = stream;
  }

  @Override
  public Sink sink() {
    return stream;
  }

  @Override
  public Source written() {
    return null;
  }

  @Override
  public void begin(Span span) {
    // Nothing is known of it.
  }

  @Override
  public void hole(Span span) throws IOException {
    Writing.zeros(stream, span);
  }

  @Override
  public void verified(Span span, int crc32c) {
    // Nobody can go on with it.
  }

  /// What was written is with whoever reads it, so no more than the way there is proved.
  @Override
  public Level publish(Ending ending, Level level) {
    return level.compareTo(Level.WIRE) > 0 ? Level.WIRE : level;
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
