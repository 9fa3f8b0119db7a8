package dev.zcp.engine;

import dev.zcp.spi.MoveException;
import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// A source whose reads are timed, and whose failures are known as the source's.
record MeteredSource(Source source, Observer observer) implements Source {

  @Override
  public Route.Traits traits() {
    return source.traits();
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    long startedNs = System.nanoTime();
    try {
      int count = source.read(target, offset);
      if (count > 0) {
        observer.read(count, System.nanoTime() - startedNs);
      }
      return count;
    } catch (IOException e) {
      throw new MoveException(MoveException.End.SOURCE, e);
    }
  }

  @Override
  public ReadableByteChannel channel() {
    return source.channel();
  }

  @Override
  public int descriptor() {
    return source.descriptor();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
