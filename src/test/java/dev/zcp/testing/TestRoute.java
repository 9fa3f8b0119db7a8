package dev.zcp.testing;

import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Two ends of a transfer, with threads at their far sides that feed the one and collect from the
/// other.
public final class TestRoute implements Closeable {

  private static final long FAR_SIDE_S_MAX = 30;

  private final Source source;
  private final Sink sink;
  private final Path sinkFile;
  private final CompletableFuture<?> feeder;
  private final CompletableFuture<byte[]> collector;

  private TestRoute(
      Source source,
      Sink sink,
      Path sinkFile,
      CompletableFuture<?> feeder,
      CompletableFuture<byte[]> collector) {
    this.source = source;
    this.sink = sink;
    this.sinkFile = sinkFile;
    this.feeder = feeder;
    this.collector = collector;
  }

  /// A route whose source holds `content` and then ends. Files are made in `folder`.
  public static TestRoute open(Kind from, Kind to, byte[] content, Path folder) throws IOException {
    CompletableFuture<Void> feeder = new CompletableFuture<>();
    CompletableFuture<byte[]> collector = new CompletableFuture<>();
    Path sinkFile = to == Kind.FILE ? folder.resolve("sink") : null;
    if (sinkFile != null) {
      Files.deleteIfExists(sinkFile);
    }
    Source source = source(from, content, folder, feeder);
    Sink sink = sink(to, sinkFile, collector);
    return new TestRoute(source, sink, sinkFile, feeder, collector);
  }

  public Source source() {
    return source;
  }

  public Sink sink() {
    return sink;
  }

  public Route route() {
    return new Route(source.traits(), sink.traits());
  }

  /// Ends the transfer and gives all that reached the far side of the sink.
  public byte[] arrived() throws IOException {
    sink.close();
    return sinkFile != null ? Files.readAllBytes(sinkFile) : await(collector);
  }

  @Override
  public void close() throws IOException {
    source.close();
    sink.close();
    if (sinkFile == null) {
      await(collector);
    }
    await(feeder);
  }

  /// Two ends of one connection on the loopback interface.
  public static SocketChannel[] sockets() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel client = SocketChannel.open(server.getLocalAddress());
      return new SocketChannel[] {client, server.accept()};
    }
  }

  private static Source source(
      Kind kind, byte[] content, Path folder, CompletableFuture<Void> feeder) throws IOException {
    return switch (kind) {
      case FILE -> {
        feeder.complete(null);
        yield TestEnds.fileSource(Files.write(folder.resolve("source"), content));
      }
      case SOCKET -> {
        SocketChannel[] pair = sockets();
        feed(pair[0], content, feeder);
        yield TestEnds.channelSource(kind, pair[1]);
      }
      case PIPE -> {
        Pipe pipe = Pipe.open();
        feed(pipe.sink(), content, feeder);
        yield TestEnds.channelSource(kind, pipe.source());
      }
      case STREAM -> {
        feeder.complete(null);
        yield TestEnds.streamSource(Channels.newChannel(new ByteArrayInputStream(content)));
      }
    };
  }

  private static Sink sink(Kind kind, Path file, CompletableFuture<byte[]> collector)
      throws IOException {
    return switch (kind) {
      case FILE -> TestEnds.fileSink(file);
      case SOCKET -> {
        SocketChannel[] pair = sockets();
        collect(pair[1], collector);
        yield TestEnds.channelSink(kind, pair[0]);
      }
      case PIPE -> {
        Pipe pipe = Pipe.open();
        collect(pipe.source(), collector);
        yield TestEnds.channelSink(kind, pipe.sink());
      }
      case STREAM -> {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        yield TestEnds.streamSink(
            new WritableByteChannel() {
              @Override
              public int write(ByteBuffer source) {
                byte[] taken = new byte[source.remaining()];
                source.get(taken);
                bytes.writeBytes(taken);
                return taken.length;
              }

              @Override
              public boolean isOpen() {
                return !collector.isDone();
              }

              @Override
              public void close() {
                collector.complete(bytes.toByteArray());
              }
            });
      }
    };
  }

  /// A reader that goes away is no failure of the feeder: tests leave bytes behind on purpose.
  private static void feed(
      WritableByteChannel channel, byte[] content, CompletableFuture<Void> done) {
    start(
        "feeder",
        () -> {
          try (channel) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
              channel.write(bytes);
            }
          } catch (IOException e) {
            done.complete(null);
            return;
          }
          done.complete(null);
        });
  }

  private static void collect(ReadableByteChannel channel, CompletableFuture<byte[]> done) {
    start(
        "collector",
        () -> {
          byte[] collected;
          try (channel) {
            collected = Channels.newInputStream(channel).readAllBytes();
          } catch (IOException e) {
            done.completeExceptionally(e);
            return;
          }
          // Only now: who waits for the bytes may go on to count descriptors.
          done.complete(collected);
        });
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static <T> T await(CompletableFuture<T> far) throws IOException {
    try {
      return far.get(FAR_SIDE_S_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IOException("the far side did not finish", e);
    }
  }
}
