package dev.zcp.bench;

import dev.zcp.core.ByteSize;
import dev.zcp.engine.Choice;
import dev.zcp.linux.Mapping;
import dev.zcp.spi.Model;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;

/// Contenders that only the benchmark has: what programs do that know no better. All of them fill a
/// buffer and empty it, again and again.
public enum BenchOnly implements Contender {
  /// A `FileInputStream` or `FileOutputStream` and a byte array. The `stream` strategy has the same
  /// loop over a channel.
  FILE_STREAM(
      "fileStream",
      "is measured with files and as a sender only",
      Experiment.READ,
      Experiment.WRITE,
      Experiment.COPY,
      Experiment.SEND,
      Experiment.FORCE),
  /// The same streams without an array, a byte at a call: minutes where others take a second.
  SINGLE_BYTE("singleByte", BenchOnly.FILE_AND_MEMORY),
  /// A `RandomAccessFile` and a byte array, as ActiveMQ writes its journal.
  RANDOM_ACCESS_FILE("randomAccessFile", BenchOnly.FILE_AND_MEMORY),
  /// One mapping of the whole file, from which or into which an array is copied at a time, as
  /// RocketMQ does. The `mmap` strategy maps each chunk anew, since a transfer must not hold a
  /// large file in memory for long.
  MAPPED_ONCE("mappedOnce", BenchOnly.FILE_AND_MEMORY),
  /// The same filled from a direct `ByteBuffer` and not from an array, as an article has it.
  MAPPED_BUFFER("mappedBuffer", "is measured writing to a file only", Experiment.WRITE);

  /// The most that one array holds: as much as a strategy's buffer.
  static final long ARRAY_BYTES_MAX = 1L << 30;

  private static final String FILE_AND_MEMORY = "is measured between a file and memory only";

  /// If the chunk is left to us: what the `stream` strategy takes.
  private static final int CHUNK_BYTES = 1 << 20;

  /// The most that one call puts from a direct buffer: this many bytes are off the heap.
  private static final long DIRECT_BYTES_MAX = 64L << 20;

  /// A mapping is one buffer, and a buffer is below 2 GiB: a larger file is mapped in pieces.
  private static final long PIECE_BYTES_MAX = 1L << 30;

  private final String word;
  private final String refusal;
  private final Set<Experiment> experiments;

  BenchOnly(String word, String refusal, Experiment... experiments) {
    this.word = word;
    this.refusal = refusal;
    this.experiments =
        experiments.length > 0
            ? Set.of(experiments)
            : Set.of(Experiment.READ, Experiment.WRITE, Experiment.FORCE);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(BenchOnly::word).toList();
  }

  /// The one that a user calls `typed`: like a strategy's name, without regard to case and hyphens.
  public static Optional<BenchOnly> named(String typed) {
    String key = typed.replace("-", "").toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(each -> each.word.toLowerCase(Locale.ROOT).equals(key))
        .findFirst();
  }

  @Override
  public String word() {
    return word;
  }

  boolean isMeasuredUnasked() {
    return this != SINGLE_BYTE && this != MAPPED_BUFFER;
  }

  boolean serves(Experiment experiment) {
    return experiments.contains(experiment);
  }

  /// As of a heap array, or of `mmap`.
  @Override
  public Model model(String ran) {
    return isMapping() ? new Model(4, 0, 1) : new Model(4, 2, 0);
  }

  @Override
  public Optional<String> refusal(Cell cell) {
    return serves(cell.experiment())
        ? tooLarge(bufferBytes(cell.chunkBytes(), cell.fileBytes()))
        : Optional.of(refusal);
  }

  static Optional<String> tooLarge(long bytes) {
    long heapBytes = Runtime.getRuntime().maxMemory();
    String needs = "needs an array of " + new ByteSize(bytes);
    return bytes < heapBytes
        ? Optional.empty()
        : Optional.of(needs + ", and the heap has " + new ByteSize(heapBytes));
  }

  /// The size of the array of who takes the chunk that is asked for.
  static int arrayBytes(long chunkBytes, long fileBytes) {
    long wanted = chunkBytes == Choice.ADAPTIVE ? CHUNK_BYTES : chunkBytes;
    return (int) Math.min(Math.min(wanted, ARRAY_BYTES_MAX), Math.max(fileBytes, 1));
  }

  @Override
  public void run(MoveTask task, long chunkBytes, Meter meter) throws IOException {
    run(task, chunkBytes, meter, PIECE_BYTES_MAX);
  }

  /// @param pieceBytesMax the most that is mapped at once
  void run(MoveTask task, long chunkBytes, Meter meter, long pieceBytesMax) throws IOException {
    int size = bufferBytes(chunkBytes, task.bytes());
    ByteBuffer buffer =
        this == MAPPED_BUFFER ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    if (isMapping()) {
      meter.ofMapping();
    }
    try (OpenFile in = reading(task.from(), pieceBytesMax);
        OpenFile out = writing(task.to(), task.bytes(), pieceBytesMax)) {
      task.forcer().begin(out.force());
      loop(word, in.read(), out.write(), buffer, task.bytes(), meter);
      task.forcer().finish();
    } catch (InternalError e) {
      throw new IOException("the mapped file lost a page: no space, or an I/O error", e);
    }
  }

  /// Where bytes come from. It puts them at the beginning of `target`, up to its limit, and returns
  /// how many, as [java.io.InputStream#read(byte[])] does.
  @FunctionalInterface
  interface Input {
    int read(ByteBuffer target) throws IOException;
  }

  /// Where they go, all that are in `next`.
  @FunctionalInterface
  interface Output {
    void write(ByteBuffer next) throws IOException;
  }

  /// Moves up to `bytes`, and no more once `in` has ended. It reads the clock where the engine
  /// does, so that all pay for it alike, but not for small calls whose time nobody wants: there the
  /// clock would take longer than the call.
  static void loop(String name, Input in, Output out, ByteBuffer buffer, long bytes, Meter meter)
      throws IOException {
    long left = bytes;
    while (left > 0) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), left));
      boolean timed = meter.wantsTimeOf(buffer.limit());
      long startedNs = timed ? System.nanoTime() : 0;
      int count = in.read(buffer);
      if (count < 1) {
        return;
      }
      long readNs = timed ? System.nanoTime() : 0;
      meter.read(bytes - left, count, readNs - startedNs);
      out.write(buffer.clear().limit(count));
      long endedNs = timed ? System.nanoTime() : 0;
      meter.written(bytes - left, count, endedNs - readNs);
      meter.moved(name, bytes - left, count, endedNs - startedNs);
      left -= count;
    }
  }

  private boolean isMapping() {
    return this == MAPPED_ONCE || this == MAPPED_BUFFER;
  }

  private int bufferBytes(long chunkBytes, long fileBytes) {
    return switch (this) {
      case SINGLE_BYTE -> 1;
      case MAPPED_BUFFER -> arrayBytes(Math.min(chunkBytes, DIRECT_BYTES_MAX), fileBytes);
      case FILE_STREAM, RANDOM_ACCESS_FILE, MAPPED_ONCE -> arrayBytes(chunkBytes, fileBytes);
    };
  }

  /// An end that was opened in the contender's way.
  private record OpenFile(Input read, Output write, Forcer.Force force, Closeable file)
      implements Closeable {

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  private OpenFile reading(Endpoint from, long pieceBytesMax) throws IOException {
    if (from instanceof Memory memory) {
      return reader(memory::read, memory);
    }
    Path path = ((BenchFile) from).path();
    return switch (this) {
      case FILE_STREAM, SINGLE_BYTE -> {
        FileInputStream in = new FileInputStream(path.toFile());
        Input read = next -> in.read(next.array(), 0, next.limit());
        yield reader(this == SINGLE_BYTE ? next -> readOne(in, next) : read, in);
      }
      case RANDOM_ACCESS_FILE -> {
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
        yield reader(next -> file.read(next.array(), 0, next.limit()), file);
      }
      case MAPPED_ONCE, MAPPED_BUFFER -> {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        MappedFile file = new MappedFile(channel, MapMode.READ_ONLY, channel.size(), pieceBytesMax);
        yield reader(file::read, file);
      }
    };
  }

  private OpenFile writing(Endpoint to, long bytes, long pieceBytesMax) throws IOException {
    if (to instanceof CheckingSink sink) {
      return new OpenFile(null, sink::write, Forcer.NONE, sink);
    }
    if (to instanceof Socket(SocketChannel channel)) {
      OutputStream out = channel.socket().getOutputStream();
      Output write = next -> out.write(next.array(), 0, next.limit());
      return new OpenFile(null, write, Forcer.NONE, () -> {});
    }
    Path path = ((BenchFile) to).path();
    return switch (this) {
      case FILE_STREAM, SINGLE_BYTE -> {
        FileOutputStream out = new FileOutputStream(path.toFile());
        Output write = next -> out.write(next.array(), 0, next.limit());
        Output one = next -> out.write(next.get(0));
        Forcer.Force force = () -> out.getChannel().force(false);
        yield new OpenFile(null, this == SINGLE_BYTE ? one : write, force, out);
      }
      case RANDOM_ACCESS_FILE -> {
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        Output write = next -> file.write(next.array(), 0, next.limit());
        yield new OpenFile(null, write, () -> file.getChannel().force(false), file);
      }
      case MAPPED_ONCE, MAPPED_BUFFER -> {
        FileChannel channel = FileChannel.open(path, StrategyContender.NEW_FILE);
        MappedFile file = new MappedFile(channel, MapMode.READ_WRITE, bytes, pieceBytesMax);
        yield new OpenFile(null, file::write, file::force, file);
      }
    };
  }

  private static OpenFile reader(Input read, Closeable file) {
    return new OpenFile(read, null, Forcer.NONE, file);
  }

  private static int readOne(FileInputStream in, ByteBuffer next) throws IOException {
    int one = in.read();
    next.put(0, (byte) one);
    return one < 0 ? -1 : 1;
  }

  /// A file that is mapped in pieces, each when it is reached. All stay mapped until the file is
  /// closed. One thread reads or writes it, and another may force it.
  private static final class MappedFile implements Closeable {

    private final FileChannel channel;
    private final MapMode mode;
    private final long fileBytes;
    private final long pieceBytesMax;
    private final List<Mapping> mappings = new ArrayList<>();

    /// The last is still being written; those before are forced once more and then no more.
    private final Deque<MappedByteBuffer> unforced = new ConcurrentLinkedDeque<>();

    private long mappedBytes;
    private MappedByteBuffer piece;

    MappedFile(FileChannel channel, MapMode mode, long fileBytes, long pieceBytesMax) {
      this.channel = channel;
      this.mode = mode;
      this.fileBytes = fileBytes;
      this.pieceBytesMax = pieceBytesMax;
    }

    int read(ByteBuffer target) throws IOException {
      if (!hasPiece()) {
        return -1;
      }
      int count = Math.min(target.limit(), piece.remaining());
      piece.get(target.array(), 0, count);
      return count;
    }

    void write(ByteBuffer next) throws IOException {
      while (next.hasRemaining() && hasPiece()) {
        int count = Math.min(next.remaining(), piece.remaining());
        if (next.hasArray()) {
          piece.put(next.array(), next.position(), count);
        } else {
          piece.put(next.slice(next.position(), count));
        }
        next.position(next.position() + count);
      }
    }

    void force() {
      MappedByteBuffer last = unforced.getLast();
      while (unforced.getFirst() != last) {
        unforced.getFirst().force();
        unforced.removeFirst();
      }
      last.force();
    }

    @Override
    public void close() throws IOException {
      try (channel) {
        mappings.forEach(Mapping::close);
      }
    }

    /// Maps the next piece if the one before is used up; false at the end of the file.
    private boolean hasPiece() throws IOException {
      if (piece != null && piece.hasRemaining()) {
        return true;
      }
      long bytes = Math.min(pieceBytesMax, fileBytes - mappedBytes);
      if (bytes <= 0) {
        return false;
      }
      Mapping mapping = Mapping.shared(channel, mode, mappedBytes, bytes);
      mappings.add(mapping);
      mappedBytes += bytes;
      piece = (MappedByteBuffer) mapping.bytes();
      unforced.addLast(piece);
      return true;
    }
  }
}
