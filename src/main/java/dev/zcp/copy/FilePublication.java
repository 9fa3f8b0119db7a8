package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import dev.zcp.io.NativeFile;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Partial;
import dev.zcp.walk.Entry;
import java.io.IOException;

/// One file on its way to its name. Its folder stays open and is not completed before it has it.
final class FilePublication implements Publication {

  private final Means means;
  private final Entry entry;
  private final Clash clash;
  private final FileLog log;
  private final Partial partial;
  private NativeFile file;
  private FileStatus status;
  private Evidence evidence;
  private boolean isHeld;

  FilePublication(Means means, Entry entry, Clash clash, FileLog log) {
    this.means = means;
    this.entry = entry;
    this.clash = clash;
    this.log = log;
    this.partial = means.partials().begin(clash.directory());
  }

  NativeFile create() throws IOException {
    file = partial.createFile();
    return file;
  }

  /// It has all its bytes, and all besides. From here on it may wait longer than its thread holds
  /// its folder.
  void complete(FileStatus source, Evidence found) throws Failure {
    status = source;
    evidence = found;
    if (means.request().assurance().durable()) {
      entry.folder().oneMore();
      isHeld = true;
      means.folders().hold(entry.folder());
    }
  }

  @Override
  public Object label() {
    return clash.label();
  }

  @Override
  public NativeFile file() {
    return file;
  }

  @Override
  public OpenDirectory directory() {
    return clash.directory();
  }

  @Override
  public void reveal() throws IOException, Failure {
    long startedNs = System.nanoTime();
    file.close();
    clash.reveal(partial);
    log.sample(Stage.PUBLISH, System.nanoTime() - startedNs);
  }

  @Override
  public void done() {
    if (clash.isOver()) {
      partial.discard();
      means.links().failed(status);
    } else {
      evidence.published();
      means.links().published(entry, status, evidence);
    }
    log.done(evidence.level());
    release();
  }

  @Override
  public void failed(Failure failure) {
    partial.discard();
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        // What it says of its bytes is of no interest: they are gone.
      }
    }
    means.failures().tell(log, failure);
    if (status != null) {
      means.links().failed(status);
    }
    release();
  }

  private void release() {
    clash.close();
    if (isHeld) {
      isHeld = false;
      means.folders().release(entry.folder());
      means.walk().oneIsOver(entry.folder());
    }
  }
}
