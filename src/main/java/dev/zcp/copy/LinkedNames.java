package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.insight.Made;
import dev.zcp.insight.Planned;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.HardLinks;
import dev.zcp.tree.Loss;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partial;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Links;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/// Keeps the names of one file names of one file, where links are to be preserved.
final class LinkedNames {

  private final Means means;
  private final boolean wanted;
  private final HardLinks<HardLink.Place, HardLink> table;

  LinkedNames(Means means) {
    this.means = means;
    this.wanted = means.request().preserve().links();
    // Where links are followed, more names may come than the file has.
    this.table = new HardLinks<>(means.request().selection().links() != Links.KEPT);
  }

  /// Whether the file may have other names, so that the end of its copy must be told here.
  boolean concerns(FileStatus status) {
    return wanted && status.links() > 1;
  }

  /// Whether this name is to be copied: the first of its file. Others are linked, now or later.
  boolean isFirst(Entry entry, FileStatus status) throws Failure {
    if (entry.isFirst() || !concerns(status)) {
      return true;
    }
    HardLink waiter = new HardLink(means, entry, status);
    HardLinks.Claim<HardLink.Place> claim = table.claim(status, waiter);
    if (claim instanceof HardLinks.Waits) {
      return false;
    }
    waiter.withdraw();
    if (claim instanceof HardLinks.At<HardLink.Place> at) {
      link(entry, status, at.place());
      return false;
    }
    return true;
  }

  /// The file is copied, and `entry` is where it is.
  ///
  /// @param evidence what is known of its bytes, or null where it has none
  void published(Entry entry, FileStatus status, Evidence evidence) {
    if (concerns(status)) {
      HardLink.Place place = new HardLink.Place(entry.folder(), entry.newName(), evidence);
      for (HardLink waiter : table.published(status, place)) {
        waiter.linkTo(place);
      }
    }
  }

  /// The first name was not copied.
  void failed(FileStatus status) {
    if (concerns(status)) {
      HardLink next = table.failed(status);
      if (next != null) {
        next.goFirst();
      }
    }
  }

  /// Gives the copy at `place` the name of `entry`, whose folder the caller holds.
  void link(Entry entry, FileStatus status, HardLink.Place place) {
    try {
      if (means.request().dryRun()) {
        means
            .insight()
            .planned(Planned.MAKE_HARD_LINK, entry.label().toString(), entry.targetLabel(), -1);
        return;
      }
      means.folders().hold(place.folder());
      String obstacle;
      try {
        obstacle = link(entry, status, place, place.folder().target());
      } finally {
        means.folders().release(place.folder());
      }
      if (obstacle == null) {
        means.insight().made(Made.HARD_LINK);
        means.durability().made(entry.folder().target());
        if (place.evidence() != null && means.request().assurance().manifest() != null) {
          place.evidence().alsoNamed(entry.folder().pathInTarget(entry.newName()));
        }
      } else {
        means.losses().add(Loss.Kind.HARD_LINK, entry.label().toString(), obstacle);
        means.entries().copyAsFirst(entry.asFirst(), status);
      }
    } catch (IOException e) {
      means.failures().tell(entry.label(), Reasons.destination(entry.targetLabel(), e));
    } catch (Failure failure) {
      means.failures().tell(entry.label(), failure);
    }
  }

  /// @return null, or why the file can have no other name
  private String link(Entry entry, FileStatus status, HardLink.Place place, OpenDirectory from)
      throws IOException, Failure {
    OpenDirectory to = entry.folder().target();
    if (entry.folder().created()) {
      try {
        return to.addNameIfPossible(entry.newName(), from, place.name());
      } catch (FileAlreadyExistsException e) {
        // Somebody was faster: as where something was there from the beginning.
      }
    }
    FileStatus existing = to.statusOf(entry.newName());
    FileStatus copy = from.statusOf(place.name());
    if (existing != null && copy != null && existing.isSameFile(copy)) {
      return null;
    }
    Clash clash = Clash.of(means, entry, status, existing);
    if (clash.isOver()) {
      return null;
    }
    String[] obstacle = new String[1];
    Partial partial = means.partials().begin(to);
    try {
      partial.make(name -> obstacle[0] = to.addNameIfPossible(name, from, place.name()));
      if (obstacle[0] == null) {
        clash.reveal(partial);
      }
      return obstacle[0];
    } finally {
      partial.discard();
    }
  }
}
