package dev.zcp.place;

import dev.zcp.linux.FileStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// What one run has made or kept: 32 to 64 bytes for each entry that is remembered. Two entries may
/// be taken for one by chance (one in 2^64 for each pair), and then one of them fails.
final class RunNames {

  // splitmix64: https://doi.org/10.1145/2714064.2660195
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final BooleanSupplier mayRemember;

  // All below is guarded by this.
  private boolean isFull;
  private final HashSetOfLongs inodes = new HashSetOfLongs();
  private final HashSetOfLongs named = new HashSetOfLongs();

  /// By the directory: its own name, and where it is.
  private final Map<Long, Long> directories = new HashMap<>();

  /// @param mayRemember whether there is room for one more
  RunNames(BooleanSupplier mayRemember) {
    this.mayRemember = mayRemember;
  }

  /// Whether something was not remembered.
  synchronized boolean isFull() {
    return isFull;
  }

  synchronized void add(FileStatus directory, byte[] name, FileStatus there) {
    long inode = hash(there);
    if (!inodes.has(inode) && !mayRemember.getAsBoolean()) {
      isFull = true;
      return;
    }
    inodes.add(inode);
    named.add(hash(directory, name, inode));
  }

  synchronized void add(FileStatus there) {
    inodes.add(hash(there));
  }

  synchronized boolean has(FileStatus there) {
    return inodes.has(hash(there));
  }

  synchronized boolean has(FileStatus directory, byte[] name, FileStatus there) {
    return named.has(hash(directory, name, hash(there)));
  }

  synchronized boolean isTaken(FileStatus above, byte[] name, FileStatus directory, boolean isNew) {
    long key = hash(directory);
    Long place = hash(above, name, key);
    Long before = isNew ? null : directories.get(key);
    if (before == null && !mayRemember.getAsBoolean()) {
      isFull = true;
    } else if (before == null) {
      inodes.add(key);
      directories.put(key, place);
    }
    return before != null && !before.equals(place);
  }

  private static long hash(FileStatus file) {
    return mixed(mixed(file.inode()) + file.device());
  }

  private static long hash(FileStatus directory, byte[] name, long seed) {
    long hash = mixed(seed ^ hash(directory));
    for (byte each : name) {
      hash = mixed(hash + each);
    }
    return hash;
  }

  private static long mixed(long number) {
    long z = number + GOLDEN;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }
}
