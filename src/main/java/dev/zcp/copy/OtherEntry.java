package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Made;
import dev.zcp.insight.Planned;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partial;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/// Makes symbolic links, FIFOs and devices like those of the source.
final class OtherEntry {

  private final Means means;

  OtherEntry(Means means) {
    this.means = means;
  }

  void copy(Entry entry, FileStatus status) throws Failure {
    if (!status.isSymlink() && !means.request().selection().specials()) {
      throw Failure.of(ExitCode.SOURCE, entry.label().toString(), "is no regular file")
          .with("-a makes it anew");
    }
    if (!means.links().isFirst(entry, status)) {
      return;
    }
    boolean made = false;
    try {
      made = make(entry, status);
    } catch (IOException e) {
      throw Reasons.destination(entry.targetLabel(), e);
    } finally {
      if (made) {
        means.links().published(entry, status, null);
      } else {
        means.links().failed(status);
      }
    }
  }

  /// @return whether it is there now
  private boolean make(Entry entry, FileStatus status) throws IOException, Failure {
    Clash clash = Clash.of(means, entry, status);
    if (clash.isOver()) {
      return false;
    }
    if (means.request().dryRun()) {
      Planned action = status.isSymlink() ? Planned.MAKE_SYMLINK : Planned.MAKE_SPECIAL;
      means
          .insight()
          .planned(clash.planned(action), entry.label().toString(), entry.targetLabel(), -1);
      return true;
    }
    byte[] content = status.isSymlink() ? content(entry) : null;
    if (!makeNew(entry, status, content, clash)) {
      Partial partial = means.partials().begin(entry.folder().target());
      try {
        partial.make(name -> make(entry, status, content, name));
        complete(entry, status, partial.name());
        clash.reveal(partial);
      } finally {
        partial.discard();
      }
      if (clash.isOver()) {
        return false;
      }
    }
    means.durability().made(entry.folder().target());
    means.insight().made(status.isSymlink() ? Made.SYMLINK : Made.SPECIAL);
    return true;
  }

  /// Makes it under its name at once, where nothing has it: there is no time at which it is half
  /// there, but for its times and its owner.
  private boolean makeNew(Entry entry, FileStatus status, byte[] content, Clash clash)
      throws IOException {
    if (clash.replaced() != null) {
      return false;
    }
    try {
      make(entry, status, content, entry.newName());
    } catch (FileAlreadyExistsException e) {
      return false;
    }
    complete(entry, status, entry.newName());
    return true;
  }

  private void make(Entry entry, FileStatus status, byte[] content, byte[] name)
      throws IOException {
    OpenDirectory target = entry.folder().target();
    if (content != null) {
      target.makeLink(name, content);
    } else {
      target.makeSpecial(name, status.type() | 0600, status.represents());
    }
  }

  private void complete(Entry entry, FileStatus status, byte[] name) throws IOException {
    means
        .preserver()
        .special(
            entry.folder().source(),
            entry.name(),
            status,
            entry.folder().target(),
            name,
            entry.label());
  }

  private static byte[] content(Entry entry) throws Failure {
    try {
      return entry.folder().source().readLink(entry.name());
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }
}
