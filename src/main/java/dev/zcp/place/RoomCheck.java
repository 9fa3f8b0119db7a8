package dev.zcp.place;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.Errno;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.Libc;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.OpenDirectory.Room;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.Set;

/// Tells before the first byte whether there is room for what is to come.
///
/// Only sums are known. So what is in the directory already may be a part of what comes, as of a
/// transfer that was interrupted, and needs no room a second time: it is counted if there seems to
/// be too little. Only what cannot fit is refused by that.
public final class RoomCheck {

  /// Of what is there so many are counted at most; a directory with more of them is given credit
  /// for what there is too little of.
  private static final int COUNTED_MAX = 200_000;

  private static final int BLOCK_BYTES = 512;

  /// The file systems whose files take as much room as they have bytes: ext2 to ext4, XFS, tmpfs,
  /// FAT and exFAT, as linux/magic.h has them. Others may compress or share what they are given.
  private static final Set<Long> PLAIN =
      Set.of(0xef53L, 0x5846_5342L, 0x0102_1994L, 0x4d44L, 0x2011_bab0L);

  /// How deep it is looked.
  private static final int DEPTH_MAX = 64;

  private final OpenDirectory directory;
  private final String label;

  public RoomCheck(OpenDirectory directory, String label) {
    this.directory = directory;
    this.label = label;
  }

  /// @param dataBytes of all files, without holes
  /// @param entries of all kinds
  /// @throws Failure DESTINATION with what is missing
  public void require(long dataBytes, long entries) throws Failure {
    try {
      requireRoom(dataBytes, entries);
    } catch (IOException e) {
      throw Reasons.destination(label, e);
    }
  }

  /// What [#require] lets pass without counting what is there.
  public static Room sure(OpenDirectory directory) throws IOException {
    Room room = directory.room();
    boolean isPlain = PLAIN.contains(Libc.fileSystem(directory.descriptor()));
    long bytes = isPlain ? room.bytes() : Room.UNLIMITED;
    return new Room(bytes, room.inodes(), room.usedBytes(), room.usedInodes());
  }

  /// How much a file needed that did not fit, and how much room there is without it.
  ///
  /// @param neededBytes that are not there yet; 0 if nobody knows
  /// @param heldBytes what there is of it now and will go
  /// @return empty if the failure is another one, or there is room now
  public static String missing(
      Failure failure, OpenDirectory directory, long neededBytes, long heldBytes) {
    if (!(failure.getCause() instanceof IOException cause) || Errno.of(cause) != Errno.ENOSPC) {
      return "";
    }
    try {
      Room room = directory.room();
      if (room.inodes() == 0) {
        return "no inodes are free";
      }
      long free = room.bytes() + heldBytes;
      return neededBytes > free ? words(new ByteSize(neededBytes), new ByteSize(free)) : "";
    } catch (IOException e) {
      // What is known is told.
      return "";
    }
  }

  private static String words(Object needed, Object free) {
    return needed + " needed, " + free + " free";
  }

  private void requireRoom(long dataBytes, long entries) throws IOException, Failure {
    if (directory.now().links() == 0 && directory.status().links() > 0) {
      // Else what cannot be made in it would be told to be missing. FUSE may count no links at all.
      throw new FileSystemException(label, null, "the directory was removed");
    }
    Room room = sure(directory);
    boolean hasRoom = dataBytes <= room.bytes();
    if (hasRoom && entries <= room.inodes()) {
      return;
    }
    Count there = new Count();
    there.add(directory, 0);
    if (there.isMore) {
      return;
    }
    if (!hasRoom && dataBytes - there.bytes > room.bytes()) {
      throw full(
          "no space left",
          new ByteSize(dataBytes),
          new ByteSize(room.bytes()),
          there.bytes == 0 ? null : new ByteSize(there.bytes));
    }
    if (entries - there.entries > room.inodes()) {
      throw full(
          "no inodes left", entries, room.inodes(), there.entries == 0 ? null : there.entries);
    }
  }

  /// @param there null if nothing is
  private Failure full(String what, Object needed, Object free, Object there) {
    String already = there == null ? "" : ", " + there + " there already";
    return Failure.of(ExitCode.DESTINATION, label, what).with(words(needed, free) + already);
  }

  /// What a directory has in it.
  private static final class Count {

    /// That regular files take.
    private long bytes;

    /// Of all kinds.
    private long entries;

    /// Whether there is more than was counted.
    private boolean isMore;

    void add(OpenDirectory directory, int depth) throws IOException {
      Listing listing = new Listing();
      ArrayDeque<byte[]> below = new ArrayDeque<>();
      listing.begin(directory, 0);
      while (!isMore && listing.next(directory)) {
        add(directory, listing.name(), below);
      }
      while (!isMore && !below.isEmpty()) {
        if (depth == DEPTH_MAX) {
          isMore = true;
          return;
        }
        descend(directory, below.pop(), depth);
      }
    }

    private void add(OpenDirectory directory, byte[] name, ArrayDeque<byte[]> below)
        throws IOException {
      FileStatus status = directory.statusOf(name);
      if (status == null || isMore) {
        return;
      }
      isMore = ++entries > COUNTED_MAX;
      if (status.isRegular()) {
        bytes += Math.max(status.blocks(), 0) * BLOCK_BYTES;
      } else if (status.type() == FileType.DIRECTORY) {
        // What is mounted there has room of its own.
        isMore |= status.device() != directory.status().device();
        below.push(name);
      }
    }

    private void descend(OpenDirectory directory, byte[] name, int depth) throws IOException {
      try (OpenDirectory next = directory.directory(name, false)) {
        add(next, depth + 1);
      } catch (IOException e) {
        // What this user may not look into is not of an earlier transfer.
      }
    }
  }
}
