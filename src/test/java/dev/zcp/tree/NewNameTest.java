package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewNameTest {

  private static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

  private static final FileSystemException NO_LINK =
      new FileSystemException("file", "target", "Operation not permitted");

  @TempDir Path dir;

  private Path file;
  private Path target;

  @BeforeEach
  void writeFile() throws IOException {
    file = Files.writeString(dir.resolve("file"), "content");
    target = dir.resolve("target");
  }

  @Test
  void bothWaysGiveAFileItsOneName() throws IOException {
    NewName.give(file, target);
    assertThat(target).hasContent("content");
    assertThat(file).doesNotExist();

    NewName.rename(target, file, NO_LINK);
    assertThat(file).hasContent("content");
    assertThat(target).doesNotExist();
  }

  @Test
  void neitherWayReplacesAnything() throws IOException {
    Files.writeString(target, "old");
    requireTaken();
    Files.delete(target);
    Files.createDirectory(target);
    requireTaken();
    Files.delete(target);
    Files.createSymbolicLink(target, dir.resolve("nowhere"));
    requireTaken();
  }

  @Test
  void whatIsNotThereCannotBeNamed() {
    assertThatThrownBy(() -> NewName.give(dir.resolve("missing"), target))
        .isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> NewName.rename(dir.resolve("missing"), target, NO_LINK))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("No such file or directory");
  }

  @Test
  void whereThereAreNoSecondNamesTheFileIsRenamed() throws IOException {
    assertThat(probe(withoutLinks(), NATIVE)).isEqualTo("named");
    assertThat(target).hasContent("content");
    assertThat(file).doesNotExist();
  }

  @Test
  void whereThereAreNoSecondNamesNothingIsReplacedEither() throws IOException {
    Files.writeString(target, "old");
    assertThat(probe(withoutLinks(), NATIVE))
        .startsWith("java.nio.file.FileAlreadyExistsException");
    assertThat(target).hasContent("old");
    assertThat(file).hasContent("content");
  }

  @Test
  void whereThereIsNoWayAtAllTheReasonSaysSo() throws IOException {
    assertThat(probe(withoutLinks(), "--illegal-native-access=deny"))
        .contains("neither hard links nor a rename that replaces nothing");
    assertThat(target).doesNotExist();
    assertThat(file).hasContent("content");
  }

  private void requireTaken() {
    assertThatThrownBy(() -> NewName.give(file, target))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> NewName.rename(file, target, NO_LINK))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("content");
  }

  /// A library whose link(2) fails as it does on FAT.
  private Path withoutLinks() throws IOException {
    Path source = dir.resolve("nolink.c");
    Files.writeString(
        source,
        """
        #include <errno.h>
        int link(const char *from, const char *to) { errno = EPERM; return -1; }
        """);
    Path library = dir.resolve("nolink.so");
    Programs.run("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString());
    return library;
  }

  /// @param access whether the process may make system calls of its own
  private String probe(Path preloaded, String access) throws IOException {
    return Programs.run(
        "env",
        "LD_PRELOAD=" + preloaded,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        access,
        "-cp",
        System.getProperty("java.class.path"),
        NewNameProbe.class.getName(),
        file.toString(),
        target.toString());
  }
}
