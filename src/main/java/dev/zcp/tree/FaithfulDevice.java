package dev.zcp.tree;

import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// What the file system under the target was seen to keep as it was told. There are those that say
/// yes and do otherwise: FAT counts in steps of two seconds, some reach no further than 1901 or
/// 2038, some take every mode and show what they were mounted with. So files are looked at again,
/// at the cost of a system call, until the file system has proved itself.
///
/// It knows the device of the last proof alone; proofs of several threads may get lost, which costs
/// another look. Any thread may call it.
final class FaithfulDevice {

  private static final int OWNER = 1;
  private static final int MODE = 2;

  /// Whole seconds.
  private static final int SECONDS = 4;

  private static final int NANOSECONDS = 8;

  /// A time that is no multiple of it shows that nanoseconds are kept. Some count in 100 ns.
  private static final int COARSE_NS = 1000;

  /// What every file system can hold: up to 2038.
  private static final long SECONDS_MAX = Integer.MAX_VALUE;

  /// chmod(2) leaves out without a word what the caller may not lend to others.
  private static final int LENT = 06000;

  private volatile Proof proof = new Proof(-1, 0);

  /// Whether a file must be looked at after all of this was given to it.
  ///
  /// @param modified the time it was given, or null
  boolean mustCheck(
      long device, boolean ownerGiven, boolean modeGiven, int mode, FileTime modified) {
    int needed = (ownerGiven ? OWNER : 0) | (modeGiven ? MODE : 0);
    boolean unusual = (mode & LENT) != 0;
    if (modified != null) {
      Instant time = modified.toInstant();
      needed |= time.getNano() == 0 ? SECONDS : NANOSECONDS;
      unusual |= time.getEpochSecond() < 0 || time.getEpochSecond() > SECONDS_MAX;
    }
    Proof known = proof;
    return unusual || (needed & ~(known.device == device ? known.kept : 0)) != 0;
  }

  /// A file was looked at and has all that it was given.
  void kept(long device, boolean ownerGiven, boolean modeGiven, FileTime modified) {
    int kept = (ownerGiven ? OWNER : 0) | (modeGiven ? MODE : 0);
    if (modified != null) {
      Instant time = modified.toInstant();
      boolean isFine = time.getNano() % COARSE_NS != 0;
      boolean isOdd = time.getEpochSecond() % 2 != 0;
      kept |= (isFine ? NANOSECONDS | SECONDS : 0) | (isOdd ? SECONDS : 0);
    }
    Proof known = proof;
    proof = new Proof(device, kept | (known.device == device ? known.kept : 0));
  }

  private record Proof(long device, int kept) {}
}
