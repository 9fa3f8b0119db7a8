package dev.zcp.web;

import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
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

  /// Begins an answer with it.
  ZipStream(WebExchange exchange, Insight insight) throws Failure {
    this.insight = insight;
    try {
      this.zip = new ZipOutputStream(exchange.begin(WebExchange.OK, -1));
    } catch (IOException e) {
      throw lost("zip", e);
    }
    zip.setLevel(Deflater.NO_COMPRESSION);
    this.stream = new FileStream(zip);
  }

  /// @param prefix the names of the directories above in the zip file, a slash after each
  /// @throws Failure if it cannot go on: then it must not look complete
  void add(OpenDirectory directory, byte[] name, boolean followLink, String prefix, int depth)
      throws Failure {
    String path = prefix + WebName.text(name);
    try {
      FileStatus status = followLink ? directory.statusBehind(name) : directory.statusOf(name);
      if (status == null) {
        throw new NoSuchFileException(path);
      } else if (!SharedFiles.isShared(name, status)) {
        String why = "is no file and no directory";
        insight.skipped(shown(path), why);
        leaveOut(path, why);
      } else if (status.isRegular()) {
        addFile(directory, name, followLink, path);
      } else if (depth == DEPTH_MAX) {
        throw new IOException("is more than " + DEPTH_MAX + " directories deep");
      } else {
        addDirectory(directory, name, followLink, path + "/", status, depth);
      }
    } catch (IOException e) {
      leaveOut(path, e);
    }
  }

  /// It was to be in it, and cannot be read.
  ///
  /// @param path in the zip file
  void leaveOut(String path, IOException e) {
    Failure failure = Reasons.source(shown(path), e);
    insight.begin(shown(path), -1, Stage.SEND).failed(failure);
    leaveOut(path, failure.reason());
  }

  private void addDirectory(
      OpenDirectory above,
      byte[] name,
      boolean followLink,
      String path,
      FileStatus status,
      int depth)
      throws IOException, Failure {
    try (OpenDirectory directory = above.directory(name, followLink)) {
      List<byte[]> names = directory.names();
      names.sort(Arrays::compareUnsigned);
      begin(path, status);
      end();
      for (byte[] each : names) {
        add(directory, each, false, path, depth + 1);
      }
    }
  }

  private void addFile(OpenDirectory directory, byte[] name, boolean followLink, String path)
      throws IOException, Failure {
    try (NativeFile file = directory.file(name, followLink)) {
      FileStatus status = file.status();
      status.requireRegular(path);
      begin(path, status);
      FileLog log = insight.begin(shown(path), status.sizeBytes(), Stage.SEND);
      try {
        ByteRange all = ByteRange.of(null, status.sizeBytes());
        stream.send(file, status, shown(path), all, log);
      } catch (Failure | IOException e) {
        Failure failure =
            e instanceof IOException io ? FileStream.lost(shown(path), io) : (Failure) e;
        log.failed(failure);
        throw failure;
      }
      end();
      log.done(Verified.NONE);
    }
  }

  /// @throws IOException if it cannot have an entry of this name; else the client has gone
  private void begin(String path, FileStatus status) throws IOException, Failure {
    try {
      ZipEntry entry = new ZipEntry(path);
      if (status != null) {
        entry.setLastModifiedTime(status.modified());
      }
      zip.putNextEntry(entry);
    } catch (ZipException e) {
      throw new IOException("has the same name there as another one", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("its path is too long for a zip file", e);
    } catch (IOException e) {
      throw lost(shown(path), e);
    }
  }

  private void end() throws Failure {
    try {
      zip.closeEntry();
    } catch (IOException e) {
      throw lost("zip", e);
    }
  }

  private Failure lost(String path, IOException e) {
    Failure failure = FileStream.lost(path, e);
    insight.failed(failure);
    return failure;
  }

  private void leaveOut(String path, String reason) {
    leftOutCount++;
    if (leftOut.size() < NAMED_MAX) {
      leftOut.add(shown(path) + ": " + reason);
    }
  }

  /// As a terminal may show it.
  private static String shown(String path) {
    return Printable.ofPhrase(path);
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
      zip.close();
    } catch (IOException e) {
      throw lost("zip", e);
    }
  }
}
