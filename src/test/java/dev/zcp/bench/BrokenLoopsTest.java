package dev.zcp.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.engine.Strategies;
import dev.zcp.testing.SampleBench;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What [BrokenLoops] do when nobody looks, and what the benchmark says of them.
@Timeout(60)
class BrokenLoopsTest {

  private static final int CHUNK_BYTES = 200_000;
  private static final int FILE_BYTES = 2_900_001;

  @TempDir Path dir;

  @Test
  void aBufferThatIsNeverClearedMovesOneChunk() throws Exception {
    Path file = file(FILE_BYTES);
    BrokenLoops.Counted counted = new BrokenLoops.Counted();
    BrokenLoops.withoutClear(file, counted, CHUNK_BYTES);
    assertThat(counted.bytes).isEqualTo(CHUNK_BYTES);

    assertThat(
            said(
                Experiment.READ,
                FILE_BYTES,
                task -> {
                  Contender.CheckingSink sink = (Contender.CheckingSink) task.to();
                  BrokenLoops.withoutClear(
                      ((Contender.BenchFile) task.from()).path(), sink, CHUNK_BYTES);
                }))
        .isEqualTo("moved 200000 of 2900001 bytes");
  }

  @Test
  void aBufferThatIsFlippedTwiceMovesNothing() throws Exception {
    Path file = file(FILE_BYTES);
    Path target = dir.resolve("target");
    BrokenLoops.flippedTwice(file, target, CHUNK_BYTES);
    assertThat(target).isEmptyFile();
    Files.delete(target);

    assertThat(
            said(
                Experiment.COPY,
                FILE_BYTES,
                task -> {
                  BrokenLoops.flippedTwice(
                      ((Contender.BenchFile) task.from()).path(),
                      ((Contender.BenchFile) task.to()).path(),
                      CHUNK_BYTES);
                }))
        .isEqualTo("moved 0 of 2900001 bytes");
  }

  @Test
  void aMappingThatNobodyTouchesReadsNothing() throws Exception {
    // Nothing comes of it that a test could look at: it returns, and that is all it did.
    BrokenLoops.neverTouched(file(FILE_BYTES));

    assertThat(
            said(
                Experiment.READ,
                FILE_BYTES,
                task -> BrokenLoops.neverTouched(((Contender.BenchFile) task.from()).path())))
        .isEqualTo("moved 0 of 2900001 bytes");
  }

  @Test
  void anArrayThatIsWrittenWholeMakesAFileThatIsTooLong() throws Exception {
    int fileBytes = 5000;
    try (Loopback loopback = Loopback.connect(0)) {
      Path target = dir.resolve("target");
      loopback.far().socket().getOutputStream().write(new byte[fileBytes]);
      loopback.far().shutdownOutput();
      BrokenLoops.writtenWhole(loopback.near(), target);
      assertThat(Files.size(target)).isGreaterThan(fileBytes);
      Files.delete(target);
    }

    assertThat(
            said(
                Experiment.RECEIVE,
                fileBytes,
                task -> {
                  SocketChannel socket = ((Contender.Socket) task.from()).channel();
                  BrokenLoops.writtenWhole(socket, ((Contender.BenchFile) task.to()).path());
                }))
        .isEqualTo("moved 6144 of 5000 bytes");
  }

  private interface Loop {
    void run(Contender.MoveTask task) throws IOException;
  }

  /// What the benchmark says of a loop.
  private String said(Experiment experiment, long fileBytes, Loop loop) throws Exception {
    Contender broken = new ScriptedContender("broken", (task, _) -> loop.run(task));
    BenchResult result =
        Bench.run(
            Requests.of(dir, SampleBench.cell(experiment, "broken", CHUNK_BYTES, fileBytes)),
            new Bench.Contenders(Strategies.load(List.of()), List.of(broken)),
            new RecordingListener(),
            new Host(false));
    assertThat(result.failed()).isTrue();
    CellResult cell = result.groups().getFirst().cells().getFirst();
    return ((CellResult.Failed) cell).message();
  }

  private Path file(int bytes) throws Exception {
    return Files.write(dir.resolve("file"), new byte[bytes]);
  }
}
