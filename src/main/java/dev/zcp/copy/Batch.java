package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.io.Forcing;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Files that are made durable together: all bytes, then all names. Belongs to one thread at a
/// time.
///
/// All is forced by syncfs(2), which also forces the directories above and whatever else was made:
/// for 1,000 small files that took a tenth of what fsync(2) of each took, begun early and batched
/// alike (`bench/limits/force.c`). A file alone is forced by itself, since it need not wait for
/// what others wrote to its file system.
final class Batch {

  /// @param bytes how long the file is
  private record Entry(Publication file, long bytes) {}

  private final List<Entry> entries = new ArrayList<>();
  private final List<FileSystem> fileSystems = new ArrayList<>();
  private long bytes;

  /// By entry: why it failed, or null.
  private Failure[] failures = {};

  int files() {
    return entries.size();
  }

  long bytes() {
    return bytes;
  }

  /// @param on the one that the file is on
  void add(Publication file, long fileBytes, FileSystem on) {
    entries.add(new Entry(file, fileBytes));
    bytes += fileBytes;
    if (!fileSystems.contains(on)) {
      fileSystems.add(on);
    }
  }

  /// Forces, reveals, and forces the names.
  ///
  /// @param alone whether there is but this one file to be forced
  void publish(boolean alone) {
    failures = new Failure[entries.size()];
    if (alone || !forceFileSystems()) {
      each(entry -> Forcing.force(entry.file().file()));
    }
    each(entry -> entry.file().reveal());
    if (alone || !forceFileSystems()) {
      each(entry -> entry.file().directory().force());
    }
  }

  /// Tells each file what came of it.
  ///
  /// @return how many bytes are on a device now
  long tell() {
    long durable = 0;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (failures[i] == null) {
        durable += entry.bytes();
        entry.file().done();
      } else {
        entry.file().failed(failures[i]);
      }
    }
    return durable;
  }

  /// @return false where it is not known that everything of these files is on the device; each has
  ///   to be asked then, of which the failure may not be
  private boolean forceFileSystems() {
    boolean known = true;
    for (FileSystem each : fileSystems) {
      try {
        known &= each.force();
      } catch (IOException e) {
        known = false;
      }
    }
    return known;
  }

  /// Takes a step for each file that has not failed.
  private void each(Action step) {
    for (int i = 0; i < failures.length; i++) {
      if (failures[i] == null) {
        Entry entry = entries.get(i);
        try {
          step.run(entry);
        } catch (IOException e) {
          failures[i] = Reasons.destination(entry.file().label(), e);
        } catch (Failure failure) {
          failures[i] = failure;
        }
      }
    }
  }

  @FunctionalInterface
  private interface Action {
    void run(Entry entry) throws IOException, Failure;
  }
}
