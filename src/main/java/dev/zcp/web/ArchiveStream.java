package dev.zcp.web;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Printable;
import dev.zcp.core.TarHeader;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;

/// Writes directories to a client as one file, as they are found: a zip file, which takes memory
/// for each entry, or a tar file, which takes none. Nothing is compressed: what takes room is
/// compressed already. What cannot be part of it is named in its last file.
final class ArchiveStream {

  /// Of a zip file, for each of which it takes 400 bytes of memory.
  static final int ZIP_ENTRIES_MAX = 100_000;

  /// Each level holds a descriptor.
  static final int DEPTH_MAX = 100;

  private static final byte[] NO_LINK = {};

  /// So many are named; of others the number is told.
  private static final int NAMED_MAX = 1000;

  private static final int LEFT_OUT_MODE = FileType.REGULAR | 0644;

  private final Insight insight;
  private final OutputStream out;

  /// The same; null if it is a tar file.
  private final ZipOutputStream zip;

  private final FileStream stream;

  /// The names at its top.
  private final Set<String> tops = new HashSet<>();

  private final List<String> leftOut = new ArrayList<>();
  private long leftOutCount;

  /// Begins an answer with it.
  ArchiveStream(WebExchange exchange, boolean isZip, Insight insight) throws Failure {
    this.insight = insight;
    OutputStream body;
    try {
      body = exchange.begin(WebExchange.OK, -1);
    } catch (IOException e) {
      throw lost("the archive", e);
    }
    this.zip = isZip ? new ZipOutputStream(body) : null;
    this.out = isZip ? zip : body;
    if (isZip) {
      zip.setLevel(Deflater.NO_COMPRESSION);
    }
    this.stream = new FileStream(out);
  }

  /// @param prefix the names of the directories above in the archive, a slash after each
  /// @throws Failure if it cannot go on: then it must not look complete
  void add(OpenDirectory directory, byte[] name, boolean followLink, String prefix, int depth)
      throws Failure {
    String path = prefix + text(name);
    if (depth == 0) {
      tops.add(path);
    }
    try {
      FileStatus status = followLink ? directory.statusBehind(name) : directory.statusOf(name);
      if (status == null) {
        throw new NoSuchFileException(path);
      } else if (!SharedFiles.isShared(name, status)) {
        String why = SharedFiles.whyNotShared(name);
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

  /// What was named is not there any more.
  void addMissing(byte[] name) {
    String path = text(name);
    leaveOut(path, new NoSuchFileException(path));
  }

  private void leaveOut(String path, IOException e) {
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
      begin(path, 0, status);
      end(0);
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
      long bytes = status.sizeBytes();
      begin(path, bytes, status);
      FileLog log = insight.begin(shown(path), bytes, Stage.SEND);
      try {
        stream.send(file, status, shown(path), ByteRange.of(null, bytes), log);
      } catch (Failure | IOException e) {
        Failure failure =
            e instanceof IOException io ? FileStream.lost(shown(path), io) : (Failure) e;
        log.failed(failure);
        throw failure;
      }
      end(bytes);
      log.done(Level.NONE);
    }
  }

  /// @param path with a slash at its end if it is a directory
  /// @throws IOException if it cannot have an entry of this name; else the client has gone
  private void begin(String path, long bytes, FileStatus status) throws IOException, Failure {
    try {
      if (zip == null) {
        char type = path.endsWith("/") ? TarHeader.DIRECTORY : TarHeader.FILE;
        byte[] name = path.getBytes(StandardCharsets.ISO_8859_1);
        int mode = status.permissions();
        out.write(TarHeader.of(type, name, NO_LINK, mode, bytes, status.modifiedSeconds()));
      } else {
        ZipEntry entry = new ZipEntry(path);
        entry.setLastModifiedTime(status.modified());
        zip.putNextEntry(entry);
      }
    } catch (ZipException e) {
      throw new IOException("has the same name there as another one", e);
    } catch (IllegalArgumentException e) {
      throw new IOException("its path is too long for a zip file", e);
    } catch (IOException e) {
      throw lost(shown(path), e);
    }
  }

  private void end(long bytes) throws Failure {
    try {
      if (zip == null) {
        out.write(TarHeader.padding(bytes));
      } else {
        zip.closeEntry();
      }
    } catch (IOException e) {
      throw lost("the archive", e);
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

  /// A name as paths in the archive have it: a zip file has text, and a tar file bytes.
  private String text(byte[] name) {
    return zip == null ? new String(name, StandardCharsets.ISO_8859_1) : WebName.text(name);
  }

  /// As a terminal may show it.
  private String shown(String path) {
    return zip == null
        ? Printable.of(path.getBytes(StandardCharsets.ISO_8859_1))
        : Printable.ofPhrase(path);
  }

  /// Ends the file: it is complete.
  void finish() throws Failure {
    try {
      if (leftOutCount > 0) {
        String more = leftOutCount > leftOut.size() ? "\n... of " + leftOutCount : "";
        byte[] list = (String.join("\n", leftOut) + more + "\n").getBytes(StandardCharsets.UTF_8);
        begin(freeName(), list.length, FileStatus.ofNew(LEFT_OUT_MODE, Instant.now()));
        out.write(list);
        end(list.length);
      }
      if (zip == null) {
        out.write(TarHeader.end());
      }
      out.close();
    } catch (IOException e) {
      throw lost("the archive", e);
    }
  }

  /// What has the names of what is left out must not have the name of a file that was shared.
  private String freeName() {
    String name = "zcp-left-out.txt";
    for (int i = 2; tops.contains(name); i++) {
      name = "zcp-left-out-%d.txt".formatted(i);
    }
    return name;
  }
}
