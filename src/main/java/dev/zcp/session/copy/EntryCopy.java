package dev.zcp.session.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.io.FileStatus;
import dev.zcp.io.FileType;
import dev.zcp.session.Reasons;
import dev.zcp.tree.Filter;
import dev.zcp.tree.Listing;
import java.io.IOException;

/// Copies one entry of a folder, whatever it is. Any thread may call it that holds the folder;
/// nothing is thrown, and what fails is told.
final class EntryCopy {

  private final Means means;
  private final Selection selection;
  private final FileEntry files;
  private final OtherEntry others;

  EntryCopy(Means means) {
    this.means = means;
    this.selection = means.request().selection();
    this.files = new FileEntry(means);
    this.others = new OtherEntry(means);
  }

  /// @param name in the source
  /// @param newName in the target
  /// @param type as the listing told it, [Listing#UNKNOWN] where it did not
  /// @param isOperand whether the user named it
  void copy(Folder folder, byte[] name, byte[] newName, int type, boolean isOperand) {
    EntryName label = new EntryName(folder, name);
    try {
      boolean follow =
          selection.links() == Links.FOLLOWED
              || isOperand && selection.links() == Links.FOLLOWED_IF_NAMED;
      FileStatus status = null;
      int actual = type;
      if (type == Listing.UNKNOWN || follow && type == FileType.SYMLINK) {
        status = status(folder, label, follow);
        actual = status.type();
      }
      if (isOperand || !isExcluded(folder, name, actual == FileType.DIRECTORY)) {
        copy(new Entry(folder, name, newName, label, follow, false), actual, status);
      }
    } catch (Failure failure) {
      means.failures().tell(label, failure);
    } catch (RuntimeException e) {
      means.failures().tell(label, Reasons.defect(label, e));
    }
  }

  /// Copies a name of a file whose first name could not be copied.
  void copyAsFirst(Entry entry, FileStatus status) {
    try {
      copy(entry, status.type(), status);
    } catch (Failure failure) {
      means.failures().tell(entry.label(), failure);
    } catch (RuntimeException e) {
      means.failures().tell(entry.label(), Reasons.defect(entry.label(), e));
    }
  }

  private void copy(Entry entry, int type, FileStatus status) throws Failure {
    boolean hasBytesOrMore = type != FileType.DIRECTORY && type != FileType.SOCKET;
    if (means.comparison() != null && hasBytesOrMore) {
      FileStatus known =
          status != null ? status : status(entry.folder(), entry.label(), entry.follow());
      means.comparison().entry(entry, known);
      return;
    }
    switch (type) {
      case FileType.DIRECTORY -> enter(entry);
      case FileType.REGULAR -> files.copy(entry);
      case FileType.SOCKET ->
          means.insight().skipped(entry.label().toString(), "is a socket, and is not copied");
      default ->
          others.copy(
              entry, status != null ? status : status(entry.folder(), entry.label(), false));
    }
  }

  private void enter(Entry entry) throws Failure {
    if (!selection.recursive() && selection.names() == null) {
      throw Failure.of(ExitCode.USAGE, entry.label().toString(), "is a directory")
          .with("-r copies it");
    }
    entry.folder().pending.incrementAndGet();
    means.crew().push(new FolderCopy(means, entry.folder().child(entry.name(), entry.follow())));
  }

  private FileStatus status(Folder folder, EntryName label, boolean follow) throws Failure {
    byte[] name = label.name();
    try {
      FileStatus status = follow ? folder.source.statusBehind(name) : folder.source.statusOf(name);
      if (status == null) {
        boolean dangles = follow && folder.source.statusOf(name) != null;
        throw Failure.of(
            ExitCode.SOURCE,
            label.toString(),
            dangles ? "is a link that leads nowhere" : "no such file or directory");
      }
      return status;
    } catch (IOException e) {
      throw Reasons.source(label, e);
    }
  }

  private boolean isExcluded(Folder folder, byte[] name, boolean isDirectory) {
    return selection.filter() != Filter.NONE
        && selection.filter().excludes(folder.pathInSource(name), isDirectory);
  }
}
