package dev.zcp.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;

/// A browser without a screen and without a network.
public final class Chromium {

  private static final String COMMAND = "chromium";

  private static final int HEIGHT = 3_000;

  /// Looks for what no attribute tells: text that leaves its picture or lies on other text, and a
  /// page that is wider than the screen. Writes what it found into the page.
  private static final String MEASURE =
      """
      const found = [];
      if (document.documentElement.scrollWidth > window.innerWidth) {
        found.push('the page is ' + document.documentElement.scrollWidth + ' wide');
      }
      let shapes = 0;
      for (const svg of document.querySelectorAll('svg')) {
        const frame = svg.getBoundingClientRect();
        const texts = [];
        for (const shape of svg.querySelectorAll('text, rect, line, circle')) {
          const box = shape.getBoundingClientRect();
          const name = shape.tagName + ' ' + shape.textContent;
          shapes++;
          const outside = box.left < frame.left - 7 || box.right > frame.right + 7
              || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
          if (outside) {
            found.push(name + ' leaves its picture');
          }
          if (shape.tagName === 'text') {
            for (const [other, otherName] of texts) {
              const apart = box.right <= other.left || box.left >= other.right
                  || box.bottom <= other.top + 4 || box.top + 4 >= other.bottom;
              if (!apart) {
                found.push(name + ' lies on ' + otherName);
              }
            }
            texts.push([box, name]);
          }
        }
      }
      const result = document.createElement('pre');
      result.id = 'result';
      result.textContent = shapes + ' shapes looked at; ' + found.join('; ') + '.';
      document.body.append(result);
      """;

  private final Path profile;

  /// Skips the test where there is none.
  ///
  /// @param profile a folder for what it keeps, not there yet
  public Chromium(Path profile) {
    Programs.assume(COMMAND);
    this.profile = profile;
  }

  /// The page as the browser has it after it was shown, and whatever it had to complain of: lines
  /// with `CONSOLE`.
  public String show(Path page, int width, int height) throws IOException {
    return run(page, width, height, "--dump-dom");
  }

  /// What it looks like.
  public BufferedImage look(Path page, int width, int height, boolean dark) throws IOException {
    Path picture = profile.resolveSibling("picture.png");
    Files.deleteIfExists(picture);
    // 0 is dark, 1 light.
    String scheme = "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1);
    run(page, width, height, "--hide-scrollbars", scheme, "--screenshot=" + picture);
    return ImageIO.read(picture.toFile());
  }

  /// What [#MEASURE] found in a page of ours, which may run it here.
  ///
  /// @param page a file to write it to
  /// @param width of the screen; 500 and less is a telephone
  /// @param style that is added
  public String measured(String html, Path page, int width, String style) throws IOException {
    String allowed = html.replace(" http-equiv=\"Content-Security-Policy\"", " name=\"policy\"");
    assertThat(allowed).isNotEqualTo(html);
    String narrow =
        "<style>" + (width < 500 ? "main { width: " + width + "px; }" : "") + style + "</style>";
    Files.writeString(
        page,
        allowed
            .replace("</head>", narrow + "</head>")
            .replace("</main>", "</main><script>//<![CDATA[\n" + MEASURE + "//]]></script>"));
    // A window is never narrower than 500; its rules for small screens hold there already.
    String shown = show(page, Math.max(width, 500), HEIGHT);
    Matcher found = Pattern.compile("<pre id=\"result\">(.*)</pre>").matcher(shown);
    assertThat(found.find()).as(shown).isTrue();
    return found.group(1);
  }

  private String run(Path page, int width, int height, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                COMMAND,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                // No name is found and every other address is asked of nobody.
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--proxy-server=127.0.0.1:9",
                "--enable-logging=stderr",
                "--user-data-dir=" + profile,
                "--window-size=" + width + "," + height));
    command.addAll(Arrays.asList(more));
    command.add(page.toUri().toString());
    return Programs.run(command.toArray(String[]::new));
  }
}
