package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Failure;
import dev.zcp.testing.Chromium;
import dev.zcp.testing.SampleBench;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Opens the page as a user would.
class BenchPageInBrowserTest {

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

  @TempDir private Path folder;

  private Chromium chromium;
  private Path page;

  @BeforeEach
  void begin() {
    chromium = new Chromium(folder.resolve("profile"));
    page = folder.resolve("page.html");
  }

  @Test
  void thePageIsShownWithoutAComplaint() throws IOException, Failure {
    BenchPage.write(SampleBench.result(), page);
    assertThat(chromium.show(page, 1_280, HEIGHT))
        .contains("<h1>zcp bench</h1>", "direct 512K", "How this was measured", "</html>")
        .doesNotContain("CONSOLE");
  }

  @Test
  void namesThatAreMarkupAreShownAsTheyAre() throws IOException, Failure {
    BenchPage.write(SampleBench.hostile("<script>document.title='in'</script><b>"), page);
    assertThat(chromium.show(page, 1_280, HEIGHT))
        .contains("&lt;script&gt;", "</html>")
        .doesNotContain("<script")
        .doesNotContain("<title>in</title>")
        .doesNotContain("CONSOLE");
  }

  /// So the test above would hear it.
  @Test
  void aScriptOrAPictureThatGotIntoThePageWouldBeRefused() throws IOException {
    String text = BenchPage.of(SampleBench.result());
    String planted = "<script>document.title='in'</script><img src=\"http://zcp.invalid/a\"/>";
    Files.writeString(page, text.replace("</main>", planted + "</main>"));
    String shown = chromium.show(page, 1_280, HEIGHT);
    assertThat(shown).doesNotContain("<title>in</title>");
    assertThat(shown.lines().filter(line -> line.contains("CONSOLE")))
        .anyMatch(line -> line.contains("script-src") || line.contains("inline script"))
        .anyMatch(line -> line.contains("img-src") || line.contains("image"));
  }

  @ParameterizedTest
  @ValueSource(ints = {360, 400, 700, 1_280})
  void nothingIsCutOffOrLiesOnSomethingElse(int width) throws IOException {
    assertThat(measured(SampleBench.result(), width, ""))
        .matches("[1-9][0-9]{2,} shapes looked at; \\.");
  }

  /// So the test above would see it.
  @Test
  void textThatIsTooLargeWouldBeSeen() throws IOException {
    assertThat(measured(SampleBench.result(), 400, "svg text { font-size: 30px !important; }"))
        .contains(" leaves its picture")
        .contains(" lies on ");
  }

  @Test
  void thePageIsSeenAndIsDarkWhereTheReaderWantsIt() throws IOException, Failure {
    BenchPage.write(SampleBench.result(), page);
    BufferedImage light = chromium.look(page, 1_280, HEIGHT, false);
    BufferedImage dark = chromium.look(page, 1_280, HEIGHT, true);
    assertThat(colours(light)).hasSizeGreaterThan(50);
    assertThat(colours(dark)).hasSizeGreaterThan(50);
    assertThat(brightness(light)).isGreaterThan(200);
    assertThat(brightness(dark)).isLessThan(60);
  }

  /// What [#MEASURE] found, in a page that may run it and is as wide as a telephone or a screen.
  private String measured(BenchResult result, int width, String style) throws IOException {
    String text = BenchPage.of(result);
    String allowed = text.replace(" http-equiv=\"Content-Security-Policy\"", " name=\"policy\"");
    assertThat(allowed).isNotEqualTo(text);
    String narrow =
        "<style>" + (width < 500 ? "main { width: " + width + "px; }" : "") + style + "</style>";
    Files.writeString(
        page,
        allowed
            .replace("</head>", narrow + "</head>")
            .replace("</main>", "</main><script>//<![CDATA[\n" + MEASURE + "//]]></script>"));
    // A window is never narrower than 500; its rules for small screens hold there already.
    String shown = chromium.show(page, Math.max(width, 500), HEIGHT);
    Matcher found = Pattern.compile("<pre id=\"result\">(.*)</pre>").matcher(shown);
    assertThat(found.find()).as(shown).isTrue();
    return found.group(1);
  }

  private static Set<Integer> colours(BufferedImage picture) {
    Set<Integer> colours = new HashSet<>();
    for (int x = 0; x < picture.getWidth(); x += 2) {
      for (int y = 0; y < picture.getHeight(); y += 2) {
        colours.add(picture.getRGB(x, y));
      }
    }
    return colours;
  }

  /// Of the page's own colour, from 0 to 255.
  private static int brightness(BufferedImage picture) {
    return new Color(picture.getRGB(2, 2)).getGreen();
  }
}
