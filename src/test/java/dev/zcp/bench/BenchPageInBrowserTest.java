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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Opens the page as a user would.
class BenchPageInBrowserTest {

  private static final int HEIGHT = 3_000;

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

  private String measured(BenchResult result, int width, String style) throws IOException {
    return chromium.measured(BenchPage.of(result), page, width, style);
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
