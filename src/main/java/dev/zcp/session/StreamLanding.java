package dev.zcp.session;

import dev.zcp.core.Span;
import dev.zcp.io.DigestingSink;
import dev.zcp.spi.Sink;

/// A file whose bytes go on to standard output. They cannot be read back, so they are digested on
/// the way; and they cannot be taken back, so only the exit code says whether they were right.
final class StreamLanding implements Landing {

  private final DigestingSink sink;

  StreamLanding(Sink stream) {
    this.sink = new DigestingSink(stream);
  }

  @Override
  public Sink sink() {
    return sink;
  }

  @Override
  public void beginBlock(Span block) {
    sink.reset();
  }

  @Override
  public void advance(long offset) {}

  @Override
  public long finishBlock() {
    return sink.crc32c();
  }

  @Override
  public boolean publish() {
    return false;
  }

  @Override
  public void discard() {}
}
