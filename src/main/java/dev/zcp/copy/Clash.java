package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Planned;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partial;
import dev.zcp.tree.Replaced;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.TargetName;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/// An entry and what has its name in the target, with what was decided between them.
final class Clash {

  /// How often somebody may take a name that was free when it was looked at.
  private static final int TRIES_MAX = 16;

  private final Means means;
  private final Entry entry;
  private final FileStatus status;
  private final OpenDirectory directory;
  private final byte[] name;

  private FileStatus replaced;
  private boolean kept;

  private Clash(Means means, Entry entry, FileStatus status, OpenDirectory directory, byte[] name) {
    this.means = means;
    this.entry = entry;
    this.status = status;
    this.directory = directory;
    this.name = name;
  }

  /// Looks what has the name, where anything may, and decides; an entry that is kept is told of.
  ///
  /// @param status what would be made
  /// @throws Failure where there is to be none of both
  static Clash of(Means means, Entry entry, FileStatus status) throws IOException, Failure {
    Folder folder = entry.folder();
    boolean isFree = folder.created() || folder.target() == null;
    return of(means, entry, status, isFree ? null : folder.target().statusOf(entry.newName()));
  }

  /// As [#of], where it was looked before.
  ///
  /// @param existing what has the name, or null
  static Clash of(Means means, Entry entry, FileStatus status, FileStatus existing) throws Failure {
    Clash clash = new Clash(means, entry, status, entry.folder().target(), entry.newName());
    clash.decide(existing);
    return clash;
  }

  /// As [#of], for a regular file: a link that has the name is followed, where that was asked for.
  static Clash ofFile(Means means, Entry entry, FileStatus status) throws IOException, Failure {
    Folder folder = entry.folder();
    boolean isFree = folder.created() || folder.target() == null;
    FileStatus existing = isFree ? null : folder.target().statusOf(entry.newName());
    if (existing == null
        || !existing.isSymlink()
        || !means.request().policy().writeThroughLinks()) {
      return of(means, entry, status, existing);
    }
    RawPath real = realPath(entry);
    OpenDirectory directory = OpenDirectory.open(real.parent());
    Clash clash = new Clash(means, entry, status, directory, real.lastComponent());
    try {
      FileStatus behind = directory.statusOf(clash.name);
      if (behind != null && !behind.isRegular()) {
        throw Failure.of(
            ExitCode.DESTINATION, entry.targetLabel(), "is a link to what is no regular file");
      }
      clash.decide(behind);
      return clash;
    } catch (IOException | Failure e) {
      clash.close();
      throw e;
    }
  }

  private static RawPath realPath(Entry entry) throws IOException, Failure {
    RawPath held = RawPath.of("/proc/self/fd/" + entry.folder().target().descriptor());
    try {
      return RawPath.of(held.resolve(entry.newName()).toPath().toRealPath());
    } catch (NoSuchFileException e) {
      throw Failure.of(ExitCode.DESTINATION, entry.targetLabel(), "is a link that leads nowhere");
    }
  }

  /// The directory in which the name is.
  OpenDirectory directory() {
    return directory;
  }

  /// The target's name, for messages: put together only where it is shown.
  Object label() {
    return new TargetName(entry.folder(), entry.newName());
  }

  /// Closes the directory, where it is not the entry's own.
  void close() {
    if (directory != entry.folder().target() && directory != null) {
      try {
        directory.close();
      } catch (IOException e) {
        // Nothing was written to it by this descriptor.
      }
    }
  }

  /// Whether nothing is to be made.
  boolean isOver() {
    return kept;
  }

  /// What loses its name, or null.
  FileStatus replaced() {
    return replaced;
  }

  /// The file that loses its name, or null: of a link that loses it nothing is kept.
  Replaced replacedFile() {
    return replaced != null && replaced.isRegular()
        ? new Replaced(directory, name, replaced)
        : null;
  }

  /// What a dry run says of it.
  Planned planned(Planned asNew) {
    return replaced == null ? asNew : Planned.REPLACE;
  }

  /// Gives `partial` the name. Where somebody took it meanwhile, it is decided anew; what is kept
  /// then leaves the partial as it is.
  void reveal(Partial partial) throws IOException, Failure {
    for (int tries = 1; !kept; tries++) {
      try {
        if (replaced != null) {
          means.rivals().setAside(directory, name);
        }
        partial.reveal(name, replaced != null);
        return;
      } catch (FileAlreadyExistsException e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
        decide(directory.statusOf(name));
      }
    }
  }

  private void decide(FileStatus existing) throws Failure {
    replaced = null;
    if (existing == null) {
      return;
    }
    Decision decision = means.rivals().decide(status, existing, entry.label(), label());
    switch (decision) {
      case Decision.New _ -> {}
      case Decision.Merge _ -> throw new IllegalStateException("merged is what is no directory");
      case Decision.Replace replace -> replaced = replace.existing();
      case Decision.Keep keep -> {
        kept = true;
        if (means.request().dryRun()) {
          means.insight().planned(Planned.KEEP, entry.label().toString(), entry.targetLabel(), -1);
        } else {
          means.insight().kept(label(), keep.reason());
        }
      }
      case Decision.Refuse refuse -> throw refuse.failure();
    }
  }
}
