package dev.zcp.session.receive;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.session.Admission;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.OpenDirectory.Room;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Manifest;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Tells before the first byte whether there is room for what a sender announces.
///
/// A manifest has sums and no names. So what is in the directory already may be a part of what is
/// announced, of a transfer that was interrupted, and needs no room a second time: it is counted if
/// there seems to be too little. Only what cannot fit is refused by that.
final class RoomCheck {

  /// Of what is there so many are counted at most; a directory with more of them is given credit
  /// for what there is too little of.
  private static final int COUNTED_MAX = 200_000;

  private static final int BLOCK_BYTES = 512;

  /// How deep it is looked.
  private static final int DEPTH_MAX = 64;

  private final OpenDirectory directory;
  private final String label;

  RoomCheck(OpenDirectory directory, String label) {
    this.directory = directory;
    this.label = label;
  }

  /// @throws Failure DESTINATION with what is missing
  void require(Manifest manifest, Admission admission) throws Failure {
    if (manifest.entries() > admission.filesMax()) {
      throw refused(manifest.entries() + " entries are announced")
          .with("at most " + admission.filesMax() + " are taken: --max-files");
    }
    if (manifest.bytes() > admission.bytesMax()) {
      throw refused(new ByteSize(manifest.bytes()) + " are announced")
          .with("at most " + new ByteSize(admission.bytesMax()) + " are taken: --max-size");
    }
    if (admission.discard()) {
      return;
    }
    try {
      requireRoom(manifest);
    } catch (IOException e) {
      throw Reasons.destination(label, e);
    }
  }

  private void requireRoom(Manifest manifest) throws IOException, Failure {
    Room room = directory.room();
    if (manifest.dataBytes() <= room.bytes() && manifest.entries() <= room.inodes()) {
      return;
    }
    There there = There.of(directory);
    if (there.isMore()) {
      return;
    }
    if (manifest.dataBytes() - there.bytes() > room.bytes()) {
      throw refused("no space left")
          .with(
              new ByteSize(manifest.dataBytes())
                  + " needed, "
                  + new ByteSize(room.bytes())
                  + " free"
                  + and(there.bytes() == 0 ? "" : new ByteSize(there.bytes()).toString()));
    }
    if (manifest.entries() - there.entries() > room.inodes()) {
      throw refused("no inodes left")
          .with(
              manifest.entries()
                  + " needed, "
                  + room.inodes()
                  + " free"
                  + and(there.entries() == 0 ? "" : Long.toString(there.entries())));
    }
  }

  private static String and(String there) {
    return there.isEmpty() ? "" : ", " + there + " there already";
  }

  private Failure refused(String what) {
    return Failure.of(ExitCode.DESTINATION, label, what);
  }

  /// What a directory has in it.
  ///
  /// @param bytes that regular files take
  /// @param entries of all kinds
  /// @param isMore whether there is more than was counted
  private record There(long bytes, long entries, boolean isMore) {

    static There of(OpenDirectory top) throws IOException {
      Count count = new Count();
      count.add(top, 0);
      return new There(count.bytes, count.entries, count.isMore);
    }
  }

  private static final class Count {

    private long bytes;
    private long entries;
    private boolean isMore;

    void add(OpenDirectory directory, int depth) throws IOException {
      Listing listing = new Listing();
      ArrayDeque<byte[]> below = new ArrayDeque<>();
      listing.begin(directory, 0);
      while (!isMore && listing.fill(directory)) {
        List<byte[]> names = new ArrayList<>();
        while (listing.next()) {
          names.add(listing.name());
        }
        for (byte[] name : names) {
          add(directory, name, below);
        }
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
