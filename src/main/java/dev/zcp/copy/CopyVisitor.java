package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Made;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Visitor;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/// Copies what a walk finds: directories are made, and completed when all in them is over.
final class CopyVisitor implements Visitor {

  /// Only its owner gets at a directory that is not complete.
  private static final int PRIVATE = 0700;

  private final Means means;

  CopyVisitor(Means means) {
    this.means = means;
  }

  @Override
  public Entered enter(Folder folder, OpenDirectory source) throws IOException, Failure {
    OpenDirectory parent = folder.parent().target();
    byte[] name = folder.targetName();
    try {
      parent.makeDirectory(name, PRIVATE);
      means.durability().made(parent);
      return new Entered(parent.newDirectory(name), true, OpenDirectory.UNCHANGED);
    } catch (FileAlreadyExistsException e) {
      refuseNoDirectory(folder);
      OpenDirectory target = parent.directory(name, false);
      // The copy of a directory that nobody may write to is one, too: a second copy must get in.
      return new Entered(target, false, target.admitOwner());
    }
  }

  /// @throws Failure EXISTS where what has the folder's name in the target is no directory
  static void refuseNoDirectory(Folder folder) throws IOException, Failure {
    Folder parent = folder.parent();
    FileStatus existing = parent.target().statusOf(folder.targetName());
    if (existing != null && !existing.isDirectory()) {
      throw Failure.of(
          ExitCode.EXISTS,
          parent.targetLabel(folder.targetName()),
          "is no directory, and " + folder.label() + " is one");
    }
  }

  @Override
  public void entry(Entry entry, int type, FileStatus status) throws Failure {
    means.entries().copy(entry, type, status);
  }

  @Override
  public void listed(Folder folder, Listing listing) {
    // What else the target has stays as it is.
  }

  @Override
  public void leave(Folder folder) throws IOException, Failure {
    if (means.partials().isAbandoned()) {
      return;
    }
    means.folders().hold(folder);
    try {
      endow(folder);
      means.durability().made(folder.target());
      if (folder.created()) {
        means.insight().made(Made.DIRECTORY);
      }
      means.folders().complete(folder);
    } finally {
      means.folders().release(folder);
    }
  }

  private void endow(Folder folder) throws IOException {
    int modeToGive = folder.modeBefore();
    try {
      means
          .preserver()
          .directory(
              folder.source(),
              folder.sourceStatus(),
              folder.target(),
              folder.created(),
              folder.label());
      if (means.request().preserve().mode()) {
        modeToGive = OpenDirectory.UNCHANGED;
      }
    } finally {
      if (modeToGive != OpenDirectory.UNCHANGED) {
        folder.target().giveMode(modeToGive);
      }
    }
  }
}
