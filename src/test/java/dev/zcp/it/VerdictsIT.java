package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
          "(?<ms>[0-9.]+) ms +read +local +64.0 KiB +(?<offset>[0-9]+) +(?<began>\\S+)"
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
    Trace.assumePossible();
    Path file = folder.toRealPath().resolve("file");
    Files.write(file, new byte[CHUNKS * CHUNK_BYTES]);
    String held = "inject=pread64:delay_enter=300ms:when=" + HELD_UP;
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
            "trace=pread64",
            "-e",
            held);
    long before = System.currentTimeMillis();
    BuiltZcp.Ended ended =
        BuiltZcp.run(
            folder,
            strace,
            "copy",
            "--worst=3",
            "--strategy=heap",
            "--chunk-size=64K",
            file.toString(),
            folder.resolve("copy").toString());
    long after = System.currentTimeMillis();
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    Matcher row = ROW.matcher(ended.err());
    assertThat(row.find()).as(ended.err()).isTrue();
    assertThat(Double.parseDouble(row.group("ms"))).isBetween(300.0, (double) (after - before));
    assertThat(Long.parseLong(row.group("offset"))).isEqualTo((HELD_UP - 1L) * CHUNK_BYTES);
    assertThat(Instant.parse(row.group("began")).toEpochMilli()).isBetween(before, after - 300);
    assertThat(row.group("file")).isEqualTo(file.toString());
  }
}
