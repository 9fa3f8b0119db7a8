package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Planned;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.io.NativeFile;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Entry;
import dev.zcp.walk.EntryName;
import java.io.IOException;

/// Copies regular files: into a partial file beside the target, which is completed and checked, and
/// then published.
final class FileEntry {

  private final Means means;

  FileEntry(Means means) {
    this.means = means;
  }

  void copy(Entry entry) throws Failure {
    try (NativeFile source = open(entry)) {
      FileStatus status = statusOf(entry, source);
      if (!means.links().isFirst(entry, status)) {
        return;
      }
      boolean underWay = false;
      try {
        underWay = copy(entry, source, status);
      } finally {
        if (!underWay) {
          means.links().failed(status);
        }
      }
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }

  private static NativeFile open(Entry entry) throws Failure {
    try {
      return entry.folder().source().file(entry.name(), entry.follow());
    } catch (IOException e) {
      throw Reasons.source(entry.label(), e);
    }
  }

  /// Its listing or status said that it is a regular file, and somebody may have been faster.
  private static FileStatus statusOf(Entry entry, NativeFile source) throws IOException, Failure {
    FileStatus status = source.status();
    if (!status.isRegular()) {
      throw Failure.of(ExitCode.SOURCE, entry.label().toString(), "is no regular file any more");
    }
    return status;
  }

  /// @return whether its publication has been taken on, which will tell the rest
  private boolean copy(Entry entry, NativeFile source, FileStatus status) throws Failure {
    Clash clash;
    try {
      clash = Clash.ofFile(means, entry, status);
    } catch (IOException e) {
      throw Reasons.destination(entry.targetLabel(), e);
    }
    if (clash.isOver()) {
      return false;
    }
    if (means.request().dryRun()) {
      String from = entry.label().toString();
      Planned action = clash.planned(Planned.COPY);
      means.insight().planned(action, from, entry.targetLabel(), status.sizeBytes());
      means.links().published(entry, status, null);
      return true;
    }
    FileLog log = means.insight().begin(entry.label(), status.sizeBytes(), Stage.COPY);
    FilePublication publication = new FilePublication(means, entry, clash, log);
    try {
      Evidence evidence = fill(entry, source, status, publication, clash, log);
      publication.complete(status, evidence);
    } catch (IOException e) {
      publication.failed(Reasons.destination(entry.targetLabel(), e));
      return true;
    } catch (Failure failure) {
      publication.failed(failure);
      return true;
    } catch (RuntimeException e) {
      publication.failed(Reasons.defect(entry.label(), e));
      return true;
    }
    means.durability().accept(publication);
    return true;
  }

  private Evidence fill(
      Entry entry,
      NativeFile source,
      FileStatus status,
      FilePublication publication,
      Clash clash,
      FileLog log)
      throws IOException, Failure {
    NativeFile target = publication.create();
    EntryName label = entry.label();
    FileStatus copied = means.body().copy(source, status, target, label, clash.label(), log);
    Evidence evidence = check(entry, source, copied, target, log);
    means.preserver().file(source, copied, clash.directory(), target, clash.replacedFile(), label);
    return evidence;
  }

  private Evidence check(
      Entry entry, NativeFile source, FileStatus copied, NativeFile target, FileLog log)
      throws Failure {
    Assurance assurance = means.request().assurance();
    if (assurance.verify() == Verified.NONE && assurance.manifest() == null) {
      return Evidence.of(Verified.NONE);
    }
    RawPath path = entry.folder().pathInTarget(entry.newName());
    return means.proof().check(source, copied, target, path, log);
  }
}
