package dev.zcp.session.receive;

import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Offered;
import java.util.LinkedHashMap;
import java.util.Map;

/// The names of what has arrived in one session, for those that are hard links to it. Any thread
/// may call it.
final class FirstNames {

  /// How many are remembered: some 150 MB of names.
  static final int REMEMBERED_MAX = 1 << 20;

  private final boolean wanted;
  private final Map<Long, EntryPath> names =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, EntryPath> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  /// @param wanted whether there may be hard links: else nothing is remembered
  FirstNames(boolean wanted) {
    this.wanted = wanted;
  }

  synchronized void arrived(Offered entry) {
    if (wanted) {
      names.put(entry.fileId(), entry.path());
    }
  }

  /// Where the entry of that id is, or null if none of this session has arrived, or too many have
  /// since.
  synchronized EntryPath of(long fileId) {
    return names.get(fileId);
  }
}
