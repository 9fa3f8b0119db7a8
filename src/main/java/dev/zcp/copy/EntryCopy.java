package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;

/// Copies one entry of a folder that is no directory, whatever it is. Any thread may call it that
/// holds the folder.
final class EntryCopy {

  private final Means means;
  private final FileEntry files;
  private final OtherEntry others;

  EntryCopy(Means means) {
    this.means = means;
    this.files = new FileEntry(means);
    this.others = new OtherEntry(means);
  }

  /// @param type one of [FileType]'s
  /// @param status what it is, or null where nobody has looked yet
  void copy(Entry entry, int type, FileStatus status) throws Failure {
    switch (type) {
      case FileType.REGULAR -> files.copy(entry);
      case FileType.SOCKET ->
          means.insight().skipped(entry.label().toString(), "is a socket, and is not copied");
      default -> others.copy(entry, status != null ? status : entry.status(false));
    }
  }

  /// Copies a name of a file whose first name could not be copied. Nothing is thrown, and what
  /// fails is told.
  void copyAsFirst(Entry entry, FileStatus status) {
    try {
      copy(entry, status.type(), status);
    } catch (Failure failure) {
      means.failures().tell(entry.label(), failure);
    } catch (RuntimeException e) {
      means.failures().tell(entry.label(), Reasons.defect(entry.label(), e));
    }
  }
}
