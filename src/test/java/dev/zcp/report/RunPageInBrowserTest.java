package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Failure;
import dev.zcp.testing.Chromium;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Opens the page of a run as a user would.
class RunPageInBrowserTest {

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
    Files.writeString(page, SavedSample.page(SavedSample.rich()));
    assertThat(chromium.show(page, 1_200, 3_000))
        .contains("<h1>zcp copy</h1>", "What the stages are", "</html>")
        .doesNotContain("CONSOLE");
  }

  @ParameterizedTest
  @ValueSource(ints = {360, 400, 700, 1_200})
  void nothingIsCutOffOrLiesOnSomethingElse(int width) throws IOException, Failure {
    String one = SavedSample.page(SavedSample.rich());
    assertThat(chromium.measured(one, page, width, ""))
        .matches("[1-9][0-9]+ shapes looked at; \\.");
    String two = SavedSample.rich() + SavedSample.json(Recorded.sendOfOneStep());
    assertThat(chromium.measured(SavedSample.page(two), page, width, ""))
        .matches("[1-9][0-9]+ shapes looked at; \\.");
  }

  @Test
  void thePageIsDarkWhereTheReaderWantsIt() throws IOException, Failure {
    Files.writeString(page, SavedSample.page(SavedSample.rich()));
    assertThat(brightness(chromium.look(page, 1_200, 3_000, false))).isGreaterThan(200);
    assertThat(brightness(chromium.look(page, 1_200, 3_000, true))).isLessThan(60);
  }

  /// Of the page's own colour, from 0 to 255.
  private static int brightness(BufferedImage picture) {
    return new Color(picture.getRGB(2, 2)).getGreen();
  }
}
