package dev.zcp.web;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.secure.Cryptography;
import dev.zcp.tree.Reasons;
import dev.zcp.web.SharedFiles.ListedEntry;
import dev.zcp.web.SharedFiles.SharedEntry;
import dev.zcp.web.Visits.Visit;
import dev.zcp.wire.EntryPath;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// Where files are fetched from: pages that list them, the files themselves, whole or in ranges,
/// and directories as zip or tar files.
final class DownloadSite implements WebServer.Site {

  private static final String ZIP = "zip";
  private static final String TAR = "tar";
  private static final String BYTES = "application/octet-stream";
  private static final byte[] ALL_NAME = "files".getBytes(StandardCharsets.US_ASCII);

  /// More entries of a directory are on no page: its archive has them all.
  private static final int LISTED_MAX = 10_000;

  private static final int TAG_BYTES = 16;

  private final SharedFiles files;
  private final Visits visits;
  private final WebUrl url;

  DownloadSite(SharedFiles files, Visits visits, WebUrl url) {
    this.files = files;
    this.visits = visits;
    this.url = url;
  }

  @Override
  public String curl(WebUrl url) {
    return url.curlToFetch(files.curlPath());
  }

  @Override
  public void answer(WebExchange exchange) throws IOException, Failure {
    if (!exchange.method().equals("GET") && !exchange.isHead()) {
      exchange.set("Allow", "GET, HEAD");
      exchange.text(WebExchange.NOT_ALLOWED, "zcp: files can only be fetched here");
      return;
    }
    boolean isArchive = exchange.query().equals(ZIP) || exchange.query().equals(TAR);
    if (exchange.path().equals("/")) {
      if (isArchive) {
        sendArchive(exchange, ALL_NAME, files.paths());
      } else {
        exchange.html(WebExchange.OK, WebPage.ofFiles(url, EntryPath.TOP, files.roots(), false));
      }
      return;
    }
    boolean isFolder = exchange.path().endsWith("/");
    int end = exchange.path().length() - (isFolder ? 1 : 0);
    EntryPath path = WebName.ofUrl(exchange.path().substring(1, end));
    try (SharedEntry found = files.find(path)) {
      if (found == null) {
        exchange.text(WebExchange.NOT_FOUND, "zcp: " + path + ": no such file");
      } else if (found.status().isRegular()) {
        sendFile(exchange, path, found);
      } else if (isArchive) {
        sendArchive(exchange, found.name(), List.of(path));
      } else if (isFolder) {
        List<ListedEntry> listed = list(path, found);
        boolean isCut = listed.size() == LISTED_MAX;
        exchange.html(WebExchange.OK, WebPage.ofFiles(url, path, listed, isCut));
      } else {
        exchange.set("Location", WebName.encoded(found.name()) + "/");
        exchange.text(WebExchange.MOVED, "zcp: the URL of a directory ends in a slash");
      }
    }
  }

  private static List<ListedEntry> list(EntryPath path, SharedEntry found) throws Failure {
    try {
      return SharedFiles.list(found, LISTED_MAX);
    } catch (IOException e) {
      throw Reasons.source(path, e);
    }
  }

  private void sendFile(WebExchange exchange, EntryPath path, SharedEntry found)
      throws IOException, Failure {
    long startedNs = System.nanoTime();
    NativeFile file;
    FileStatus status;
    try {
      file = found.directory().file(found.name(), found.followLink());
      status = file.status();
    } catch (IOException e) {
      throw Reasons.source(path, e);
    }
    try (file) {
      status.requireRegular(path);
      long openedNs = System.nanoTime() - startedNs;
      String tag = tag(status);
      String ifRange = exchange.header("If-Range");
      boolean isSame = ifRange == null || ifRange.equals(tag);
      ByteRange range = ByteRange.of(isSame ? exchange.header("Range") : null, status.sizeBytes());
      exchange.set("Accept-Ranges", "bytes");
      exchange.set("ETag", tag);
      exchange.set(
          "Last-Modified",
          DateTimeFormatter.RFC_1123_DATE_TIME.format(
              status.modified().toInstant().atOffset(ZoneOffset.UTC)));
      exchange.set("Content-Type", BYTES);
      exchange.set("Content-Disposition", WebName.disposition(found.name(), ""));
      if (!range.isWhole()) {
        exchange.set("Content-Range", range.header(status.sizeBytes()));
      }
      if (!range.isThere()) {
        exchange.begin(WebExchange.NO_SUCH_RANGE, 0);
        return;
      }
      int code = range.isWhole() ? WebExchange.OK : WebExchange.PARTIAL;
      if (exchange.isHead()) {
        exchange.set("Content-Length", Long.toString(range.bytes()));
        exchange.begin(code, 0);
        return;
      }
      try (Visit visit = visits.enter(exchange.peer())) {
        FileLog log = visit.insight().begin(path, range.bytes(), Stage.SEND);
        log.sample(Stage.OPEN, openedNs);
        try {
          OutputStream out = exchange.begin(code, range.bytes());
          new FileStream(out).send(file, status, path, range, log);
          out.close();
          log.done(Level.NONE);
        } catch (Failure | IOException e) {
          Failure failure = e instanceof IOException io ? FileStream.lost(path, io) : (Failure) e;
          log.failed(failure);
          throw failure;
        }
      }
    }
  }

  /// Changes whenever the file does, and tells nothing of it.
  private static String tag(FileStatus status) {
    ByteBuffer identity = ByteBuffer.allocate(7 * Long.BYTES);
    identity.putLong(status.device()).putLong(status.inode()).putLong(status.sizeBytes());
    identity.putLong(status.modifiedSeconds()).putLong(status.modifiedNanos());
    identity.putLong(status.changedSeconds()).putLong(status.changedNanos());
    byte[] digest = Cryptography.sha256().digest(identity.array());
    return "\"" + HexFormat.of().formatHex(Arrays.copyOf(digest, TAG_BYTES)) + "\"";
  }

  private void sendArchive(WebExchange exchange, byte[] name, List<EntryPath> paths)
      throws IOException, Failure {
    boolean isZip =
        exchange.query().equals(ZIP) && !files.hasMoreThan(ArchiveStream.ZIP_ENTRIES_MAX, paths);
    exchange.set("Content-Type", isZip ? "application/zip" : "application/x-tar");
    exchange.set("Content-Disposition", WebName.disposition(name, isZip ? ".zip" : ".tar"));
    if (exchange.isHead()) {
      exchange.begin(WebExchange.OK, 0);
      return;
    }
    try (Visit visit = visits.enter(exchange.peer())) {
      ArchiveStream archive = new ArchiveStream(exchange, isZip, visit.insight());
      for (EntryPath each : paths) {
        try (SharedEntry found = files.find(each)) {
          if (found == null) {
            archive.addMissing(each.name().bytes());
          } else {
            archive.add(found.directory(), found.name(), found.followLink(), "", 0);
          }
        }
      }
      archive.finish();
    }
  }
}
