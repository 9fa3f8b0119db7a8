package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.linux.FileStatus;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Who may do what with a file after a copy took its place: no more than with the file before. Both
/// ways: of one file by itself, and as of a tree.
class ReplacedFileTest {

  private static final String PLAIN = "--strategy=auto";
  private static final String AS_TREE = "-r";

  @TempDir Path dir;

  private Path source;
  private Path target;

  @BeforeEach
  void makeFiles() throws IOException {
    source = Files.writeString(dir.resolve("source"), "new");
    target = Files.writeString(dir.resolve("target"), "old");
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, AS_TREE})
  void itsListStaysAndItsGroupGetsNothing(String way) throws IOException {
    Programs.run("chmod", "600", target.toString());
    setList("-m", "g:1:rwx", target.toString());
    String before = list();
    assertThat(before).contains("group::---").contains("mask::rwx");
    copy(way);
    assertThat(list()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, AS_TREE})
  void whatTheDirectoryGivesToNewFilesIsNotGiven(String way) throws IOException {
    Programs.run("chmod", "660", target.toString());
    setList("-b", target.toString());
    setList("-d", "-m", "u:1000:rwx", dir.toString());
    String before = list();
    copy(way);
    assertThat(list()).isEqualTo(before).doesNotContain("1000");
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, AS_TREE})
  void whereThereAreNoListsItsModeStays(String way) throws IOException {
    try (Mounted without = Mounted.inMemory(dir, "ramfs")) {
      target = Files.writeString(without.path().resolve("target"), "old");
      Programs.run("chmod", "664", target.toString());
      copy(way);
      assertThat(FileStatus.of(target).permissions()).isEqualTo(0664);
    }
  }

  @Test
  void aLinkThatIsReplacedLeavesNoMode() throws IOException {
    Files.delete(target);
    Files.createSymbolicLink(target, Path.of("nowhere"));
    Programs.run("chmod", "600", source.toString());
    copy(AS_TREE);
    assertThat(target).isRegularFile();
    assertThat(FileStatus.of(target).permissions()).isEqualTo(0600);
  }

  private void copy(String way) {
    Cli.Result result = Cli.run("copy", way, source.toString(), target.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).doesNotContain("not kept");
    assertThat(target).hasContent("new");
  }

  private static void setList(String... change) {
    Programs.assume("setfacl");
    String[] command = new String[change.length + 1];
    command[0] = "setfacl";
    System.arraycopy(change, 0, command, 1, change.length);
    assumeTrue(Programs.succeeds(command), "no access control lists here");
  }

  private String list() throws IOException {
    return Programs.run("getfacl", "-n", "-p", "-c", target.toString());
  }
}
