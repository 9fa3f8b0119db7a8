package dev.zcp.testing;

import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Ends of a transfer over real channels, with their descriptors.
///
/// The descriptors come by reflection, so the process needs `--add-opens
/// java.base/sun.nio.ch=ALL-UNNAMED --add-opens java.base/java.io=ALL-UNNAMED`.
public final class TestEnds {

  private TestEnds() {}

  public static Source fileSource(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    return new ChannelSource(traits(Kind.FILE, device(path)), channel, descriptor(channel));
  }

  /// A file for reading and writing, made where there is none, left at its length.
  public static Sink fileSink(Path path) throws IOException {
    return fileSink(
        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  public static Sink fileSink(Path path, OpenOption... options) throws IOException {
    FileChannel channel = FileChannel.open(path, options);
    return new ChannelSink(traits(Kind.FILE, device(path)), channel, descriptor(channel));
  }

  /// A socket or a pipe.
  public static Source channelSource(Kind kind, ReadableByteChannel channel) {
    Route.Traits traits = traits(kind, Route.Traits.NO_DEVICE);
    return new ChannelSource(traits, channel, descriptor(channel));
  }

  public static Sink channelSink(Kind kind, WritableByteChannel channel) {
    Route.Traits traits = traits(kind, Route.Traits.NO_DEVICE);
    return new ChannelSink(traits, channel, descriptor(channel));
  }

  /// An end that is nothing but a channel: no descriptor.
  public static Source streamSource(ReadableByteChannel channel) {
    return new ChannelSource(bare(), channel, -1);
  }

  public static Sink streamSink(WritableByteChannel channel) {
    return new ChannelSink(bare(), channel, -1);
  }

  /// The number behind a channel of the JDK.
  public static int descriptor(Channel channel) {
    try {
      if (channel instanceof FileChannel) {
        Field field = channel.getClass().getDeclaredField("fd");
        field.setAccessible(true);
        Field number = FileDescriptor.class.getDeclaredField("fd");
        number.setAccessible(true);
        return number.getInt(field.get(channel));
      }
      Method method = Class.forName("sun.nio.ch.SelChImpl").getDeclaredMethod("getFDVal");
      method.setAccessible(true);
      return (int) method.invoke(channel);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the JDK has changed: no descriptor in " + channel.getClass(), e);
    }
  }

  private static Route.Traits traits(Kind kind, long device) {
    return new Route.Traits(kind, true, false, device);
  }

  private static Route.Traits bare() {
    return new Route.Traits(Kind.STREAM, false, false, Route.Traits.NO_DEVICE);
  }

  private static long device(Path path) throws IOException {
    return (long) Files.getAttribute(path, "unix:dev");
  }

  private record ChannelSource(Route.Traits traits, ReadableByteChannel channel, int descriptor)
      implements Source {

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      return channel instanceof FileChannel file && traits.seekable()
          ? file.read(target, offset)
          : channel.read(target);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private record ChannelSink(Route.Traits traits, WritableByteChannel channel, int descriptor)
      implements Sink {

    @Override
    public int write(ByteBuffer bytes, long offset) throws IOException {
      return channel instanceof FileChannel file && traits.seekable()
          ? file.write(bytes, offset)
          : channel.write(bytes);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
