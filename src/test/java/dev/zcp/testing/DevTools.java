package dev.zcp.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A page of a Chromium without a screen, driven by the protocol of its developer tools. It takes
/// any certificate, and reaches loopback alone.
public final class DevTools implements Closeable {

  private static final long WAIT_S_MAX = 60;

  private final Process browser;
  private final HttpClient client = HttpClient.newHttpClient();
  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private WebSocket socket;
  private int commands;

  private DevTools(Process browser) {
    this.browser = browser;
  }

  /// Skips the test where there is no Chromium.
  ///
  /// @param profile a folder for what it keeps
  public static DevTools start(Path profile) throws Exception {
    Programs.assume("chromium");
    Path said = profile.resolveSibling("chromium-said");
    Process browser =
        new ProcessBuilder(
                "chromium",
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--ignore-certificate-errors",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    DevTools tools = new DevTools(browser);
    try {
      tools.connect(said);
    } catch (Exception e) {
      tools.close();
      throw e;
    }
    return tools;
  }

  private void connect(Path said) throws Exception {
    Pattern listening = Pattern.compile("DevTools listening on ws://([^/]+)/");
    await("DevTools", () -> listening.matcher(Files.readString(said)).find());
    Matcher found = listening.matcher(Files.readString(said));
    found.find();
    URI list = URI.create("http://" + found.group(1) + "/json");
    String pages =
        client.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString()).body();
    String page = first(pages, "\"webSocketDebuggerUrl\": \"([^\"]*/page/[^\"]*)\"");
    socket = client.newWebSocketBuilder().buildAsync(URI.create(page), new Hearer()).get();
  }

  private final class Hearer implements WebSocket.Listener {

    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
      message.append(text);
      if (isLast) {
        messages.add(message.toString());
        message.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  /// Runs a command and gives its answer.
  ///
  /// @param parameters a JSON object
  public String command(String name, String parameters) throws Exception {
    commands++;
    String id = "\"id\":" + commands + ",";
    socket.sendText("{" + id + "\"method\":\"" + name + "\",\"params\":" + parameters + "}", true);
    while (true) {
      String message = messages.poll(WAIT_S_MAX, TimeUnit.SECONDS);
      if (message == null) {
        throw new TimeoutException(name);
      }
      if (message.startsWith("{" + id)) {
        if (message.startsWith("{" + id + "\"error\"")) {
          throw new IOException(name + ": " + message);
        }
        return message;
      }
    }
  }

  /// Opens a page and waits until it is there.
  public void open(String url) throws Exception {
    command("Page.navigate", "{\"url\":" + quoted(url) + "}");
    await(
        "the page", () -> evaluate("document.readyState + location.href").equals("complete" + url));
  }

  /// The text that an expression of the page is.
  public String evaluate(String script) throws Exception {
    String answer =
        command("Runtime.evaluate", "{\"expression\":" + quoted("'' + (" + script + ")") + "}");
    String text = first(answer, "\"value\":\"((?:[^\"\\\\]|\\\\.)*)\"");
    return text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
  }

  /// Waits until an expression of the page is the text.
  public void await(String script, String text) throws Exception {
    String[] last = new String[1];
    try {
      await(
          text,
          () -> {
            last[0] = evaluate(script);
            return last[0].equals(text);
          });
    } catch (TimeoutException e) {
      throw new IllegalStateException("it is " + last[0] + ", and not " + text, e);
    }
  }

  /// Chooses files for an input.
  public void choose(String selector, Path... files) throws Exception {
    String document = command("DOM.getDocument", "{}");
    String root = first(document, "\"nodeId\":(\\d+)");
    String found =
        command(
            "DOM.querySelector", "{\"nodeId\":" + root + ",\"selector\":" + quoted(selector) + "}");
    List<String> names = Arrays.stream(files).map(file -> quoted(file.toString())).toList();
    String node = first(found, "\"nodeId\":(\\d+)");
    command("DOM.setFileInputFiles", "{\"nodeId\":" + node + ",\"files\":" + names + "}");
  }

  /// What the page looks like, as a PNG.
  public byte[] look() throws Exception {
    String answer = command("Page.captureScreenshot", "{}");
    return Base64.getDecoder().decode(first(answer, "\"data\":\"([^\"]*)\""));
  }

  private static String first(String text, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new IOException("no " + pattern + " in " + text);
    }
    return matcher.group(1);
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }

  /// Something that comes true.
  @FunctionalInterface
  private interface Outcome {
    boolean isThere() throws Exception;
  }

  private static void await(String what, Outcome outcome) throws Exception {
    long startedNs = System.nanoTime();
    while (!outcome.isThere()) {
      if (System.nanoTime() - startedNs > TimeUnit.SECONDS.toNanos(WAIT_S_MAX)) {
        throw new TimeoutException("waited in vain for " + what);
      }
      Thread.sleep(20);
    }
  }

  @Override
  public void close() {
    if (socket != null) {
      socket.abort();
    }
    client.close();
    List<ProcessHandle> children = browser.descendants().toList();
    browser.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    try {
      browser.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
