package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimeBeyondJavaTest {

  /// [Instant#MAX] is at 31,556,889,864,403,199.
  private static final String BEYOND = "@40000000000000000";

  @TempDir Path folder;

  @Test
  void ofADirectoryIsKept() throws IOException {
    try (Mounted ram = Mounted.inMemory(folder, "tmpfs")) {
      Path source = Files.createDirectories(ram.path().resolve("source"));
      Path inner = Files.createDirectories(source.resolve("directory"));
      Files.writeString(inner.resolve("file"), "content");
      assumeTrue(
          Programs.succeeds("touch", "-d", BEYOND, inner.toString()), "no such time to be had");
      FileTime time = FileTime.from(Instant.ofEpochSecond(1));
      Files.setLastModifiedTime(source, time);
      Path target = ram.path().resolve("target");
      Cli.Result result = Cli.run("copy", "-a", source.toString(), target.toString());
      assertThat(result.exitCode()).as(result.err()).isZero();
      assertThat(Programs.run("stat", "-c", "%Y", target.resolve("directory").toString()).strip())
          .isEqualTo(BEYOND.substring(1));
      assertThat(target.resolve("directory/file")).hasContent("content");
      assertThat(Files.getLastModifiedTime(target)).isEqualTo(time);
    }
  }
}
