package dev.zcp.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.Span;
import dev.zcp.spi.Mover;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.spi.Step;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.testing.TestEnds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyFileRangeStrategyTest extends TransferStrategyContract {

  @TempDir Path own;

  @Override
  protected TransferStrategy strategy() {
    return new CopyFileRangeStrategy();
  }

  @Test
  void aTargetOpenedToAppendIsDeclinedAndUntouched() throws Exception {
    Path from = Files.write(own.resolve("source"), new byte[5000]);
    Path to = own.resolve("sink");
    StandardOpenOption append = StandardOpenOption.APPEND;
    try (Source source = TestEnds.fileSource(from);
        Sink sink = TestEnds.fileSink(to, StandardOpenOption.CREATE, append);
        Mover mover = strategy().open(source, sink)) {
      assertThat(mover.move(new Span(0, 5000)))
          .isInstanceOfSatisfying(
              Step.Declined.class,
              declined -> {
                assertThat(declined.reach()).isEqualTo(Step.Reach.ROUTE);
                assertThat(declined.reason()).contains("append");
              });
      assertThat(Files.size(to)).isZero();
    }
  }

  @Test
  void anotherFileSystemIsDeclinedInWords() throws Exception {
    Path shared = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(shared), "there is no tmpfs at /dev/shm");
    Path from = Files.write(own.resolve("source"), new byte[5000]);
    Path to = Files.createTempFile(shared, "zcp", "sink");
    assumeTrue(
        !Files.getFileStore(from).equals(Files.getFileStore(to)),
        "the temporary directory is on the tmpfs, too");
    try (Source source = TestEnds.fileSource(from);
        Sink sink = TestEnds.fileSink(to);
        Mover mover = strategy().open(source, sink)) {
      assertThat(mover.move(new Span(0, 5000)))
          .isInstanceOfSatisfying(
              Step.Declined.class,
              declined -> assertThat(declined.reason()).contains("file system"));
      assertThat(Files.size(to)).isZero();
    } finally {
      Files.delete(to);
    }
  }

  @Test
  void aFileOfProcIsNotTakenForAnEmptyOne() throws Exception {
    try (Source source = TestEnds.fileSource(Path.of("/proc/version"));
        Sink sink = TestEnds.fileSink(own.resolve("sink"));
        Mover mover = strategy().open(source, sink)) {
      assertThat(mover.move(new Span(0, 10))).isInstanceOf(Step.Declined.class);
    }
  }
}
