package dev.zcp.session.receive;

import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Offered;
import java.util.LinkedHashMap;

/// The names of what has arrived in one session, for those that are hard links to it. Of too many
/// the eldest are forgotten. Any thread may call it.
final class FirstNames {

  /// How many a session is sure of, some 2 MB, and how many may be remembered besides.
  static final int PART = 1 << 14;

  static final int COMMON = 1 << 20;

  private final boolean wanted;
  private final Budget.Share share;
  private final LinkedHashMap<Long, EntryPath> names = new LinkedHashMap<>();

  /// @param wanted whether there may be hard links: else nothing is remembered
  /// @param share of names
  FirstNames(boolean wanted, Budget.Share share) {
    this.wanted = wanted;
    this.share = share;
  }

  synchronized void arrived(Offered entry) {
    if (wanted) {
      if (!share.take(1)) {
        names.pollFirstEntry();
      }
      names.put(entry.fileId(), entry.path());
    }
  }

  /// Where the entry of that id is, or null if none of this session has arrived, or too many have
  /// since.
  synchronized EntryPath of(long fileId) {
    return names.get(fileId);
  }
}
