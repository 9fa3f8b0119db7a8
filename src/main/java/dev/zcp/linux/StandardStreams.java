package dev.zcp.linux;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channel;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/// Standard input and output as ends of a transfer. Closing an end leaves the stream open.
///
/// @param in what `-` reads from; if it is a [FileInputStream], strategies see its descriptor
/// @param out what `-` writes to; if it is a [FileOutputStream], strategies see its descriptor
public record StandardStreams(InputStream in, OutputStream out) {

  /// The end that reads standard input: of a pipe, or of anything else that gives bytes in order. A
  /// file that a shell redirected is read in order too, from where the shell left it.
  public Source source() throws IOException {
    return in instanceof FileInputStream file
        ? end(file.getChannel())
        : wrapped(Channels.newChannel(in), null);
  }

  /// The end that writes standard output.
  ///
  /// @throws IOException if what was printed before cannot be flushed
  public Sink sink() throws IOException {
    out.flush();
    return out instanceof FileOutputStream file
        ? end(file.getChannel())
        : wrapped(null, Channels.newChannel(out));
  }

  private static ChannelEnd end(FileChannel channel) {
    boolean hasDescriptor = ChannelEnd.hasDescriptors();
    Route.Kind kind = Route.Kind.STREAM;
    try {
      Path self = Path.of("/proc/self/fd/" + ChannelEnd.descriptorOf(channel));
      kind = ChannelEnd.kindOf(FileStatus.of(self).mode());
    } catch (IOException e) {
      // Without /proc nothing is known of it but that it gives or takes bytes.
    }
    return ChannelEnd.stream(channel, kind, hasDescriptor, false);
  }

  private static ChannelEnd wrapped(ReadableByteChannel from, WritableByteChannel to) {
    return ChannelEnd.stream(new OneWay(from, to), Route.Kind.STREAM, false, false);
  }

  /// @param from null if it is to be written to
  /// @param to null if it is to be read from
  private record OneWay(ReadableByteChannel from, WritableByteChannel to) implements ByteChannel {

    @Override
    public int read(ByteBuffer target) throws IOException {
      return from.read(target);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      return to.write(bytes);
    }

    @Override
    public boolean isOpen() {
      return channel().isOpen();
    }

    @Override
    public void close() throws IOException {
      channel().close();
    }

    private Channel channel() {
      return from == null ? to : from;
    }
  }
}
