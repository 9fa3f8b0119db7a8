package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.DevTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A person sends and fetches files with a real browser, which trusts the page as far as its policy
/// goes.
@Timeout(180)
class WebBrowserIT {

  private static final String STATES =
      "[...document.querySelectorAll('#files li')].map(row => row.children[0].textContent + ': '"
          + " + row.children[1].textContent.split(',')[0]).sort().join('; ')";

  private static final String SEND = "document.querySelector('button.main').click()";

  @TempDir Path folder;

  private DevTools browser;
  private BuiltZcp zcp;
  private Path in;
  private byte[] film;

  @BeforeEach
  void start() throws Exception {
    browser = DevTools.start(folder.resolve("profile"));
    in = Files.createDirectory(folder.resolve("in"));
    film = new byte[5_000_011];
    new Random(3).nextBytes(film);
    Files.write(folder.resolve("film"), film);
    Files.createDirectories(folder.resolve("tree/a/b"));
    Files.writeString(folder.resolve("tree/1"), "1");
    Files.writeString(folder.resolve("tree/a/b/<i>2 & %41"), "22");
  }

  @AfterEach
  void end() {
    if (browser != null) {
      browser.close();
    }
    if (zcp != null) {
      zcp.close();
    }
  }

  private void zcp(String... words) throws Exception {
    zcp =
        BuiltZcp.start(
            folder,
            Stream.concat(Stream.of(words), Stream.of("--tls", "--listen=127.0.0.1:0"))
                .toArray(String[]::new));
    browser.open(zcp.firstLine());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theFormSendsFilesAndFoldersWithAndWithoutScripts(boolean scripts) throws Exception {
    browser.command("Emulation.setScriptExecutionDisabled", "{\"value\":" + !scripts + "}");
    zcp("receive", "--web", in.toString());
    Files.writeString(in.resolve("kept"), "old");
    Files.writeString(folder.resolve("kept"), "new");
    browser.choose("input[name=file]", folder.resolve("film"), folder.resolve("kept"));
    browser.choose("input[name=folder]", folder.resolve("tree"));
    browser.await("document.querySelector('input[name=folder]').files.length", "2");
    browser.evaluate(SEND);
    String why = "already exists (it is kept; 'zcp receive --web --overwrite' replaces it)";
    browser.await(
        STATES, "film: arrived; kept: " + why + "; tree/1: arrived; tree/a/b/<i>2 & %41: arrived");
    assertThat(arrived()).containsExactly("film", "kept", "tree/1", "tree/a/b/<i>2 & %41");
    assertThat(in.resolve("film")).hasBinaryContent(film);
    assertThat(in.resolve("kept")).hasContent("old");
    assertThat(in.resolve("tree/a/b/<i>2 & %41")).hasContent("22");
    zcp.await("one report of all", () -> zcp.err().contains(" received 3 files, "));
    assertThat(browser.look()).isNotEmpty();
  }

  @Test
  void whatIsStoppedInTheMiddleLeavesNothing() throws Exception {
    zcp("receive", "--web", in.toString());
    browser.command("Network.enable", "{}");
    browser.command(
        "Network.emulateNetworkConditions",
        "{\"offline\":false,\"latency\":0,\"downloadThroughput\":-1,\"uploadThroughput\":500000}");
    browser.choose("input[name=file]", folder.resolve("film"));
    browser.evaluate(SEND);
    zcp.await("a partial file", () -> !arrived().isEmpty());
    browser.evaluate("document.querySelector('li button').click()");
    browser.await(STATES, "film: stopped; nothing of it is kept");
    zcp.await("nothing left", () -> arrived().isEmpty());
  }

  @Test
  void theListGivesFilesAndFoldersThatAreSavedAndNeverShown() throws Exception {
    Path page =
        Files.writeString(folder.resolve("page.html"), "<script>document.title='run'</script>");
    Path got = Files.createDirectory(folder.resolve("got"));
    zcp(
        "send",
        "--web",
        page.toString(),
        folder.resolve("tree").toString(),
        folder.resolve("film").toString());
    browser.command(
        "Browser.setDownloadBehavior", "{\"behavior\":\"allow\",\"downloadPath\":\"" + got + "\"}");
    browser.evaluate("document.querySelector('a[href$=film]').click()");
    // The browser makes an empty file first, which it replaces.
    zcp.await("the film", () -> film.length == got.resolve("film").toFile().length());
    assertThat(got.resolve("film")).hasBinaryContent(film);
    browser.evaluate("document.querySelector('a[href$=html]').click()");
    zcp.await("the page", () -> Files.exists(got.resolve("page.html")));
    browser.evaluate("document.querySelector('li a[href$=zip]').click()");
    zcp.await("the folder", () -> Files.exists(got.resolve("tree.zip")));
    assertThat(browser.evaluate("document.title")).startsWith("Files from ");
    browser.open(zcp.firstLine() + "tree/a/b/");
    assertThat(browser.evaluate("document.querySelector('li a').textContent"))
        .isEqualTo("<i>2 & %41");
    browser.evaluate("document.querySelector('li a').click()");
    zcp.await("the file", () -> Files.exists(got.resolve("_i_2 & %41")));
    assertThat(browser.evaluate("document.querySelectorAll('i').length")).isEqualTo("0");
  }

  /// The page that a name would like to change is the page as it was, and sends nothing elsewhere.
  @Test
  void thePolicyLetsNothingOfOthersRun() throws Exception {
    zcp("receive", "--web", in.toString());
    browser.evaluate(
        "(() => { const s = document.createElement('script'); s.textContent = 'document.title=1';"
            + " document.body.append(s); })()");
    assertThat(browser.evaluate("document.title")).startsWith("Send files to ");
    assertThat(browser.evaluate("document.body.innerHTML.includes('serif')")).isEqualTo("false");
    assertThat(browser.evaluate("getComputedStyle(document.querySelector('main')).maxWidth"))
        .isEqualTo("736px");
  }

  private List<String> arrived() throws IOException {
    return arrivedIn(in);
  }

  private static List<String> arrivedIn(Path top) throws IOException {
    try (Stream<Path> files = Files.walk(top)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> top.relativize(file).toString())
          .sorted()
          .toList();
    }
  }
}
