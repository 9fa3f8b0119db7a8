package dev.zcp.bench;

import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.spi.Model;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.Optional;

/// One way of doing what cells ask for. It keeps nothing from one run to the next, so that every
/// run pays for all that it needs.
interface Contender {

  /// Its name, as a user types it.
  String word();

  /// What its calls cost by theory.
  ///
  /// @param ran the name of what really moved the bytes: another than [#word] if that chose
  Model model(String ran);

  /// Why it cannot do what `cell` asks for, as a phrase a user can read; empty if it can, or if
  /// only trying tells.
  Optional<String> refusal(Cell cell);

  /// Does `task`. Whether the right bytes arrived is looked at by others: what it claims counts for
  /// nothing.
  ///
  /// @param chunkBytes as in [Cell]
  /// @param meter must be told of every call, in the form of an observer of a transfer
  /// @throws TransferException if a file or a socket fails, and it is known how far it came
  /// @throws RefusedException if it cannot do that here
  void run(MoveTask task, long chunkBytes, Meter meter)
      throws IOException, TransferException, RefusedException;

  /// Moves all bytes from one end to the other. A contender opens and closes files itself, while
  /// the clock runs; sockets are connected before, and stay open.
  ///
  /// @param to a file does not exist yet
  /// @param bytes how many there are
  /// @param forcer must be told how to force a file before its first byte, and that all was written
  record MoveTask(Endpoint from, Endpoint to, long bytes, Forcer forcer) {}

  sealed interface Endpoint {}

  record Socket(SocketChannel channel) implements Endpoint {}

  /// @param device `st_dev`, which strategies ask for
  record BenchFile(Path path, long device) implements Endpoint {}

  /// An end that is in memory, and so has no descriptor.
  abstract sealed class InMemory implements Endpoint {

    private static final Route.Traits TRAITS =
        new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);

    public Route.Traits traits() {
      return TRAITS;
    }

    public int descriptor() {
      return -1;
    }

    public boolean isOpen() {
      return true;
    }

    public void close() {}
  }

  /// Bytes from memory. It fills whatever it is given, so that a call moves a whole chunk.
  final class Memory extends InMemory implements Source, ReadableByteChannel {

    private final Content.Generated content;
    private final long bytes;
    private long at;

    Memory(Content.Generated content, long bytes) {
      this.content = content;
      this.bytes = bytes;
    }

    @Override
    public int read(ByteBuffer target, long offset) {
      return read(target);
    }

    @Override
    public int read(ByteBuffer target) {
      int count = (int) Math.min(target.remaining(), bytes - at);
      if (count == 0) {
        return -1;
      }
      int limit = target.limit();
      content.put(at, target.limit(target.position() + count));
      target.limit(limit);
      at += count;
      return count;
    }

    @Override
    public ReadableByteChannel channel() {
      return this;
    }
  }

  /// Bytes into memory, which are looked at and dropped.
  final class CheckingSink extends InMemory implements Sink, WritableByteChannel {

    private final ContentCheck check;

    CheckingSink(ContentCheck check) {
      this.check = check;
    }

    @Override
    public int write(ByteBuffer bytes, long offset) throws IOException {
      return write(bytes);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      int count = bytes.remaining();
      check.take(bytes);
      return count;
    }

    @Override
    public WritableByteChannel channel() {
      return this;
    }
  }
}
