package dev.zcp.session.send;

import dev.zcp.linux.FileStatus;
import dev.zcp.tree.HardLinks;
import dev.zcp.walk.Entry;
import dev.zcp.wire.Keep;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// Keeps the names of one file names of one file. The first goes as it is; others wait until it is
/// over, and go as hard links to it. Where it failed, the next name goes first. Any thread may call
/// it.
final class OtherNames {

  /// Names that wait at a time: each takes memory, and keeps its directory from being over.
  static final int WAITING_MAX = 4096;

  private final boolean wanted;
  private final HardLinks<Long, Waiting> table;
  private final ConcurrentLinkedQueue<Released> released = new ConcurrentLinkedQueue<>();

  /// Those that were released and not [taken][#takeReleased] yet among them.
  private final AtomicInteger waiting = new AtomicInteger();

  /// @param keeps bits of [Keep], of what is to be kept and will be
  /// @param linksAreFollowed whether more names may come than a file has
  OtherNames(int keeps, boolean linksAreFollowed) {
    this.wanted = Keep.HARD_LINKS.isIn(keeps);
    this.table = new HardLinks<>(linksAreFollowed);
  }

  record Waiting(Entry entry, FileStatus status) {}

  /// A name that need not wait any more.
  ///
  /// @param firstId the entry that it is to be linked to, or null if it is the first name now
  record Released(Waiting name, Long firstId) {}

  boolean concerns(FileStatus status) {
    return wanted && status.links() > 1;
  }

  /// As [HardLinks#claim].
  HardLinks.NameClaim<Long> claim(Waiting name) {
    // Before, since it may be released before this returns.
    waiting.incrementAndGet();
    HardLinks.NameClaim<Long> claim = table.claim(name.status(), name);
    if (!(claim instanceof HardLinks.Waits)) {
      waiting.decrementAndGet();
    }
    return claim;
  }

  /// The first name of a file is over.
  ///
  /// @param status by which it was claimed
  void over(FileStatus status, boolean well, long fileId) {
    if (well) {
      for (Waiting each : table.published(status, fileId)) {
        released.add(new Released(each, fileId));
      }
      return;
    }
    Waiting next = table.failed(status);
    if (next != null) {
      released.add(new Released(next, null));
    }
  }

  boolean hasReleased() {
    return !released.isEmpty();
  }

  /// The next name that need not wait any more, or null.
  Released takeReleased() {
    Released next = released.poll();
    if (next != null) {
      waiting.decrementAndGet();
    }
    return next;
  }

  boolean isAnyWaiting() {
    return waiting.get() > 0;
  }

  boolean hasRoom() {
    return waiting.get() < WAITING_MAX;
  }
}
