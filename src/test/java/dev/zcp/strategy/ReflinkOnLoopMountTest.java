package dev.zcp.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.Span;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.testing.TestEnds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Shares extents for real, on file systems made in a file and mounted, which takes root.
class ReflinkOnLoopMountTest {

  private static final long IMAGE_BYTES = 400L << 20;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"xfs, mkfs.xfs -q", "btrfs, mkfs.btrfs -q"})
  void aFileOfAnyLengthIsSharedInOneStep(String type, String mkfs) throws Exception {
    Path mount = mount(type, mkfs);
    try {
      for (int length : new int[] {1, 4096, (3 << 20) + 123}) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        Path from = Files.write(mount.resolve("from"), content);
        Path to = mount.resolve("to-" + length);
        try (Source source = TestEnds.fileSource(from);
            Sink sink = TestEnds.fileSink(to);
            Mover mover = new ReflinkStrategy().open(source, sink)) {
          assertThat(mover.move(new Span(0, length))).isEqualTo(new Step.Moved(length));
        }
        assertThat(to).hasBinaryContent(content);
        // btrfs keeps a file of one byte inside its tree, where there is no extent to share.
        if (length > 1) {
          assertThat(run("filefrag", "-v", to.toString())).contains("shared");
        }
      }
    } finally {
      run("umount", mount.toString());
    }
  }

  @ParameterizedTest
  @CsvSource({"xfs, mkfs.xfs -q", "btrfs, mkfs.btrfs -q"})
  void whatCannotBeSharedIsDeclinedAndWhatGrewIsSharedUpToTheSpan(String type, String mkfs)
      throws Exception {
    Path mount = mount(type, mkfs);
    try {
      byte[] content = new byte[(1 << 20) + 77];
      new Random(5).nextBytes(content);
      Path from = Files.write(mount.resolve("from"), content);
      Path to = mount.resolve("to");
      try (Source source = TestEnds.fileSource(from);
          Sink sink = TestEnds.fileSink(to);
          Mover mover = new ReflinkStrategy().open(source, sink)) {
        assertThat(mover.move(new Span(1, 5000))).isInstanceOf(Step.Declined.class);
        assertThat(mover.move(new Span(content.length, 1))).isInstanceOf(Step.Declined.class);
        assertThat(Files.size(to)).isZero();
        // Ends inside the file, as when the source has grown since it was measured.
        long shared = ((Step.Moved) mover.move(new Span(0, (1 << 20) + 5))).bytes();
        assertThat(shared).isEqualTo(1 << 20);
        assertThat(Files.size(to)).isEqualTo(1 << 20);
        // And the tail, which ends where the source does.
        assertThat(mover.move(new Span(1 << 20, 77))).isEqualTo(new Step.Moved(77));
      }
      assertThat(to).hasBinaryContent(content);
    } finally {
      run("umount", mount.toString());
    }
  }

  private Path mount(String type, String mkfs) throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root may mount");
    assumeTrue(hasProgram(mkfs.substring(0, mkfs.indexOf(' '))), mkfs + " is not installed");
    assumeTrue(hasProgram("filefrag"), "filefrag is not installed");
    Path image = folder.resolve(type + ".img");
    run("truncate", "-s", Long.toString(IMAGE_BYTES), image.toString());
    run("sh", "-c", mkfs + " " + image);
    Path mount = Files.createDirectories(folder.resolve(type));
    Process process =
        new ProcessBuilder("mount", "-o", "loop", image.toString(), mount.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());
    assumeTrue(process.waitFor() == 0, "cannot mount " + type + " here: " + output);
    return mount;
  }

  private static boolean hasProgram(String name) {
    return Files.isExecutable(Path.of("/usr/sbin", name))
        || Files.isExecutable(Path.of("/usr/bin", name));
  }

  private static String run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (old, more) -> old + ":" + more);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }
}
