package dev.zcp.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.testing.SampleBench;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SavedBenchTest {

  @TempDir private Path folder;

  private Path file;
  private String good;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("old.json");
    good = BenchJsonTest.json(SampleBench.result());
  }

  @Test
  void keysThatNobodyKnowsYetArePassedOver() throws IOException, Failure {
    String later =
        good.replace("{\"kind\":", "{\"news\":{\"a\":[1,{\"b\":null}]},\"kind\":")
            .replace("\"latencyNs\":{", "\"latencyNs\":{\"p9999\":7,");
    assertThat(read(later)).isEqualTo(read(good));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "1 | \"kind\":\"bench\"        | \"kind\":\"result\"      | 'kind' is 'result', not"
            + " 'bench'",
        "1 | \"seed\":4711             | \"seed\":\"4711\"        | 'seed' is missing, or is not",
        "1 | \"seed\":4711             | \"seed\":4711.5          | 'seed' is missing, or is not",
        "1 | \"seed\":4711             | \"seed\":99999999999999999999 | no JSON",
        "1 | \"machine\":{             | \"machine\":7,\"m\":{    | 'machine' is missing, or is"
            + " not",
        "1 | \"processors\":4          | \"processors\":-4        | 'processors' is out of bounds:"
            + " -4",
        "1 | \"groups\":[              | \"groups\":[7,           | 'groups' is missing, or is not",
        "1 | \"cells\":8               | \"cells\":9              | line 10: 'group' is 'copy 1"
            + " GiB'",
        "1 | \"cells\":8               | \"cells\":7              | line 9: 'group' is 'read 290",
        "2 | {\"kind\":\"cell\"        | {\"kind\":\"end\"        | 'kind' is 'end', not 'cell'",
        "2 | {\"kind\"                 | {\"chunk\":1,\"kind\"    | no JSON",
        "2 | \"experiment\":\"read\"   | \"experiment\":\"x\\u001b\" | 'experiment' is unknown:"
            + " x\\x1b",
        "2 | \"chunk\":\"whole\"       | \"chunk\":\"all\"        | 'chunk' is unknown: all",
        "2 | \"chunk\":\"whole\"       | \"chunk\":0              | 'chunk' is out of bounds: 0",
        "2 | \"chunk\":\"whole\"       | \"chunk\":null           | 'chunk' is missing, or is not",
        "2 | \"bytes\":304087040       | \"bytes\":-1             | 'bytes' is out of bounds: -1",
        "2 | \"cache\":\"warm\"        | \"cache\":\"hot\"        | 'cache' is unknown: hot",
        "2 | \"checked\":true          | \"checked\":1            | 'checked' is missing, or is"
            + " not",
        "2 | \"checked\":true          | \"checked\":false        | 'failed' is missing, or is not",
        "2 | \"firstMs\":196.4         | \"firstMs\":-1           | 'firstMs' is out of bounds:"
            + " -1.0",
        "2 | \"firstMs\":196.4         | \"firstMs\":1e999        | 'firstMs' is out of bounds:"
            + " Inf",
        "2 | \"firstMs\":196.4         | \"firstMs\":NaN          | no JSON",
        "2 | \"firstMs\":196.4         | \"firstMs\":null         | 'firstMs' is missing, or is"
            + " not",
        "2 | \"firstMs\":196.4         | \"firstMs\":1e13         | 'firstMs' is out of bounds",
        "2 | \"samplesMs\":[131.7      | \"samplesMs\":[\"131.7\" | 'samplesMs' is missing, or is"
            + " not",
        "2 | \"samplesMs\":[           | \"samplesMs\":[],\"x\":[ | 'samplesMs' is empty",
        "2 | \"p50\":                  | \"p51\":                 | line 2, latencyNs: 'p50' is"
            + " miss",
        "2 | \"cachedBefore\":1        | \"cachedBefore\":1.01    | 'cachedBefore' is out of"
            + " bounds",
        "2 | \"cachedBefore\":1,       | ``                       | 'cachedBefore' is missing",
      })
  void whatIsNotAsItMustBeIsRefusedWithItsLine(int line, String from, String to, String message)
      throws IOException {
    List<String> lines = new ArrayList<>(good.lines().toList());
    assertThat(lines.get(line - 1)).contains(from);
    lines.set(line - 1, lines.get(line - 1).replace(from, to));
    Failure failure = refused(String.join("\n", lines));
    assertThat(failure).hasMessageContaining(message);
    assertThat(failure.getMessage())
        .startsWith(file + ": line ")
        .endsWith(" (give a file that zcp bench --json wrote)");
    if (!message.startsWith("line")) {
      assertThat(failure).hasMessageContaining("line " + line);
    }
  }

  @Test
  void aFileThatEndsTooSoonIsRefusedWhereverItEnds() throws IOException {
    List<String> lines = good.lines().toList();
    for (int count = 1; count < lines.size(); count++) {
      assertThat(refused(String.join("\n", lines.subList(0, count))))
          .hasMessageContaining("ends after line " + count + ", before the benchmark did");
    }
    assertThat(refused(good.substring(0, good.length() - 10)))
        .hasMessageContaining("ends in the middle")
        .hasMessageNotContaining("Source");
  }

  @Test
  void anEmptyFileTwoRunsInOneAndOtherFilesAreRefused() throws IOException {
    assertThat(refused("")).hasMessageContaining("is empty");
    assertThat(refused(good + good)).hasMessageContaining("something after the end");
    assertThat(refused("a,b\n1,2\n")).hasMessageContaining("line 1: no JSON");
    assertThat(refused("[]")).hasMessageContaining("line 1: no object of JSON");
    assertThat(refused("{\"kind\":\"bench\"} {}")).hasMessageContaining("something after the");
    assertThat(refused("{\"a\":".repeat(100_000))).hasMessageContaining("line 1: no JSON");
  }

  @Test
  void aFileThatIsNotTextIsRefused() throws IOException {
    Files.write(file, new byte[] {'{', (byte) 0xff, '}'});
    assertThat(failure()).hasMessageContaining("is not text in UTF-8");
  }

  @Test
  void aFileAtTheLimitIsReadAndOneByteMoreIsRefused() throws IOException, Failure {
    int rest = SavedBench.FILE_BYTES_MAX - good.getBytes(StandardCharsets.UTF_8).length;
    Files.writeString(file, " ".repeat(rest) + good);
    assertThat(BenchJson.read(file).sheet().groups()).hasSize(3);
    try (RandomAccessFile larger = new RandomAccessFile(file.toFile(), "rw")) {
      larger.setLength(SavedBench.FILE_BYTES_MAX + 1);
    }
    assertThat(failure()).hasMessageContaining("is larger than 64 MiB");
  }

  @Test
  void aFileThatIsNotThereIsAFailureOfTheSource() {
    Failure failure = failure();
    assertThat(failure).hasMessage(file + ": no such file");
    assertThat(failure.exitCode()).isEqualTo(ExitCode.SOURCE);
  }

  @Test
  void noDamageDoesMoreThanBeRefused() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] bytes = good.getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 500; round++) {
      byte[] damaged = bytes.clone();
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(128);
      }
      Files.write(file, damaged);
      try {
        BenchPage.of(BenchJson.read(file).sheet());
      } catch (Failure e) {
        assertThat(e.exitCode()).as("seed %d", seed).isEqualTo(ExitCode.USAGE);
      }
    }
  }

  private Sheet read(String text) throws IOException, Failure {
    Files.writeString(file, text);
    return BenchJson.read(file).sheet();
  }

  private Failure refused(String text) throws IOException {
    Files.writeString(file, text);
    Failure failure = failure();
    assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
    return failure;
  }

  private Failure failure() {
    return assertThatExceptionOfType(Failure.class).isThrownBy(() -> BenchJson.read(file)).actual();
  }
}
