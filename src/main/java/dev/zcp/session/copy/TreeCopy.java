package dev.zcp.session.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Made;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.io.FileStatus;
import dev.zcp.io.NativeFile;
import dev.zcp.session.Reasons;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Preserver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/// Copies trees by directory descriptors: one entry after the other.
final class TreeCopy {

  private final FileBody body;
  private final Preserver preserver;
  private final Insight insight;

  TreeCopy(FileBody body, Preserver preserver, Insight insight) {
    this.body = body;
    this.preserver = preserver;
    this.insight = insight;
  }

  /// Copies `name` of `from`, with all that is in it, to `newName` in `to`.
  void copy(OpenDirectory from, byte[] name, RawPath label, OpenDirectory to, byte[] newName) {
    try {
      FileStatus status = from.statusOf(name);
      if (status == null) {
        throw Failure.of(ExitCode.SOURCE, label.toString(), "no such file or directory");
      }
      if (status.isDirectory()) {
        copyDirectory(from, name, status, label, to, newName);
      } else if (status.isRegular()) {
        copyFile(from, name, label, to, newName);
      } else if (status.isSymlink()) {
        to.makeLink(newName, from.readLink(name));
        preserver.special(from, name, status, to, newName, label);
        insight.made(Made.SYMLINK);
      } else {
        insight.skipped(label.toString(), "is no file");
      }
    } catch (IOException e) {
      insight.begin(label.toString(), -1, Stage.COPY).failed(Reasons.destination(label, e));
    } catch (Failure failure) {
      insight.begin(label.toString(), -1, Stage.COPY).failed(failure);
    }
  }

  private void copyDirectory(
      OpenDirectory from,
      byte[] name,
      FileStatus status,
      RawPath label,
      OpenDirectory to,
      byte[] newName)
      throws IOException {
    boolean created = to.statusOf(newName) == null;
    if (created) {
      to.makeDirectory(newName, 0700);
    }
    try (OpenDirectory source = from.directory(name, false);
        OpenDirectory target = to.directory(newName, false);
        Stream<Path> entries = Files.list(Path.of("/proc/self/fd/" + source.descriptor()))) {
      for (Path each : (Iterable<Path>) entries::iterator) {
        byte[] entry = RawPath.of(each).lastComponent();
        copy(source, entry, label.resolve(entry), target, entry);
      }
      preserver.directory(source, status, target, created, label);
      insight.made(Made.DIRECTORY);
    }
  }

  private void copyFile(
      OpenDirectory from, byte[] name, RawPath label, OpenDirectory to, byte[] newName) {
    FileLog log = insight.begin(label.toString(), -1, Stage.COPY);
    byte[] partial =
        (".zcp-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()) + ".part")
            .getBytes(StandardCharsets.US_ASCII);
    try {
      try (NativeFile source = from.file(name, false);
          NativeFile target = to.create(partial, 0600)) {
        FileStatus status = body.copy(source, target, label, label, log);
        preserver.file(source, status, target, null, label);
      }
      to.rename(partial, newName);
      log.done(Verified.NONE);
    } catch (IOException e) {
      log.failed(Reasons.destination(label, e));
    } catch (Failure failure) {
      log.failed(failure);
    }
  }
}
