package dev.zcp.tree;

import dev.zcp.io.HeldDirectory;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/// The partial files of a process. Once abandoned, as on a signal, no partial file is published any
/// more, and those that are left have been deleted: a final name never appears after the end was
/// announced.
public final class Staging {

  private final Set<PartialFile> unfinished = new HashSet<>();
  private boolean abandoned;

  /// A new partial file in `directory`, empty, hidden, readable to nobody else.
  ///
  /// @throws IOException where it cannot be created, or the staging was abandoned
  public PartialFile create(HeldDirectory directory) throws IOException {
    PartialFile file = PartialFile.create(this, directory);
    synchronized (this) {
      unfinished.add(file);
      if (abandoned) {
        file.discard();
        throw new IOException("the transfer was given up");
      }
    }
    return file;
  }

  /// Deletes every partial file and refuses whatever comes after. Leaves their ends open, since
  /// other threads may be at work on them.
  public synchronized void abandon() {
    abandoned = true;
    for (PartialFile file : unfinished) {
      file.delete();
    }
    unfinished.clear();
  }

  /// Runs the last step of `file`'s publication, unless it is too late for it.
  synchronized void reveal(PartialFile file, Reveal reveal) throws IOException {
    if (abandoned) {
      throw new IOException("the transfer was given up");
    }
    reveal.run();
    unfinished.remove(file);
  }

  synchronized void forget(PartialFile file) {
    unfinished.remove(file);
  }

  /// The step that makes a file visible.
  @FunctionalInterface
  interface Reveal {
    void run() throws IOException;
  }
}
