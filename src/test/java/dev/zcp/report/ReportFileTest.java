package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {

  @TempDir private Path folder;

  @Test
  void aNewFileIsCompleteAndNothingElseIsLeft() throws IOException, Failure {
    Path file = folder.resolve("page.html");
    ReportFile.write("text µ".getBytes(), file, "the page");
    assertThat(file).hasContent("text µ");
    assertThat(names()).containsExactly("page.html");
  }

  @Test
  void theModeIsThatOfAnyNewFile() throws IOException, Failure {
    Path file = folder.resolve("page.html");
    Path other = Files.createFile(folder.resolve("other"));
    ReportFile.write("text".getBytes(), file, "the page");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(other));
  }

  @Test
  void anOldFileIsReplacedByAnotherAndNotWrittenInto() throws IOException, Failure {
    Path file = Files.writeString(folder.resolve("page.html"), "old");
    Path second = Files.createLink(folder.resolve("second"), file);
    ReportFile.write("new".getBytes(), file, "the page");
    assertThat(file).hasContent("new");
    assertThat(second).hasContent("old");
  }

  @Test
  void anOldFileStaysWhereTheNewOneCannotBeWritten() throws IOException {
    Path file = folder.resolve("page.html");
    Path directory = Files.createDirectory(file);
    Path missing = folder.resolve("missing").resolve("page.html");
    for (Path target : List.of(directory, missing)) {
      Failure failure =
          assertThatExceptionOfType(Failure.class)
              .isThrownBy(() -> ReportFile.write("new".getBytes(), target, "the page"))
              .actual();
      assertThat(failure.exitCode()).isEqualTo(ExitCode.DESTINATION);
      assertThat(failure.getMessage()).startsWith(target + ": the page cannot be written: ");
    }
    assertThat(names()).containsExactly("page.html");
  }

  @Test
  void aSymbolicLinkStaysOneAndItsTargetIsReplaced() throws IOException, Failure {
    Path file = Files.writeString(folder.resolve("page.html"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("page.html"));
    ReportFile.write("new".getBytes(), link, "the page");
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("new");
  }

  @Test
  void aSymbolicLinkThatLeadsNowhereStaysOneAndItsTargetIsMade() throws IOException, Failure {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("page.html"));
    ReportFile.write("new".getBytes(), link, "the page");
    assertThat(link).isSymbolicLink();
    assertThat(folder.resolve("page.html")).hasContent("new");
  }

  @Test
  void aSymbolicLinkInACircleStaysAndIsTold() throws IOException {
    Path link = folder.resolve("link");
    Files.createSymbolicLink(link, link);
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ReportFile.write("new".getBytes(), link, "the page"))
        .withMessage(link + ": the page cannot be written: too many levels of symbolic links");
    assertThat(link).isSymbolicLink();
  }

  @Test
  void aFifoIsWrittenToAndStaysOne() throws IOException, Failure {
    Path fifo = Programs.fifo(folder.resolve("fifo"));
    CompletableFuture<byte[]> heard =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readAllBytes(fifo);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    ReportFile.write("text".getBytes(), fifo, "the page");
    assertThat(Files.isRegularFile(fifo)).isFalse();
    assertThat(heard.join()).isEqualTo("text".getBytes());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }
}
