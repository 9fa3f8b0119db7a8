package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.insight.Insight;
import dev.zcp.io.Forcing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Publishes files; where that was asked for, each is on its device before it has its name, and the
/// name as well before it counts as done. Any thread may call it.
///
/// A flush of the device takes longer than a small file does, so files wait for each other in a
/// [Batch]. One is on its way while the next one gathers; who fills that one waits, so that files
/// held open stay few: two batches and one for each thread.
///
/// **Whoever waits for a file that waits here must [#flush]**: nothing happens by time alone.
final class Durability implements Closeable {

  /// Files that wait hold a descriptor each, and maybe their directory one more.
  private static final int DESCRIPTORS_PER_FILE = 8;

  /// From here on a larger batch measured no better.
  private static final int FILES_MAX = 256;

  private static final int FILES_MIN = 4;

  /// So much is written out in the background before it is waited for.
  private static final long BYTES_MAX = 256L << 20;

  private final boolean durable;
  private final int filesMax;
  private final Insight insight;

  /// Held by whoever publishes a batch, and taken under no other lock.
  private final ReentrantLock publishing = new ReentrantLock();

  // Guarded by this.
  private final List<FileSystem> fileSystems = new ArrayList<>();
  private Batch waiting = new Batch();
  private boolean hasMade;

  private Durability(boolean durable, int filesMax, Insight insight) {
    this.durable = durable;
    this.filesMax = filesMax;
    this.insight = insight;
  }

  /// @param durable whether anything is to be forced at all
  /// @param descriptorsMax how many descriptors this process may have
  static Durability of(boolean durable, int descriptorsMax, Insight insight) {
    if (durable) {
      insight.durable(0);
    }
    int filesMax = Math.clamp(descriptorsMax / DESCRIPTORS_PER_FILE, FILES_MIN, FILES_MAX);
    return new Durability(durable, filesMax, insight);
  }

  /// Takes a complete file, to be published now or a little later.
  void accept(Publication file) {
    if (!durable) {
      publish(file);
      return;
    }
    boolean full;
    try {
      long bytes = file.file().status().sizeBytes();
      Forcing.begin(file.file());
      OpenDirectory directory = file.directory();
      synchronized (this) {
        waiting.add(file, bytes, fileSystemOf(directory));
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

  /// An entry without bytes was made in `directory`, or something about the directory was set: both
  /// are forced with the next batch, and by [#finish].
  void made(OpenDirectory directory) throws IOException {
    if (durable) {
      synchronized (this) {
        hasMade = true;
        fileSystemOf(directory);
      }
    }
  }

  /// Publishes what waits, and whatever is given away meanwhile by nobody but that.
  ///
  /// @return whether anything did
  boolean flush() {
    Batch batch;
    publishing.lock();
    try {
      boolean alone;
      synchronized (this) {
        batch = waiting;
        waiting = new Batch();
        alone = !hasMade && batch.files() == 1;
      }
      batch.publish(alone);
    } finally {
      publishing.unlock();
    }
    long bytes = batch.tell();
    if (durable) {
      insight.durable(bytes);
    }
    return batch.files() > 0;
  }

  /// The last step, after the last [#flush] and the last [#made].
  ///
  /// @throws Failure where something that was made is not on its device
  void finish(Object label) throws Failure {
    while (flush()) {
      // What is done may have led to more.
    }
    synchronized (this) {
      for (FileSystem each : hasMade ? fileSystems : List.<FileSystem>of()) {
        try {
          each.force();
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

  private static void publish(Publication file) {
    try {
      file.reveal();
    } catch (IOException e) {
      file.failed(Reasons.destination(file.label(), e));
      return;
    } catch (Failure failure) {
      file.failed(failure);
      return;
    }
    file.done();
  }

  /// Few: a tree seldom has another file system mounted in it.
  private FileSystem fileSystemOf(OpenDirectory directory) throws IOException {
    for (FileSystem each : fileSystems) {
      if (each.has(directory)) {
        return each;
      }
    }
    FileSystem other = FileSystem.of(directory);
    fileSystems.add(other);
    return other;
  }
}
