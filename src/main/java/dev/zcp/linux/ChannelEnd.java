package dev.zcp.linux;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.LockSupport;

/// A channel of Java as the source or the sink of a transfer: a file, a socket, or anything that
/// gives or takes bytes in order.
///
/// Java gives nobody the number of a channel's descriptor. It is read by reflection, which the
/// launcher allows with `--add-opens java.base/sun.nio.ch` and `java.base/java.io`. Without these
/// flags there are no numbers, and strategies that need one say so.
public final class ChannelEnd implements Source, Sink {

  static final int NONE = -1;
  private static final int UNREAD = -2;

  /// How long a stream is left alone that gives or takes nothing. Only one that somebody else made
  /// non-blocking does so: O_NONBLOCK belongs to the open file, which processes share (open(2)), so
  /// a terminal or a pipe may come with it. Clearing it would surprise the others, and Java has no
  /// poll(2) for such a stream.
  private static final long PAUSE_NS = 1_000_000;

  private final ByteChannel channel;
  private final Route.Traits traits;
  private final boolean owned;
  private int descriptor = UNREAD;

  private ChannelEnd(ByteChannel channel, Route.Traits traits, boolean owned) {
    this.channel = channel;
    this.traits = traits;
    this.owned = owned;
  }

  /// A regular file. The end closes the channel.
  ///
  /// @param device the file's `st_dev`
  public static ChannelEnd file(FileChannel channel, long device) {
    boolean hasDescriptor = hasDescriptors();
    return new ChannelEnd(
        channel, new Route.Traits(Route.Kind.FILE, hasDescriptor, false, device), true);
  }

  /// A connected socket in blocking mode. The end leaves it open: what comes after the file's bytes
  /// is the protocol's.
  public static ChannelEnd socket(SocketChannel channel) {
    return stream(channel, Route.Kind.SOCKET, hasDescriptors(), false);
  }

  /// Opens a FIFO or device to read from. Opening a FIFO waits for its writer: fifo(7).
  ///
  /// @param mode the file's `st_mode`
  public static ChannelEnd openToRead(Path path, int mode) throws IOException {
    return open(path, mode, StandardOpenOption.READ);
  }

  /// Opens a FIFO or device to write to, as it is: it is neither created nor cut. Opening a FIFO
  /// waits for its reader.
  ///
  /// @param mode the file's `st_mode`
  public static ChannelEnd openToWrite(Path path, int mode) throws IOException {
    return open(path, mode, StandardOpenOption.WRITE);
  }

  private static ChannelEnd open(Path path, int mode, OpenOption option) throws IOException {
    return stream(FileChannel.open(path, option), kindOf(mode), hasDescriptors(), true);
  }

  /// Anything that gives or takes bytes in order and once.
  ///
  /// @param owned whether closing this end closes the channel
  static ChannelEnd stream(
      ByteChannel channel, Route.Kind kind, boolean hasDescriptor, boolean owned) {
    return new ChannelEnd(
        channel, new Route.Traits(kind, hasDescriptor, false, Route.Traits.NO_DEVICE), owned);
  }

  static Route.Kind kindOf(int mode) {
    return (mode & FileType.MASK) == FileType.FIFO ? Route.Kind.PIPE : Route.Kind.STREAM;
  }

  @Override
  public Route.Traits traits() {
    return traits;
  }

  @Override
  public int read(ByteBuffer target, long offset) throws IOException {
    if (traits.seekable()) {
      return ((FileChannel) channel).read(target, offset);
    }
    int count = channel.read(target);
    while (count == 0 && target.hasRemaining()) {
      LockSupport.parkNanos(PAUSE_NS);
      count = channel.read(target);
    }
    return count;
  }

  @Override
  public int write(ByteBuffer bytes, long offset) throws IOException {
    if (traits.seekable()) {
      return ((FileChannel) channel).write(bytes, offset);
    }
    int count = channel.write(bytes);
    while (count == 0 && bytes.hasRemaining()) {
      LockSupport.parkNanos(PAUSE_NS);
      count = channel.write(bytes);
    }
    return count;
  }

  /// Whether a short write would not wait: poll(2). False if that cannot be known.
  public boolean isWritable() {
    return descriptor() != NONE && Libc.pollOut(descriptor) > 0;
  }

  /// Whether a read would not wait: poll(2). False if that cannot be known.
  public boolean isReadable() {
    return descriptor() != NONE && Libc.pollIn(descriptor) > 0;
  }

  @Override
  public ByteChannel channel() {
    return channel;
  }

  @Override
  public int descriptor() {
    if (descriptor == UNREAD) {
      descriptor = traits.hasDescriptor() ? descriptorOf(channel) : NONE;
    }
    return descriptor;
  }

  @Override
  public void close() throws IOException {
    if (owned) {
      channel.close();
    }
  }

  /// Whether the numbers of descriptors can be had.
  static boolean hasDescriptors() {
    if (Native.hasLibrary()) {
      return true;
    }
    Module base = Object.class.getModule();
    Module own = ChannelEnd.class.getModule();
    return base.isOpen("sun.nio.ch", own) && base.isOpen("java.io", own);
  }

  /// The descriptor of an open file or socket channel, or [#NONE] if it cannot be known.
  static int descriptorOf(Channel channel) {
    return Native.hasLibrary() ? Native.descriptorByJni(channel) : descriptorByReflection(channel);
  }

  /// The first reflection on a field takes a cold process 12 ms.
  private static int descriptorByReflection(Channel channel) {
    try {
      // FileChannelImpl and SocketChannelImpl both keep theirs in a field of this name.
      Field field = channel.getClass().getDeclaredField("fd");
      field.setAccessible(true);
      Field number = FileDescriptor.class.getDeclaredField("fd");
      number.setAccessible(true);
      return number.getInt(field.get(channel));
    } catch (NoSuchFieldException | IllegalAccessException | InaccessibleObjectException e) {
      return NONE;
    }
  }
}
