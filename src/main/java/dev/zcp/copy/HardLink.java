package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.walk.Crew;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Hand;

/// Another name of a file that is copied once. It waits, in no thread's way, until the first is
/// there, and is linked to it; where the first failed, it is copied in its place.
final class HardLink implements Crew.Work {

  /// Where a copy has its name.
  ///
  /// @param evidence what is known of its bytes, or null
  record Place(Folder folder, byte[] name, Evidence evidence) {}

  private final Means means;
  private final Entry entry;
  private final FileStatus status;

  /// Null where this is the first name now. Written before the crew gets it.
  private Place place;

  /// Counts as one of the folder's pending things until it was run.
  HardLink(Means means, Entry entry, FileStatus status) {
    this.means = means;
    this.entry = entry;
    this.status = status;
    entry.folder().oneMore();
  }

  /// It need not wait after all, and does not count any more.
  void withdraw() {
    means.walk().oneIsOver(entry.folder());
  }

  /// The file is at `place` now.
  void linkTo(Place place) {
    this.place = place;
    means.walk().crew().push(this);
  }

  /// The file is nowhere, and this is the first name of it now.
  void goFirst() {
    means.walk().crew().push(this);
  }

  @Override
  public void run(Hand hand) {
    try {
      means.folders().hold(entry.folder());
      try {
        if (place == null) {
          means.entries().copyAsFirst(entry.asFirst(), status);
        } else {
          means.links().link(entry, status, place);
        }
      } finally {
        means.folders().release(entry.folder());
      }
    } catch (Failure failure) {
      means.failures().tell(entry.label(), failure);
      if (place == null) {
        means.links().failed(status);
      }
    } finally {
      withdraw();
    }
  }
}
