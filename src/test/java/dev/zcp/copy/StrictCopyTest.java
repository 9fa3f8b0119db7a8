package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrictCopyTest {

  @TempDir Path dir;

  @Test
  void theFirstLossIsNamedOnce() throws IOException {
    Path source = Files.createDirectory(dir.resolve("tree"));
    Path file = Files.writeString(source.resolve("only"), "content");
    assumeTrue(
        Programs.succeeds("setfattr", "-n", "user.one", file.toString()), "no attributes here");
    try (Mounted ram = Mounted.inMemory(dir, "ramfs")) {
      Cli.Result result =
          Cli.run("copy", "-a", "--strict", source.toString(), ram.path().toString());
      assertThat(result.exitCode()).isEqualTo(ExitCode.DESTINATION.number());
      assertThat(result.err())
          .containsOnlyOnce("tree/only")
          .contains(
              ram.path() + ": extended attributes not kept (without --strict that is no failure)");
    }
  }
}
