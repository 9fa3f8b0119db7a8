package dev.zcp.copy;

import dev.zcp.io.Forcing;
import dev.zcp.tree.OpenDirectory;
import java.io.Closeable;
import java.io.IOException;

/// A file system that is copied to, by a directory of it that is held open.
///
/// @param anywhere a descriptor of this record's own
record FileSystem(OpenDirectory anywhere) implements Closeable {

  private static final byte[] SELF = {'.'};

  /// That of `directory`, which may be closed later.
  static FileSystem of(OpenDirectory directory) throws IOException {
    return new FileSystem(directory.directory(SELF, false));
  }

  boolean has(OpenDirectory directory) {
    return anywhere.status().device() == directory.status().device();
  }

  /// As [Forcing#forceFileSystem].
  boolean force() throws IOException {
    return Forcing.forceFileSystem(anywhere.descriptor());
  }

  @Override
  public void close() throws IOException {
    anywhere.close();
  }
}
