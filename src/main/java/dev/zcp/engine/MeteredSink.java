package dev.zcp.engine;

import dev.zcp.spi.MoveException;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// A sink whose writes are timed, and whose failures are known as the sink's.
record MeteredSink(Sink sink, Observer observer) implements Sink {

  @Override
  public Route.Traits traits() {
    return sink.traits();
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    long startedNs = System.nanoTime();
    try {
      int count = sink.write(bytes, offset);
      observer.written(count, System.nanoTime() - startedNs);
      return count;
    } catch (IOException e) {
      throw new MoveException(MoveException.End.SINK, e);
    }
  }

  @Override
  public WritableByteChannel channel() {
    return sink.channel();
  }

  @Override
  public int descriptor() {
    return sink.descriptor();
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
