package dev.zcp.session.receive;

import dev.zcp.core.Quietly;
import dev.zcp.delta.Chunking;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// Large files of a directory, by size and modification time: a file that comes under a new name
/// may be one of them that was renamed or moved at the source. They are looked for once, when the
/// first is asked for. Any thread may call it.
final class MovedFiles {

  private static final int FILES_MAX = 1 << 16;

  /// How many entries are looked at before it is given up.
  private static final int ENTRIES_MAX = 1 << 18;

  private final OpenDirectory top;

  /// The paths of the files; null before they are looked for. Guarded by this.
  private Map<Age, byte[]> files;

  private int entries;

  private record Age(long sizeBytes, FileTime modified) {

    static Age of(FileStatus file) {
      return new Age(file.sizeBytes(), file.modified());
    }
  }

  /// @param top to be left open
  MovedFiles(OpenDirectory top) {
    this.top = top;
  }

  /// Opens one that has the size and the time of `like`; null if there is none.
  NativeFile open(FileStatus like) throws IOException {
    byte[] path = find(Age.of(like));
    if (path == null) {
      return null;
    }
    int slash = path.length;
    while (slash > 0 && path[slash - 1] != '/') {
      slash--;
    }
    byte[] name = Arrays.copyOfRange(path, slash, path.length);
    try (OpenDirectory directory =
        top.directoryBelow(Arrays.copyOf(path, Math.max(0, slash - 1)))) {
      NativeFile file = directory.file(name, false);
      boolean isLike = false;
      try {
        isLike = Age.of(file.status()).equals(Age.of(like));
        return isLike ? file : null;
      } finally {
        if (!isLike) {
          Quietly.close(file);
        }
      }
    }
  }

  private synchronized byte[] find(Age age) {
    if (files == null) {
      files = new HashMap<>();
      Deque<byte[]> directories = new ArrayDeque<>();
      directories.add(new byte[0]);
      while (!directories.isEmpty() && entries < ENTRIES_MAX && files.size() < FILES_MAX) {
        byte[] path = directories.pollFirst();
        try (OpenDirectory directory = top.directoryBelow(path)) {
          look(directory, path, directories);
        } catch (IOException e) {
          // It went, or is not for this user.
        }
      }
    }
    return files.get(age);
  }

  private void look(OpenDirectory directory, byte[] path, Deque<byte[]> directories)
      throws IOException {
    Listing listing = new Listing();
    listing.begin(directory, 0);
    while (listing.fill(directory)) {
      while (listing.next()) {
        entries++;
        byte[] name = listing.name();
        FileStatus entry = directory.statusOf(name);
        if (entry != null && entry.isDirectory()) {
          directories.addLast(joined(path, name));
        } else if (entry != null
            && entry.isRegular()
            && entry.sizeBytes() >= Chunking.FILE_BYTES_MIN) {
          files.put(Age.of(entry), joined(path, name));
        }
      }
    }
  }

  private static byte[] joined(byte[] path, byte[] name) {
    if (path.length == 0) {
      return name;
    }
    byte[] whole = Arrays.copyOf(path, path.length + 1 + name.length);
    whole[path.length] = '/';
    System.arraycopy(name, 0, whole, path.length + 1, name.length);
    return whole;
  }
}
