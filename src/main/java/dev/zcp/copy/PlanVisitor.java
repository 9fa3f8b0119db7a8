package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.insight.Planned;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.Visitor;
import java.io.IOException;

/// Tells what a copy would do, of a dry run. A directory that is not there has no target.
final class PlanVisitor implements Visitor {

  private final Means means;

  PlanVisitor(Means means) {
    this.means = means;
  }

  @Override
  public Entered enter(Folder folder, OpenDirectory source) throws IOException, Failure {
    Folder parent = folder.parent();
    byte[] name = folder.targetName();
    if (parent.target() != null && parent.target().statusOf(name) != null) {
      CopyVisitor.refuseNoDirectory(folder);
      OpenDirectory target = parent.target().directory(name, false);
      return new Entered(target, false, OpenDirectory.UNCHANGED);
    }
    means
        .insight()
        .planned(Planned.MAKE_DIRECTORY, folder.label().toString(), parent.targetLabel(name), -1);
    return new Entered(null, true, OpenDirectory.UNCHANGED);
  }

  @Override
  public void entry(Entry entry, int type, FileStatus status) throws Failure {
    means.entries().copy(entry, type, status);
  }

  @Override
  public void listed(Folder folder, Listing listing) {
    // Nothing is to be told of it.
  }

  @Override
  public void leave(Folder folder) {
    // Nothing was made in it.
  }
}
