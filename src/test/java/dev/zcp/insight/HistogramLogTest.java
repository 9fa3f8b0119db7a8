package dev.zcp.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.zcp.core.Level;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogProcessor;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistogramLogTest {

  @TempDir private Path directory;
  private Result result;
  private long beforeMs;

  @BeforeEach
  void transferAFile() {
    beforeMs = System.currentTimeMillis();
    Insight insight = new Insight("copy", "auto", event -> {});
    insight.started(1, 5000);
    FileLog file = insight.begin("a", 5000, Stage.COPY);
    for (int i = 1; i <= 5000; i++) {
      file.moved("heap", 0, 1, 1000L * i);
    }
    file.sample(Stage.PUBLISH, 7_654_321);
    file.done(Level.NONE);
    result = insight.finish();
  }

  @Test
  void theLogIsReadByItsOwnReader() throws IOException {
    Path log = write(result, "x.hlog");

    Map<String, Histogram> byTag = new HashMap<>();
    HistogramLogReader reader = new HistogramLogReader(log.toFile());
    while (reader.hasNext()) {
      Histogram histogram = (Histogram) reader.nextIntervalHistogram();
      byTag.put(histogram.getTag(), histogram);
    }
    reader.close();

    assertThat(byTag).containsOnlyKeys("copy", "file", "publish", null);
    for (Map.Entry<Stage, Latencies> stage : result.stages().entrySet()) {
      Histogram read = byTag.get(stage.getKey().word());
      Latencies booked = stage.getValue();
      assertThat(read.getTotalCount()).isEqualTo(booked.count());
      for (double percent : new double[] {50, 90, 99, 99.9, 100}) {
        assertThat((double) read.getValueAtPercentile(percent))
            .isCloseTo(booked.percentileNs(percent), within(booked.percentileNs(percent) / 1000.0));
      }
      assertThat(read.getStartTimeStamp()).isBetween(beforeMs, System.currentTimeMillis());
      assertThat(read.getEndTimeStamp()).isBetween(beforeMs, System.currentTimeMillis());
    }
  }

  /// Without options HdrHistogram's log processor reads what has no tag, and dies of a
  /// NullPointerException if there is nothing.
  @Test
  void hdrHistogramsOwnToolReadsItWithoutOptions() throws Exception {
    Path log = write(result, "x.hlog");
    List<String> files = processed("-i", log.toString());
    assertThat(files).anyMatch(line -> line.matches("#\\[Max .* Total count +=  +1]"));
    List<String> copies = processed("-i", log.toString(), "-tag", "copy");
    assertThat(copies).anyMatch(line -> line.matches("#\\[Max .* Total count +=  +5000]"));
  }

  @Test
  void theLogBeginsWithTheFormatAndTheStart() throws IOException {
    Path log = write(result, "log");
    List<String> lines = Files.readAllLines(log);
    assertThat(lines.get(0)).isEqualTo("#[zcp copy, strategy auto]");
    assertThat(lines.get(1)).startsWith("#[Histogram log format version ");
    assertThat(lines.get(2)).startsWith("#[StartTime: ");
    assertThat(lines.get(3)).startsWith("\"StartTimestamp\"");
    assertThat(lines.get(4)).startsWith("Tag=copy,");
  }

  @Test
  void aNameThatEndsInHgrmGetsThePercentilesOfEachStage() throws IOException {
    Path file = write(result, "x.hgrm");
    String text = Files.readString(file);
    assertThat(text.lines().filter(line -> line.startsWith("#[stage: ")))
        .containsExactly(
            "#[stage: copy, in microseconds]",
            "#[stage: publish, in microseconds]",
            "#[stage: file, in microseconds]");
    assertThat(text).containsPattern("2500\\.\\d+ 0\\.500000000000       2500 ");
    assertThat(text).contains("Total count    =         5000]");
  }

  @Test
  void aTransferWithoutSamplesHasALogWithoutHistograms() throws IOException {
    Path log = write(new Insight("copy", "auto", event -> {}).finish(), "empty.hlog");
    HistogramLogReader reader = new HistogramLogReader(log.toFile());
    assertThat(reader.nextIntervalHistogram()).isNull();
    reader.close();
  }

  /// It ends the JVM if it fails, and prints to standard output.
  private List<String> processed(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(
        Path.of(
                HistogramLogProcessor.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI())
            .toString());
    command.add(HistogramLogProcessor.class.getName());
    command.addAll(List.of(options));
    Path printed = directory.resolve("printed");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(printed)).isZero();
    return Files.readAllLines(printed);
  }

  private Path write(Result result, String name) throws IOException {
    Path file = directory.resolve(name);
    return Files.write(file, HistogramLog.of(result, file));
  }
}
