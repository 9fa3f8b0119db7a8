import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.zip.CRC32C;

/// The floor for a tree over a socket by Java. The sender walks and reads on one thread and writes
/// to the socket on another, by buffers of 1 MiB. The receiver reads the socket on one thread and
/// makes the files on two others. Each file has a CRC32C, gets a partial name, its time, and then
/// its own name. There is no key, no answer but the last byte, no mode, no link and no resumption.
///
/// Usage: `Session send HOST PORT TREE`, `Session receive HOST PORT FOLDER`, or both ends in one
/// process, to train a cache: `Session both TREE FOLDER`.
final class Session {

  private static final int BUFFER_BYTES = 1 << 20;
  private static final int BUFFERS = 3;
  private static final int HEAD_BYTES = 1 + Integer.BYTES + 2 * Long.BYTES;

  /// Files up to this size are handed over whole to the threads that make files.
  private static final int SMALL_BYTES_MAX = 2 << 20;

  private static final int FILES_A_BATCH = 64;
  private static final int BATCHES_WAITING = 16;
  private static final int MAKERS = 2;

  private static final byte DIRECTORY = 1;
  private static final byte FILE = 2;

  private Session() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "send" -> send(args[1], Integer.parseInt(args[2]), Path.of(args[3]));
      case "receive" -> {
        try (ServerSocketChannel listener = listen(args[1], Integer.parseInt(args[2]))) {
          new Receiver(Path.of(args[3])).run(listener.accept());
        }
      }
      default -> both(Path.of(args[1]), Path.of(args[2]));
    }
  }

  private static void both(Path tree, Path folder) throws Exception {
    try (ServerSocketChannel listener = listen("127.0.0.1", 0)) {
      int port = listener.socket().getLocalPort();
      Thread sender = start(() -> send("127.0.0.1", port, tree));
      new Receiver(folder).run(listener.accept());
      sender.join();
    }
  }

  private static ServerSocketChannel listen(String host, int port) throws IOException {
    return ServerSocketChannel.open().bind(new InetSocketAddress(host, port));
  }

  private static void send(String host, int port, Path tree) throws Exception {
    try (SocketChannel socket = SocketChannel.open(new InetSocketAddress(host, port))) {
      Sender sender = new Sender(socket, tree.toAbsolutePath().getParent());
      Thread writer = start(sender::write);
      Files.walkFileTree(tree.toAbsolutePath(), sender);
      sender.finish();
      writer.join();
      socket.shutdownOutput();
      if (socket.read(ByteBuffer.allocate(1)) != 1) {
        throw new EOFException("the receiver did not say that it has all");
      }
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  /// A failure ends the process, since nobody waits for this thread alone.
  private static Thread start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
              }
            });
    thread.start();
    return thread;
  }

  private static final class Sender extends SimpleFileVisitor<Path> {

    private static final ByteBuffer END = ByteBuffer.allocate(0);

    private final SocketChannel socket;
    private final Path parent;
    private final BlockingQueue<ByteBuffer> full = new ArrayBlockingQueue<>(BUFFERS + 1);
    private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(BUFFERS);
    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    Sender(SocketChannel socket, Path parent) {
      this.socket = socket;
      this.parent = parent;
      for (int i = 1; i < BUFFERS; i++) {
        free.add(ByteBuffer.allocateDirect(BUFFER_BYTES));
      }
    }

    void write() throws Exception {
      for (ByteBuffer next = full.take(); next != END; next = full.take()) {
        while (next.hasRemaining()) {
          socket.write(next);
        }
        free.put(next.clear());
      }
    }

    void finish() throws InterruptedException {
      full.put(buffer.flip());
      full.put(END);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      head(DIRECTORY, path, attributes, 0);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
        throws IOException {
      if (attributes.isRegularFile()) {
        try (FileChannel file = FileChannel.open(path)) {
          head(FILE, path, attributes, attributes.size());
          read(file, attributes.size());
        }
      }
      return FileVisitResult.CONTINUE;
    }

    private void head(byte kind, Path path, BasicFileAttributes attributes, long size) {
      byte[] name = parent.relativize(path).toString().getBytes();
      require(HEAD_BYTES + name.length);
      long millis = attributes.lastModifiedTime().toMillis();
      buffer.put(kind).putInt(name.length).putLong(size).putLong(millis).put(name);
    }

    private void read(FileChannel file, long size) throws IOException {
      crc.reset();
      for (long left = size; left > 0; ) {
        require(1);
        int start = buffer.position();
        buffer.limit((int) Math.min(BUFFER_BYTES, start + left));
        int bytes = file.read(buffer);
        if (bytes < 0) {
          throw new EOFException("a file became shorter");
        }
        buffer.limit(BUFFER_BYTES);
        crc.update(buffer.duplicate().flip().position(start));
        left -= bytes;
      }
      require(Integer.BYTES);
      buffer.putInt((int) crc.getValue());
    }

    private void require(int bytes) {
      if (buffer.remaining() < bytes) {
        try {
          full.put(buffer.flip());
          buffer = free.take();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private record Small(Path path, ByteBuffer bytes, long millis) {}

  private static final class Receiver {

    private final Path folder;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(2 * SMALL_BYTES_MAX).limit(0);
    private final CRC32C crc = new CRC32C();
    private final BlockingQueue<List<Small>> batches = new ArrayBlockingQueue<>(BATCHES_WAITING);

    private SocketChannel socket;
    private List<Small> batch = new ArrayList<>();

    Receiver(Path folder) {
      this.folder = folder;
    }

    void run(SocketChannel from) throws Exception {
      socket = from;
      List<Thread> makers = new ArrayList<>();
      for (int i = 0; i < MAKERS; i++) {
        makers.add(start(this::make));
      }
      while (fill(HEAD_BYTES)) {
        take(buffer.get(), buffer.getInt(), buffer.getLong(), buffer.getLong());
      }
      handOver();
      for (int i = 0; i < MAKERS; i++) {
        batches.put(List.of());
      }
      for (Thread maker : makers) {
        maker.join();
      }
      socket.write(ByteBuffer.allocate(1));
      socket.close();
    }

    private void take(byte kind, int length, long size, long millis) throws Exception {
      require(length);
      byte[] name = new byte[length];
      buffer.get(name);
      Path path = folder.resolve(new String(name));
      if (kind == DIRECTORY) {
        Files.createDirectory(path);
      } else if (size > SMALL_BYTES_MAX) {
        takeLarge(path, size, millis);
      } else {
        takeSmall(path, (int) size, millis);
      }
    }

    private void takeLarge(Path path, long size, long millis) throws IOException {
      crc.reset();
      Path partial = partial(path);
      try (FileChannel file = create(partial)) {
        for (long left = size; left > 0; ) {
          require(1);
          int bytes = (int) Math.min(left, buffer.remaining());
          ByteBuffer part = buffer.slice(buffer.position(), bytes);
          crc.update(part.duplicate());
          write(file, part);
          buffer.position(buffer.position() + bytes);
          left -= bytes;
        }
      }
      check();
      publish(partial, path, millis);
    }

    private void takeSmall(Path path, int size, long millis) throws Exception {
      require(size);
      byte[] bytes = new byte[size];
      buffer.get(bytes);
      crc.reset();
      crc.update(bytes);
      check();
      batch.add(new Small(path, ByteBuffer.wrap(bytes), millis));
      if (batch.size() == FILES_A_BATCH) {
        handOver();
      }
    }

    private void handOver() throws InterruptedException {
      if (!batch.isEmpty()) {
        batches.put(batch);
        batch = new ArrayList<>();
      }
    }

    private void make() throws Exception {
      for (List<Small> next = batches.take(); !next.isEmpty(); next = batches.take()) {
        for (Small small : next) {
          Path partial = partial(small.path);
          try (FileChannel file = create(partial)) {
            write(file, small.bytes);
          }
          publish(partial, small.path, small.millis);
        }
      }
    }

    private void check() throws IOException {
      require(Integer.BYTES);
      if (buffer.getInt() != (int) crc.getValue()) {
        throw new IOException("a file arrived damaged");
      }
    }

    private void require(int bytes) throws IOException {
      if (!fill(bytes)) {
        throw new EOFException("the sender left");
      }
    }

    /// Whether so many bytes could be had.
    private boolean fill(int bytes) throws IOException {
      while (buffer.remaining() < bytes) {
        buffer.compact();
        int read = socket.read(buffer);
        buffer.flip();
        if (read < 0) {
          return false;
        }
      }
      return true;
    }

    private static Path partial(Path path) {
      return path.resolveSibling(".~" + path.getFileName());
    }

    private static FileChannel create(Path path) throws IOException {
      return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private static void write(FileChannel file, ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }

    private static void publish(Path partial, Path path, long millis) throws IOException {
      Files.setLastModifiedTime(partial, FileTime.fromMillis(millis));
      Files.move(partial, path, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
