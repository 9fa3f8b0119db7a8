package dev.zcp.web;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Stage;
import dev.zcp.tree.Reasons;
import dev.zcp.web.UploadFolder.StoredFile;
import dev.zcp.web.UploadFolder.Upload;
import dev.zcp.web.Visits.Visit;
import dev.zcp.wire.EntryPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/// Where files are sent to: a page with a form; POST takes what the form sends, and PUT one file.
final class UploadSite implements WebServer.Site {

  private static final int SHA256_BYTES = 32;

  /// RFC 9530. The second one is of what is on the wire, which is the same here.
  private static final List<String> DIGESTS = List.of("Repr-Digest", "Content-Digest");

  private static final String SHA256_BEGINS = "sha-256=:";

  private final UploadFolder folder;
  private final Visits visits;
  private final WebUrl url;

  UploadSite(UploadFolder folder, Visits visits, WebUrl url) {
    this.folder = folder;
    this.visits = visits;
    this.url = url;
  }

  @Override
  public void answer(WebExchange exchange) throws IOException, Failure {
    switch (exchange.method()) {
      case "PUT" -> put(exchange);
      case "POST" -> post(exchange);
      case "GET", "HEAD" -> {
        if (exchange.path().equals("/")) {
          exchange.html(WebExchange.OK, WebPage.ofForm(url));
        } else {
          // What is in the directory is nobody's business who may only send.
          exchange.text(WebExchange.NOT_FOUND, "zcp: files can only be sent here");
        }
      }
      default -> {
        exchange.set("Allow", "GET, HEAD, POST, PUT");
        exchange.text(WebExchange.NOT_ALLOWED, "zcp: only GET, HEAD, POST and PUT are known");
      }
    }
  }

  private void put(WebExchange exchange) throws IOException, Failure {
    if (exchange.header("Content-Range") != null) {
      // RFC 9110, section 14.5.
      throw Failure.of(ExitCode.USAGE, "a part of a file cannot be sent: send the whole file");
    }
    if (exchange.header("Content-Encoding") != null) {
      exchange.text(WebExchange.UNSUPPORTED, "zcp: files are taken as they are, without encoding");
      return;
    }
    EntryPath path = WebName.ofUrl(exchange.path().substring(1));
    byte[] digest = digest(exchange);
    Visit visit = visits.enter(exchange.peer());
    try {
      Upload upload = new Upload(path, exchange.body(), exchange.bodyBytes(), digest);
      StoredFile stored = folder.receive(upload, visit);
      String base64 = Base64.getEncoder().encodeToString(stored.sha256());
      exchange.set("Repr-Digest", SHA256_BEGINS + base64 + ":");
      exchange.text(WebExchange.CREATED, line(stored));
    } finally {
      visit.leave();
    }
  }

  private static String line(StoredFile stored) {
    String hex = HexFormat.of().formatHex(stored.sha256());
    return stored.path() + ": " + stored.bytes() + " bytes, SHA-256 " + hex;
  }

  /// What the client says of the file's bytes, or null.
  private static byte[] digest(WebExchange exchange) throws Failure {
    for (String name : DIGESTS) {
      String header = exchange.header(name);
      int start = header == null ? -1 : header.indexOf(SHA256_BEGINS);
      if (start >= 0) {
        int begin = start + SHA256_BEGINS.length();
        int end = header.indexOf(':', begin);
        try {
          byte[] digest = Base64.getDecoder().decode(header.substring(begin, Math.max(begin, end)));
          if (digest.length == SHA256_BYTES) {
            return digest;
          }
        } catch (IllegalArgumentException e) {
          // Told below.
        }
        throw Failure.of(ExitCode.USAGE, name, "holds no SHA-256 in base64 between colons");
      }
    }
    return null;
  }

  /// What became of a file of a form.
  ///
  /// @param failure why it has not come, or null
  record FormFile(String name, StoredFile stored, Failure failure) {}

  private void post(WebExchange exchange) throws IOException, Failure {
    FormParts parts = FormParts.of(exchange.body(), exchange.header("Content-Type"));
    if (parts == null) {
      exchange.text(WebExchange.UNSUPPORTED, "zcp: POST takes a form with files; use PUT for one");
      return;
    }
    String where = exchange.path().substring(1);
    EntryPath below = where.isEmpty() ? EntryPath.TOP : WebName.ofUrl(where);
    List<FormFile> files = new ArrayList<>();
    Visit visit = visits.enter(exchange.peer());
    try {
      while (next(parts, files, visit)) {
        String name = parts.fileName();
        if (name != null && !name.isEmpty()) {
          files.add(file(below, name, parts, visit));
        }
      }
    } finally {
      visit.leave();
    }
    boolean isAnyMissing = files.stream().anyMatch(file -> file.failure() != null);
    int status = isAnyMissing ? WebExchange.CONFLICT : WebExchange.CREATED;
    String accepted = exchange.header("Accept");
    if (accepted != null && accepted.contains("text/html")) {
      exchange.html(status, WebPage.ofForm(url, files));
    } else {
      List<String> lines = new ArrayList<>();
      for (FormFile file : files) {
        lines.add(
            file.failure() == null ? line(file.stored()) : "zcp: " + file.failure().getMessage());
      }
      exchange.text(status, String.join("\n", lines));
    }
  }

  private static boolean next(FormParts parts, List<FormFile> before, Visit visit)
      throws IOException, Failure {
    if (before.size() >= FILES_MAX) {
      throw visit.failed(Failure.of(ExitCode.USAGE, "a form has at most " + FILES_MAX + " files"));
    }
    try {
      return parts.next();
    } catch (IOException e) {
      visit.failed(
          Failure.of(ExitCode.NETWORK, "the form did not come to its end: " + Reasons.of(e)));
      throw e;
    }
  }

  /// What is told of each is kept until the end.
  private static final int FILES_MAX = 20_000;

  /// One that fails leaves the others alone; but if its client has left, there are none.
  private FormFile file(EntryPath below, String name, FormParts parts, Visit visit)
      throws IOException {
    EntryPath path;
    try {
      path = WebName.ofForm(below, name);
    } catch (Failure refused) {
      visit.insight().begin(refused.subject(), -1, Stage.RECEIVE).failed(refused);
      return new FormFile(refused.subject(), null, refused);
    }
    try {
      Upload upload = new Upload(path, parts.content(), -1, null);
      StoredFile stored = folder.receive(upload, visit);
      return new FormFile(path.toString(), stored, null);
    } catch (Failure failure) {
      if (failure.exitCode() == ExitCode.NETWORK) {
        throw new IOException(failure.getMessage(), failure);
      }
      return new FormFile(failure.subject(), null, failure);
    }
  }
}
