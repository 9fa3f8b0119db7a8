package dev.zcp.place;

import dev.zcp.core.Failure;
import dev.zcp.insight.Samples;
import dev.zcp.insight.Stage;
import dev.zcp.linux.Errno;
import dev.zcp.linux.Forcing;
import dev.zcp.linux.Libc;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Publishes files; if that was asked for, each is on its device before it has its name, and the
/// name as well before it counts as done. Any thread may call it.
///
/// A flush of the device takes longer than a small file does, so the files of a [PublicationQueue]
/// wait for each other. All that else was made is forced at the [end][#finish].
public final class Durability implements Closeable {

  /// Files that wait hold a descriptor each, and maybe their directory one more.
  private static final int DESCRIPTORS_PER_FILE = 8;

  /// From here on a larger batch measured no better.
  private static final int FILES_MAX = 256;

  private static final int FILES_MIN = 4;

  /// So much is written out in the background before it is waited for.
  private static final long BYTES_MAX = 256L << 20;

  private final boolean durable;
  private final int filesMax;
  private final Samples books;

  // Guarded by this.
  private final List<FileSystem> fileSystems = new ArrayList<>();
  private boolean hasMade;

  private Durability(boolean durable, int filesMax, Samples books) {
    this.durable = durable;
    this.filesMax = filesMax;
    this.books = books;
  }

  /// @param durable whether anything is to be forced at all
  /// @param descriptorsMax how many descriptors one queue may hold
  public static Durability of(boolean durable, int descriptorsMax, Samples books) {
    if (durable) {
      books.durable(0);
    }
    int filesMax = Math.clamp(descriptorsMax / DESCRIPTORS_PER_FILE, FILES_MIN, FILES_MAX);
    return new Durability(durable, filesMax, books);
  }

  /// What forces nothing.
  public static Durability none() {
    return new Durability(false, 0, (_, _) -> {});
  }

  public boolean isDurable() {
    return durable;
  }

  /// An entry without bytes was made in `directory`, or something about the directory was set: both
  /// are forced with the next batch, and by [#finish]; or at once, if their file system is not
  /// forced as a whole.
  public void made(OpenDirectory directory) throws IOException {
    if (!durable) {
      return;
    }
    synchronized (this) {
      hasMade = true;
      fileSystemOf(directory, null);
    }
    if (directory.isListable() && !Forcing.forcesFileSystem(directory.descriptor())) {
      directory.force();
    }
  }

  /// The last step, after the last [PublicationQueue#flush] and the last [#made].
  ///
  /// @throws Failure if something that was made is not on its device
  public void finish(Object label) throws Failure {
    synchronized (this) {
      for (FileSystem each : hasMade ? fileSystems : List.<FileSystem>of()) {
        try {
          each.force(books);
        } catch (IOException e) {
          throw Reasons.destination(label, e).with("it is copied, and may not survive a power cut");
        }
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    for (FileSystem each : fileSystems) {
      each.close();
    }
    fileSystems.clear();
  }

  /// Files that are forced together, as many as there can be at a time. Any thread may call it.
  ///
  /// One batch is on its way while the next one gathers; who fills that one waits, so that files
  /// held open stay few: two batches and one for each thread.
  ///
  /// **Whoever waits for a file that waits here must [#flush]**: nothing happens by time alone.
  public final class PublicationQueue {

    /// Held by whoever publishes a batch, and taken under no other lock.
    private final ReentrantLock publishing = new ReentrantLock();

    /// Guarded by this.
    private PublicationBatch waiting = new PublicationBatch();

    /// Takes a complete file, to be published now or a little later.
    public void accept(Publication file) {
      if (!durable) {
        publish(file);
        return;
      }
      boolean full;
      try {
        long bytes = file.file().status().sizeBytes();
        Forcing.begin(file.file());
        OpenDirectory directory = file.directory();
        FileSystem fileSystem = fileSystemOf(directory, file.file());
        synchronized (this) {
          waiting.add(file, bytes, fileSystem, directory.isListable());
          full = waiting.files() >= filesMax || waiting.bytes() >= BYTES_MAX;
        }
      } catch (IOException e) {
        file.failed(Reasons.destination(file.label(), e));
        return;
      }
      if (full) {
        flush();
      }
    }

    /// Publishes what waits, and whatever is given away meanwhile by nobody but that.
    ///
    /// @return whether anything did
    public boolean flush() {
      if (!durable) {
        return false;
      }
      PublicationBatch batch;
      publishing.lock();
      try {
        synchronized (this) {
          batch = waiting;
          waiting = new PublicationBatch();
        }
        batch.publish(batch.files() == 1 && batch.areListed && !hasMade());
      } finally {
        publishing.unlock();
      }
      books.durable(batch.tell());
      return batch.files() > 0;
    }
  }

  private synchronized boolean hasMade() {
    return hasMade;
  }

  private static void publish(Publication file) {
    try {
      file.reveal();
    } catch (IOException | Failure | RuntimeException e) {
      file.failed(Reasons.atTarget(file.label(), e));
      return;
    }
    file.done();
  }

  /// Few: a tree seldom has another file system mounted in it.
  ///
  /// @param file one in `directory`, or null
  private synchronized FileSystem fileSystemOf(OpenDirectory directory, NativeFile file)
      throws IOException {
    for (FileSystem each : fileSystems) {
      if (each.device() == directory.status().device()) {
        return each;
      }
    }
    FileSystem other = FileSystem.of(directory, file);
    fileSystems.add(other);
    return other;
  }

  /// A file that is complete under a partial name, and what is left to be done for it.
  ///
  /// Whoever it is given to calls [#reveal] once at most, then exactly one of [#done] and
  /// [#failed], from any thread. Until then the file stays open, but for what [#reveal] closes, and
  /// [#directory] may be asked for.
  public interface Publication {

    /// The file, for messages.
    Object label();

    /// The file, open for writing.
    NativeFile file();

    /// The directory that it gets its name in, open.
    OpenDirectory directory() throws IOException;

    /// How many of its `bytes` count as durable: those that were there before do not.
    default long bytesMoved(long bytes) {
      return bytes;
    }

    /// Closes the file and gives it its final name.
    void reveal() throws IOException, Failure;

    /// It has its name, and is as safe as was asked for. May give further publications away.
    void done();

    /// It is not, and no further step is taken for it. It may have its name all the same, if it was
    /// revealed and the name could not be forced.
    void failed(Failure failure);
  }

  /// Files that are made durable together: all bytes, then all names. Belongs to one thread at a
  /// time.
  ///
  /// All is forced by syncfs(2), which also forces the directories above and whatever else was
  /// made: for 1,000 small files that took a tenth of what fsync(2) of each took, begun early and
  /// batched alike (`bench/limits/force.c`). A file alone is forced by itself, since it need not
  /// wait for what others wrote to its file system.
  private final class PublicationBatch {

    /// @param bytes how long the file is
    private record Queued(Publication file, long bytes) {}

    private final List<Queued> queue = new ArrayList<>();
    private final List<FileSystem> fileSystems = new ArrayList<>();
    private long bytes;

    /// Whether all directories can be forced.
    private boolean areListed = true;

    /// By queued: why it failed, or null.
    private Failure[] failures = {};

    int files() {
      return queue.size();
    }

    long bytes() {
      return bytes;
    }

    /// @param on the one that the file is on
    /// @param isListed whether its directory can be forced: one that may not be listed cannot
    void add(Publication file, long fileBytes, FileSystem on, boolean isListed) {
      areListed &= isListed;
      queue.add(new Queued(file, fileBytes));
      bytes += fileBytes;
      if (!fileSystems.contains(on)) {
        fileSystems.add(on);
      }
    }

    /// Forces, reveals, and forces the names.
    ///
    /// @param alone whether there is but this one file to be forced
    void publish(boolean alone) {
      failures = new Failure[queue.size()];
      if (alone || !forceFileSystems()) {
        each(true, queued -> Forcing.force(queued.file().file()));
      }
      each(false, queued -> queued.file().reveal());
      if (alone || !forceFileSystems()) {
        each(true, queued -> queued.file().directory().force());
      }
    }

    /// Tells each file what came of it.
    ///
    /// @return how many bytes are on a device now
    long tell() {
      long durable = 0;
      for (int i = 0; i < queue.size(); i++) {
        Queued queued = queue.get(i);
        if (failures[i] == null) {
          durable += queued.file().bytesMoved(queued.bytes());
          queued.file().done();
        } else {
          queued.file().failed(failures[i]);
        }
      }
      return durable;
    }

    /// @return false if it is not known that everything of these files is on the device; each has
    ///   to be asked then, of which the failure may not be
    private boolean forceFileSystems() {
      boolean known = true;
      for (FileSystem each : fileSystems) {
        try {
          known &= each.force(books);
        } catch (IOException e) {
          known = false;
        }
      }
      return known;
    }

    /// Takes a step for each file that has not failed.
    ///
    /// @param isFlush whether it waits for the device
    private void each(boolean isFlush, Action step) {
      for (int i = 0; i < failures.length; i++) {
        if (failures[i] == null) {
          Queued queued = queue.get(i);
          try {
            long startedNs = System.nanoTime();
            step.run(queued);
            if (isFlush) {
              books.sample(Stage.FLUSH, System.nanoTime() - startedNs);
            }
          } catch (IOException | Failure | RuntimeException e) {
            failures[i] = Reasons.atTarget(queued.file().label(), e);
          }
        }
      }
    }

    @FunctionalInterface
    private interface Action {
      void run(Queued queued) throws IOException, Failure;
    }
  }

  /// A file system that is copied to, by something on it that is held open.
  ///
  /// @param device `st_dev`
  /// @param descriptor of this record's own
  private record FileSystem(long device, int descriptor) implements Closeable {

    /// That of `directory`, which may be closed later. If this user may not list it, its descriptor
    /// serves for names alone: then the file's is taken, or that of the directory above.
    ///
    /// @param file one in it, or null
    static FileSystem of(OpenDirectory directory, NativeFile file) throws IOException {
      long device = directory.status().device();
      if (directory.isListable()) {
        return new FileSystem(device, duplicate(directory.descriptor()));
      }
      if (file != null) {
        return new FileSystem(device, duplicate(file.descriptor()));
      }
      try (OpenDirectory above = directory.above()) {
        boolean isSame = above.status().device() == device;
        int held = isSame ? above.descriptor() : directory.descriptor();
        return new FileSystem(device, duplicate(held));
      }
    }

    private static int duplicate(int descriptor) throws IOException {
      return Errno.require(Libc.duplicate(descriptor));
    }

    /// As [Forcing#forceFileSystem].
    boolean force(Samples samples) throws IOException {
      long startedNs = System.nanoTime();
      boolean isKnown = Forcing.forceFileSystem(descriptor);
      samples.sample(Stage.FLUSH, System.nanoTime() - startedNs);
      return isKnown;
    }

    @Override
    public void close() throws IOException {
      Errno.require(Libc.close(descriptor));
    }
  }
}
