package dev.zcp.testing;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;

/// A browser without a screen and without a network.
public final class Chromium {

  private static final String COMMAND = "chromium";

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
