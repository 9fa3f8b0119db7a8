package dev.zcp.session.send;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.testing.Archive;
import dev.zcp.tree.Listing;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.walk.Entry;
import dev.zcp.walk.Folder;
import dev.zcp.walk.OpenFolders;
import dev.zcp.walk.OperandRoots;
import dev.zcp.walk.Visitor;
import dev.zcp.walk.Walk;
import dev.zcp.walk.Walk.WalkErrors;
import dev.zcp.walk.WorkerPool;
import java.nio.file.Path;

/// Where a file is found by a walk that was given nothing else.
final class WalkedFile implements Visitor, WalkErrors {

  private final OpenFolders folders = new OpenFolders(4);
  private Entry entry;

  private WalkedFile() {}

  static Origin.InFolder origin(Path file) throws Failure {
    WalkedFile walked = new WalkedFile();
    Walk walk = new Walk(Archive.TREE, walked.folders, new WorkerPool(1), walked, walked);
    OperandRoots roots = new OperandRoots(walk, null);
    RawPath path = RawPath.of(file);
    FileStatus status = roots.hold(path, OperandRoots.name(path), false);
    roots.add(OperandRoots.name(path), null, status.type());
    roots.release();
    roots.flush();
    walk.workers().run();
    return new Origin.InFolder(walked.folders, walked.entry);
  }

  @Override
  public Entered enter(Folder folder, OpenDirectory source) {
    throw new AssertionError("no directory is walked");
  }

  @Override
  public void entry(Entry found, int type, FileStatus status) {
    entry = found;
  }

  @Override
  public void listed(Folder folder, Listing listing) {}

  @Override
  public void leave(Folder folder) {}

  @Override
  public void tell(Object label, Failure failure) {
    throw new AssertionError(failure);
  }

  @Override
  public boolean isOver() {
    return false;
  }

  @Override
  public void left() {}
}
