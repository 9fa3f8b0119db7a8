package dev.zcp.tree;

import dev.zcp.linux.NativeFile;
import java.io.IOException;

/// An entry under a hidden name, `.zcp-RANDOM.part`, beside the place where it is to be: a file
/// that has not all its bytes yet, or what is about to replace another entry.
public final class Partial {

  private static final int PRIVATE = 0600;

  private final Partials partials;
  private final OpenDirectory directory;
  private final byte[] name;

  /// Whether it stays where it is not finished.
  private final boolean lasting;

  // Guarded by this: the signal's thread comes in between.
  private boolean made;

  private Partial(Partials partials, OpenDirectory directory, byte[] name, boolean lasting) {
    this.partials = partials;
    this.directory = directory;
    this.name = name;
    this.lasting = lasting;
    this.made = lasting;
  }

  /// One that is not made yet.
  static Partial fresh(Partials partials, OpenDirectory directory) {
    return new Partial(partials, directory, HiddenName.random(), false);
  }

  /// One that is made, and that somebody may go on with.
  static Partial lasting(Partials partials, OpenDirectory directory, byte[] name) {
    return new Partial(partials, directory, name, true);
  }

  public byte[] name() {
    return name;
  }

  /// Makes it an empty file that nobody else can read.
  public NativeFile createFile() throws IOException {
    return createFile(PRIVATE);
  }

  /// Makes it an empty file with a mode of its own.
  public synchronized NativeFile createFile(int mode) throws IOException {
    partials.requireWanted();
    NativeFile file = directory.create(name, mode);
    made = true;
    return file;
  }

  /// Makes it by one call on its directory, which leaves nothing there where it fails.
  public synchronized void make(Making making) throws IOException {
    partials.requireWanted();
    making.make(name);
    made = true;
  }

  /// Makes an entry under a name of the directory.
  @FunctionalInterface
  public interface Making {
    void make(byte[] name) throws IOException;
  }

  /// Gives it its final name.
  ///
  /// @param replaces whether what has that name loses it; else nothing may have it
  /// @throws java.nio.file.FileAlreadyExistsException where something has it and may not
  public synchronized void reveal(byte[] finalName, boolean replaces) throws IOException {
    partials.requireWanted();
    if (replaces) {
      directory.rename(name, finalName);
    } else {
      directory.renameToNew(name, finalName);
    }
    made = false;
    partials.forget(this);
  }

  /// Deletes it, where it was made and not revealed.
  public void discard() {
    delete();
    partials.forget(this);
  }

  /// Leaves it under its hidden name.
  public void leave() {
    partials.forget(this);
  }

  synchronized void abandon() {
    if (!lasting) {
      delete();
    }
  }

  private synchronized void delete() {
    if (made) {
      made = false;
      try {
        directory.remove(name);
      } catch (IOException e) {
        // It stays under its hidden name. What made it fail is told, and this follows from
        // it.
      }
    }
  }
}
