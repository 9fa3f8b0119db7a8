package dev.zcp.web;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import dev.zcp.linux.OwnProcess;
import dev.zcp.secure.Cryptography;
import dev.zcp.web.SharedFiles.ListedEntry;
import dev.zcp.web.UploadSite.FormFile;
import dev.zcp.wire.EntryPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/// A page for a browser. Whatever is not written here is escaped.
final class WebPage {

  private static final String STYLE = part("page.css");

  /// Without it everything works but the progress.
  private static final String SCRIPT = part("page.js");

  /// Nothing runs and nothing is loaded but what is written here.
  static final String POLICY =
      "default-src 'none'; style-src '"
          + hash(STYLE)
          + "'; script-src '"
          + hash(SCRIPT)
          + "'; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none';"
          + " frame-ancestors 'none'";

  private final StringBuilder html = new StringBuilder();

  private WebPage(String title) {
    html.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.append(
        "<meta name=\"robots\" content=\"noindex\">\n<link rel=\"icon\" href=\"data:,\">\n");
    html.append("<title>").append(escaped(title)).append("</title>\n");
    html.append("<style>").append(STYLE).append("</style>\n</head>\n<body>\n<main>\n");
    html.append("<h1>").append(escaped(title)).append("</h1>\n");
  }

  private static String part(String name) {
    try (InputStream in = WebPage.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String part) {
    byte[] digest = Cryptography.sha256().digest(part.getBytes(StandardCharsets.UTF_8));
    return "sha256-" + Base64.getEncoder().encodeToString(digest);
  }

  /// Where files are sent from.
  static String ofForm(WebUrl url) {
    return ofForm(url, List.of());
  }

  /// As [#ofForm], with what became of those that were sent.
  static String ofForm(WebUrl url, List<FormFile> sent) {
    WebPage page = new WebPage("Send files to " + host());
    page.add("p", "soft", "A file shows up there when all of it has arrived.");
    page.html.append("<section");
    page.html.append(sent.isEmpty() ? " hidden" : "").append("><ul id=\"files\">\n");
    for (FormFile each : sent) {
      page.addSent(each);
    }
    page.html.append("</ul></section>\n");
    page.html.append(
        """
        <section>
        <form method="post" enctype="multipart/form-data" action="./">
        <label class="drop"><span>Files</span>
        <input type="file" name="file" multiple></label>
        <label class="drop"><span>A folder</span>
        <input type="file" name="folder" webkitdirectory multiple></label>
        <button class="main">Send</button>
        </form>
        </section>
        """);
    page.addTerminal(url.curlToSend());
    page.addCertificate(url);
    return page.end();
  }

  private void addSent(FormFile file) {
    html.append("<li>");
    add("span", "", file.name());
    if (file.failure() == null) {
      String size = new ByteSize(file.stored().bytes()).toString();
      add("small", "good", "arrived, " + size);
      String hex = HexFormat.of().formatHex(file.stored().sha256());
      add("small", "", "SHA-256 " + hex);
    } else {
      add("small", "bad", file.failure().reason());
    }
    html.append("</li>\n");
  }

  /// What can be fetched.
  ///
  /// @param folder that is listed; the top has what the user named
  /// @param isCut whether there is more in it
  static String ofFiles(WebUrl url, EntryPath folder, List<ListedEntry> entries, boolean isCut) {
    boolean isTop = folder.isTop();
    String name = isTop ? "" : folder.name().toString();
    WebPage page = new WebPage(isTop ? "Files from " + host() : name);
    if (!isTop) {
      page.html.append("<p>");
      page.link("../", "", "Up");
      page.html.append("</p>\n");
    }
    page.html.append("<section>");
    if (entries.isEmpty()) {
      page.add("p", "soft", "There is nothing here.");
    } else {
      page.html.append("<ul>\n");
      for (ListedEntry each : entries) {
        page.addEntry(each);
      }
      page.html.append("</ul>\n");
    }
    if (isCut) {
      String shown = Prose.grouped(entries.size());
      page.add("p", "soft", "Only " + shown + " entries are shown. The archive has all of them.");
    }
    page.html.append("</section>\n");
    if (!isTop || entries.size() > 1) {
      page.html.append("<section><p>");
      page.link("?zip", "button main", "Fetch all as a zip file");
      page.html.append("</p>\n");
      String most = Prose.grouped(ArchiveStream.ZIP_ENTRIES_MAX);
      page.add("p", "soft", "It is a tar file if there are more than " + most + " entries.");
      page.html.append("</section>\n");
    }
    if (!entries.isEmpty()) {
      ListedEntry first = entries.getFirst();
      String path = WebUrl.encoded(folder) + WebName.encoded(first.name());
      page.addTerminal(url.curlToFetch(first.isDirectory() ? path + "/?zip" : path));
    }
    page.addCertificate(url);
    return page.end();
  }

  private void addEntry(ListedEntry entry) {
    String path = "./" + WebName.encoded(entry.name());
    html.append("<li>");
    if (entry.isDirectory()) {
      link(path + "/", "", Printable.of(entry.name()) + "/");
      html.append("<small>");
      link(path + "/?zip", "", "zip");
      html.append("</small>");
    } else {
      link(path, "", Printable.of(entry.name()));
      add("small", "", new ByteSize(entry.bytes()).toString());
    }
    html.append("</li>\n");
  }

  private void addTerminal(String line) {
    html.append("<section><h2>From a terminal</h2>\n");
    add("pre", "", line);
    html.append("</section>\n");
  }

  /// A page cannot vouch for itself: who stands between could write another one.
  private void addCertificate(WebUrl url) {
    if (url.marks() == null) {
      return;
    }
    html.append("<section><h2>Is this the right computer?</h2>\n");
    add(
        "p",
        "soft",
        "The browser does not know its certificate. Look at the certificate in the browser: its"
            + " SHA-256 fingerprint must be the one that the terminal over there shows.");
    html.append("<dl><dt>In words</dt><dd><code>").append(url.marks().words());
    html.append("</code></dd>\n<dt>SHA-256</dt><dd><code>").append(url.marks().sha256());
    html.append("</code></dd></dl></section>\n");
  }

  private void link(String path, String kind, String text) {
    html.append("<a href=\"").append(path).append("\" class=\"").append(kind).append("\">");
    html.append(escaped(text)).append("</a>");
  }

  private void add(String tag, String kind, String text) {
    html.append('<').append(tag);
    html.append(kind.isEmpty() ? "" : " class=\"" + kind + "\"").append('>');
    html.append(escaped(text)).append("</").append(tag).append(">\n");
  }

  private String end() {
    html.append("</main>\n<script>").append(SCRIPT).append("</script>\n");
    return html.append("</body>\n</html>\n").toString();
  }

  private static String host() {
    String host = OwnProcess.host();
    return host.isEmpty() ? "this computer" : host;
  }

  /// Text between tags and in quotes. Control characters are no text for a page.
  static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.append(Character.isISOControl(c) ? '\ufffd' : c);
      }
    }
    return safe.toString();
  }
}
