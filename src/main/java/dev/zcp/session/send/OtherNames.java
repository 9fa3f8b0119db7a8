package dev.zcp.session.send;

import dev.zcp.io.FileStatus;
import dev.zcp.session.walk.Crew;
import dev.zcp.session.walk.Entry;
import dev.zcp.tree.HardLinks;
import dev.zcp.wire.Keep;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/// Keeps the names of one file names of one file. The first goes as it is; others wait until it is
/// over, and go as hard links to it. Where it failed, the next name goes first. Any thread may call
/// it.
final class OtherNames {

  /// Names that wait at a time: the walk goes no further then, unless it has other work.
  static final int WAITING_MAX = 100_000;

  private final boolean wanted;
  private final HardLinks<Long, Waiting> table;
  private final AtomicInteger waiting = new AtomicInteger();

  /// @param keeps bits of [Keep], of what is to be kept and will be
  /// @param linksAreFollowed whether more names may come than a file has
  OtherNames(int keeps, boolean linksAreFollowed) {
    this.wanted = Keep.HARD_LINKS.isIn(keeps);
    this.table = new HardLinks<>(linksAreFollowed);
  }

  /// A name that waits.
  ///
  /// @param work what offers it, for the crew
  record Waiting(Entry entry, FileStatus status, Function<Long, Crew.Work> work) {

    /// @param firstId the entry to link to, or null where this name is the first now
    Crew.Work goOn(Long firstId) {
      return work.apply(firstId);
    }
  }

  /// Whether the file may have other names here.
  boolean concerns(FileStatus status) {
    return wanted && status.links() > 1;
  }

  /// As [HardLinks#claim]; a name that waits is counted until it goes on.
  HardLinks.Claim<Long> claim(FileStatus status, Waiting name) {
    // Before, since it may go on before this returns.
    waiting.incrementAndGet();
    HardLinks.Claim<Long> claim = table.claim(status, name);
    if (!(claim instanceof HardLinks.Waits)) {
      waiting.decrementAndGet();
    }
    return claim;
  }

  /// The first name of a file is over.
  ///
  /// @param status by which it was claimed
  /// @param crew gets the names that go on now
  void over(FileStatus status, boolean well, long fileId, Crew crew) {
    if (well) {
      for (Waiting each : table.published(status, fileId)) {
        push(each.goOn(fileId), crew);
      }
      return;
    }
    Waiting next = table.failed(status);
    if (next != null) {
      push(next.goOn(null), crew);
    }
  }

  int waiting() {
    return waiting.get();
  }

  /// In this order, so that nobody sees neither a name that waits nor the work that it became.
  private void push(Crew.Work work, Crew crew) {
    crew.push(work);
    waiting.decrementAndGet();
  }
}
