package dev.zcp.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Span;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TestEnds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Shares extents for real, on file systems made in a file and mounted, which takes root.
class ReflinkOnLoopMountTest {

  private static final String IMAGE_SIZE = "400M";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"xfs", "btrfs"})
  void aFileOfAnyLengthIsSharedInOneStep(String type) throws Exception {
    try (Mounted disk = Mounted.inFile(folder, type, IMAGE_SIZE, "-q")) {
      Path mount = disk.path();
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
          assertThat(Programs.run("filefrag", "-v", to.toString())).contains("shared");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"xfs", "btrfs"})
  void whatCannotBeSharedIsDeclinedAndWhatGrewIsSharedUpToTheSpan(String type) throws Exception {
    try (Mounted disk = Mounted.inFile(folder, type, IMAGE_SIZE, "-q")) {
      Path mount = disk.path();
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
    }
  }
}
