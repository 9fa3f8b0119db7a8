package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What limits a transfer is planted by real means: strace(1) that holds up system calls, slow
/// pipes, networks between namespaces, one core, signals. The script that plants it, and that
/// anybody can run alone, is `bench/verdicts`.
class VerdictsIT {

  private static final String IS_PYTHON_NEW_ENOUGH =
      "import sys; sys.exit(sys.version_info < (3, 11))";

  private static final int CHUNK_BYTES = 64 << 10;
  private static final int CHUNKS = 16;

  /// Which of the reads.
  private static final int HELD_UP = 5;

  private static final Pattern ROW =
      Pattern.compile(
          "(?<ms>[0-9.]+) ms +(read|copy) +local +[0-9.]+ [KM]iB +(?<offset>[0-9]+) +(?<began>\\S+)"
              + " +(?<file>\\S+)");

  @TempDir Path folder;

  @Test
  void theVerdictNamesWhatWasPlanted() throws Exception {
    assumeTrue(
        Programs.succeeds("python3", "-c", IS_PYTHON_NEW_ENOUGH), "python3 of 3.11 or newer");
    Process process =
        new ProcessBuilder("bench/verdicts", "--quick").redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.print(said);
    assertThat(process.waitFor()).as(said).isZero();
  }

  @Test
  void theOneReadThatWasHeldUpIsTheSlowestOperation() throws Exception {
    long offset =
        offsetOfTheSlowest(CHUNKS * CHUNK_BYTES, HELD_UP, "--strategy=heap", "--chunk-size=64K");
    assertThat(offset).isEqualTo((HELD_UP - 1L) * CHUNK_BYTES);
  }

  /// Whichever way the bytes go on this file system, and with however many threads.
  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void itIsSoIfNothingIsAskedFor(int mebibytes) throws Exception {
    int bytes = mebibytes << 20;
    assertThat(offsetOfTheSlowest(bytes, 1)).isBetween(0L, bytes - 1L);
  }

  /// Where the call was that is held up, one of those that read the source.
  private long offsetOfTheSlowest(int bytes, int which, String... options) throws Exception {
    Trace.assumePossible();
    Path file = folder.toRealPath().resolve("file");
    Files.write(file, new byte[bytes]);
    String held = "inject=pread64,copy_file_range:delay_enter=300ms:when=" + which;
    List<String> strace =
        List.of(
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-P",
            file.toString(),
            "-e",
            "trace=pread64,copy_file_range",
            "-e",
            held);
    long before = System.currentTimeMillis();
    List<String> words = new ArrayList<>(List.of("copy", "--worst=1"));
    words.addAll(List.of(options));
    words.addAll(List.of(file.toString(), folder.resolve("copy").toString()));
    BuiltZcp.Ended ended = BuiltZcp.run(folder, strace, words.toArray(String[]::new));
    long after = System.currentTimeMillis();
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    Matcher row = ROW.matcher(ended.err());
    assertThat(row.find()).as(ended.err()).isTrue();
    assertThat(Double.parseDouble(row.group("ms"))).isBetween(300.0, (double) (after - before));
    assertThat(Instant.parse(row.group("began")).toEpochMilli()).isBetween(before, after - 300);
    assertThat(row.group("file")).isEqualTo(file.toString());
    return Long.parseLong(row.group("offset"));
  }
}
