package dev.zcp.web;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes directories to a client as a zip file, as they are found. Nothing is compressed: what
/// takes room is compressed already. What cannot be part of it is named in its last file.
final class ZipStream {

  private static final String LEFT_OUT = "zcp-left-out.txt";

  /// So many are named; of others the number is told.
  private static final int NAMED_MAX = 1000;

  /// Each level holds a descriptor.
  private static final int DEPTH_MAX = 100;

  private final Insight insight;
  private final ZipOutputStream zip;
  private final FileStream stream;
  private final List<String> leftOut = new ArrayList<>();
  private long leftOutCount;

  ZipStream(OutputStream out, Insight insight) {
    this.insight = insight;
    this.zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.NO_COMPRESSION);
    this.stream = new FileStream(zip);
  }

  /// @param prefix the names of the directories above in the zip file, a slash after each
  /// @throws Failure if it cannot go on: then it must not look complete
  void add(OpenDirectory directory, byte[] name, boolean followLink, String prefix, int depth)
      throws Failure {
    String path = prefix + WebName.text(name);
    FileStatus status;
    try {
      status = followLink ? directory.statusBehind(name) : directory.statusOf(name);
    } catch (IOException e) {
      leaveOut(path, Reasons.of(e));
      return;
    }
    if (status == null) {
      leaveOut(path, "vanished");
    } else if (!SharedFiles.isShared(name, status)) {
      leaveOut(path, "is no file and no directory");
    } else if (status.isRegular()) {
      addFile(directory, name, followLink, path);
    } else if (depth == DEPTH_MAX) {
      leaveOut(path, "is more than " + DEPTH_MAX + " directories deep");
    } else {
      addDirectory(directory, name, followLink, path + "/", status, depth);
    }
  }

  private void addDirectory(
      OpenDirectory above,
      byte[] name,
      boolean followLink,
      String path,
      FileStatus status,
      int depth)
      throws Failure {
    try (OpenDirectory directory = above.directory(name, followLink)) {
      List<byte[]> names = directory.names();
      names.sort(Arrays::compareUnsigned);
      begin(path, status);
      end();
      for (byte[] each : names) {
        add(directory, each, false, path, depth + 1);
      }
    } catch (IOException e) {
      leaveOut(path, Reasons.of(e));
    }
  }

  private void addFile(OpenDirectory directory, byte[] name, boolean followLink, String path)
      throws Failure {
    NativeFile file;
    FileStatus status;
    try {
      file = directory.file(name, followLink);
      status = file.status();
    } catch (IOException e) {
      leaveOut(path, Reasons.of(e));
      return;
    }
    FileLog log = insight.begin(path, status.sizeBytes(), Stage.SEND);
    try (file) {
      status.requireRegular(path);
      begin(path, status);
      stream.send(file, status, path, 0, status.sizeBytes(), log);
      end();
      log.done(Verified.NONE);
    } catch (Failure failure) {
      log.failed(failure);
      throw failure;
    } catch (IOException e) {
      Failure failure = Reasons.source(path, e);
      log.failed(failure);
      throw failure;
    }
  }

  private void begin(String path, FileStatus status) throws Failure {
    try {
      ZipEntry entry = new ZipEntry(path);
      if (status != null) {
        entry.setLastModifiedTime(status.modified());
      }
      zip.putNextEntry(entry);
    } catch (IOException e) {
      throw lost(path, e);
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.SOURCE, path, "its path is too long for a zip file");
    }
  }

  private void end() throws Failure {
    try {
      zip.closeEntry();
    } catch (IOException e) {
      throw lost("zip", e);
    }
  }

  private static Failure lost(String path, IOException e) {
    return Failure.of(ExitCode.NETWORK, path, "its client took no more: " + Reasons.of(e))
        .because(e);
  }

  private void leaveOut(String path, String reason) {
    leftOutCount++;
    if (leftOut.size() < NAMED_MAX) {
      leftOut.add(path + ": " + reason);
    }
    insight.skipped(path, reason);
  }

  /// Ends the file: it is complete.
  void finish() throws Failure {
    try {
      if (leftOutCount > 0) {
        begin(LEFT_OUT, null);
        String more = leftOutCount > leftOut.size() ? "\n... of " + leftOutCount : "";
        zip.write((String.join("\n", leftOut) + more + "\n").getBytes(StandardCharsets.UTF_8));
        end();
      }
      zip.finish();
      zip.flush();
    } catch (IOException e) {
      throw lost("zip", e);
    }
  }
}
