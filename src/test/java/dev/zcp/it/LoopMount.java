package dev.zcp.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file system of a type that this machine's own may not be, in a file. Takes root.
final class LoopMount implements Closeable {

  private static final long IMAGE_BYTES = 400L << 20;

  private final Path directory;

  private LoopMount(Path directory) {
    this.directory = directory;
  }

  /// Skips the test where it cannot be had.
  static LoopMount of(String type, Path place) throws IOException, InterruptedException {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root may mount");
    Path image = place.resolve(type + ".img");
    Path directory = Files.createDirectory(place.resolve(type));
    String script =
        "PATH=$PATH:/usr/sbin:/sbin; truncate -s %d \"$1\" && mkfs.%s -q \"$1\" && mount -o loop \"$1\" \"$2\""
            .formatted(IMAGE_BYTES, type);
    Said said = run("sh", "-c", script, "sh", image.toString(), directory.toString());
    assumeTrue(said.exitCode() == 0, "no " + type + " here: " + said.text());
    return new LoopMount(directory);
  }

  Path directory() {
    return directory;
  }

  @Override
  public void close() throws IOException {
    try {
      Said said = run("umount", directory.toString());
      if (said.exitCode() != 0) {
        throw new IOException(said.text());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Said(int exitCode, String text) {}

  private static Said run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text.strip());
  }
}
