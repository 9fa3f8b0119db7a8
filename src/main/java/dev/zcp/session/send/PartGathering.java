package dev.zcp.session.send;

import dev.zcp.linux.FileStatus;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import java.util.Map;

/// Gathers small files and queues them part by part. Used by the thread that walks.
final class PartGathering {

  /// How long small files may wait for others while directories are found.
  private static final long WAITS_NS = 20_000_000;

  private final OutgoingVisitor visitor;
  private final Outlet outlet;
  private final Map<Folder, Outgoing> directories;

  /// Small files that were found and not queued; null if there are none.
  private OutgoingPart part;

  /// The folder that was looked at last, what was offered of it, and whether its small files go in
  /// parts.
  private Folder lastFolder;

  private Outgoing lastDirectory;
  private boolean lastGoesInParts;

  /// @param directories what was offered of the folders under way
  PartGathering(OutgoingVisitor visitor, Outlet outlet, Map<Folder, Outgoing> directories) {
    this.visitor = visitor;
    this.outlet = outlet;
    this.directories = directories;
  }

  /// Queues what there is. To be called before anything is waited for: it may be what they hold
  /// back.
  void flush() {
    if (part != null) {
      OutgoingPart full = part;
      part = null;
      outlet.queue(full);
    }
  }

  /// Queues what has waited for long.
  void flushIfOld() {
    if (part != null && part.isOlderThan(WAITS_NS)) {
      flush();
    }
  }

  /// Whether it is known without a look that small files of this folder go in parts.
  boolean isGathering(Folder folder) {
    return folder == lastFolder && lastGoesInParts;
  }

  /// Whether a file of this folder goes in a part.
  boolean takes(Folder folder, FileStatus status) {
    return status.isRegular()
        && status.sizeBytes() <= outlet.partFileBytesMax()
        && (isGathering(folder) || goesInParts(folder));
  }

  /// Whether files of it have a name in a directory that was offered, or in the receiver's own.
  private boolean goesInParts(Folder folder) {
    if (folder != lastFolder) {
      lastFolder = folder;
      lastDirectory = directories.get(folder);
      lastGoesInParts = lastDirectory != null || folder.isAnchor();
    }
    return lastGoesInParts;
  }

  /// Adds a file that it [takes][#takes].
  void add(Entry entry, FileStatus status) {
    if (part != null && !part.hasRoomFor(status, outlet.partBytesMax())) {
      flush();
    }
    if (part == null) {
      part = new OutgoingPart(visitor);
    }
    part.add(entry, status, lastDirectory);
  }
}
