package dev.zcp.linux;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// An open regular file, as the source or the sink of a transfer.
public final class FileEnd implements Source, Sink {

  private final FileChannel channel;
  private final Route.Traits traits;

  private FileEnd(FileChannel channel, long device) {
    this.channel = channel;
    this.traits = new Route.Traits(Route.Kind.FILE, Descriptors.available(), false, device);
  }

  /// The end over `channel`, which it owns from now on.
  ///
  /// @param device the file's `st_dev`
  public static FileEnd of(FileChannel channel, long device) {
    return new FileEnd(channel, device);
  }

  @Override
  public Route.Traits traits() {
    return traits;
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    return channel.read(target, offset);
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    return channel.write(bytes, offset);
  }

  @Override
  public FileChannel channel() {
    return channel;
  }

  @Override
  public int descriptor() {
    return Descriptors.of(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
