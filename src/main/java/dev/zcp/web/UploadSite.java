package dev.zcp.web;

import dev.zcp.core.ByteSize;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where files are sent to: a page with a form; POST takes what the form sends, and PUT one file.
final class UploadSite implements WebServer.Site {

  /// RFC 9530. The second one is of what is on the wire, which is the same here.
  private static final List<String> DIGESTS = List.of("Repr-Digest", "Content-Digest");

  private static final Pattern SHA256 = Pattern.compile("sha-256=:([A-Za-z0-9+/]{43}=):");

  /// Of a form: what is told of each is kept until the end.
  private static final int FILES_MAX = 20_000;

  /// Names that are refused may be long, and each byte of them be told in six characters.
  private static final int TOLD_CHARS_MAX = 16 << 20;

  private final UploadFolder folder;
  private final Visits visits;
  private final WebUrl url;

  UploadSite(UploadFolder folder, Visits visits, WebUrl url) {
    this.folder = folder;
    this.visits = visits;
    this.url = url;
  }

  @Override
  public String curl(WebUrl url) {
    return url.curlToSend();
  }

  @Override
  public void abandon() {
    folder.abandon();
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
    try (Visit visit = visits.enter(exchange.peer())) {
      put(new Upload(path, exchange.body(), exchange.bodyBytes(), digest), visit, exchange);
    }
  }

  private void put(Upload upload, Visit visit, WebExchange exchange) throws IOException {
    try {
      StoredFile stored = folder.receive(upload, visit);
      String base64 = Base64.getEncoder().encodeToString(stored.sha256());
      exchange.set("Repr-Digest", "sha-256=:" + base64 + ":");
      exchange.text(WebExchange.CREATED, line(stored));
    } catch (Failure failure) {
      // While the visit lasts: with --once, its end ends all connections.
      exchange.fail(failure);
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
      if (header != null && header.contains("sha-256=")) {
        Matcher digest = SHA256.matcher(header);
        if (!digest.find()) {
          throw Failure.of(ExitCode.USAGE, name, "holds no SHA-256 in base64 between colons");
        }
        return Base64.getDecoder().decode(digest.group(1));
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
    try (Visit visit = visits.enter(exchange.peer())) {
      post(below, parts, visit, exchange);
    }
  }

  private void post(EntryPath below, FormParts parts, Visit visit, WebExchange exchange)
      throws IOException {
    try {
      tell(files(below, parts, visit), exchange);
    } catch (Failure failure) {
      // As in put.
      exchange.fail(failure);
    }
  }

  private List<FormFile> files(EntryPath below, FormParts parts, Visit visit)
      throws IOException, Failure {
    List<FormFile> files = new ArrayList<>();
    int chars = 0;
    while (next(parts, files.size(), chars, visit)) {
      String name = parts.fileName();
      // A browser sends an empty part without a name if no file was chosen.
      if (name != null && (!name.isEmpty() || parts.read() >= 0)) {
        FormFile file = file(below, name, parts, visit);
        files.add(file);
        chars += file.name().length();
        chars += file.failure() == null ? 0 : file.failure().getMessage().length();
      }
    }
    return files;
  }

  private void tell(List<FormFile> files, WebExchange exchange) throws IOException {
    int status = WebExchange.CREATED;
    for (FormFile file : files) {
      // The worst of what there would be for each file alone.
      status =
          file.failure() == null ? status : Math.max(status, WebExchange.status(file.failure()));
    }
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

  /// @param chars what is to be told of the files before, about
  private static boolean next(FormParts parts, int files, int chars, Visit visit) throws Failure {
    if (files >= FILES_MAX || chars > TOLD_CHARS_MAX) {
      String most = FILES_MAX + " files, and " + new ByteSize(TOLD_CHARS_MAX) + " of names";
      Failure failure = Failure.of(ExitCode.USAGE, "a form has at most " + most);
      visit.insight().failed(failure);
      throw failure;
    }
    try {
      return parts.next();
    } catch (IOException e) {
      String why = "the form did not come to its end: " + Reasons.of(e);
      Failure failure = Failure.of(ExitCode.NETWORK, why).because(e);
      visit.insight().failed(failure);
      throw failure;
    }
  }

  /// One that fails leaves the others alone; but if its client has left, there are none.
  private FormFile file(EntryPath below, String name, FormParts parts, Visit visit) throws Failure {
    EntryPath path;
    try {
      path = WebName.ofForm(below, name);
    } catch (Failure refused) {
      visit.insight().begin(refused.subject(), -1, Stage.RECEIVE).failed(refused);
      return new FormFile(refused.subject(), null, refused);
    }
    try {
      Upload upload = new Upload(path, parts, -1, null);
      StoredFile stored = folder.receive(upload, visit);
      return new FormFile(path.toString(), stored, null);
    } catch (Failure failure) {
      if (failure.exitCode() == ExitCode.NETWORK) {
        throw failure;
      }
      return new FormFile(failure.subject(), null, failure);
    }
  }
}
