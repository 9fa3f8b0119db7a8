package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of a target: nothing that one command has made or kept is lost by the same command.
class TargetOfACopyTest {

  @TempDir Path dir;

  private Path source;
  private Path target;

  @BeforeEach
  void makeTwoDirectories() throws IOException {
    source = Files.createDirectory(dir.resolve("source"));
    target = Files.createDirectory(dir.resolve("target"));
  }

  @Test
  void aBackupTakesNoNameThatTheSourceHas() throws IOException {
    // Whichever of the two the directory lists first.
    for (String name : List.of("f", "g", "h", "i")) {
      Files.writeString(source.resolve(name), "new");
      Files.writeString(source.resolve(name + "~"), "mine");
      Files.writeString(target.resolve(name), "old");
    }
    assertThat(copy("-a", "-b", source + "/.", target.toString()).exitCode()).isZero();
    for (String name : List.of("f", "g", "h", "i")) {
      assertThat(target.resolve(name)).hasContent("new");
      assertThat(target.resolve(name + "~")).hasContent("mine");
      assertThat(target.resolve(name + ".~1~")).hasContent("old");
    }
  }

  @Test
  void anotherNameOfAFileThatIsKeptAsNewerIsKeptToo() throws IOException {
    // Whichever of the two the directory lists first.
    for (String name : List.of("f", "g", "h", "i", "j", "k", "l", "m")) {
      Path first = Files.writeString(source.resolve(name), "new");
      Files.createLink(source.resolve(name + "2"), first);
      Path there = Files.writeString(target.resolve(name), "old");
      Files.setLastModifiedTime(there, Files.getLastModifiedTime(first));
      Files.writeString(target.resolve(name + "2"), "newer");
    }
    assertThat(copy("-au", source + "/.", target.toString()).exitCode()).isZero();
    for (String name : List.of("f", "g", "h", "i", "j", "k", "l", "m")) {
      assertThat(target.resolve(name)).hasContent("old");
      assertThat(target.resolve(name + "2")).hasContent("newer");
    }
  }

  @Test
  void aFileOfTwoMergedSourcesFailsForTheSecond() throws IOException {
    Path other = Files.createDirectory(dir.resolve("other"));
    Files.writeString(source.resolve("x"), "first");
    Files.writeString(other.resolve("x"), "second");
    Files.writeString(other.resolve("y"), "second");
    Cli.Result result = copy("-r", source + "/.", other + "/.", target.toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("x: was made by this command already, from another source");
    assertThat(target.resolve("y")).hasContent("second");
  }

  @Test
  void aDryRunTellsThatASecondSourceHasTheNameOfWhatWouldBeReplaced() throws IOException {
    Path other = Files.createDirectory(dir.resolve("other"));
    for (Path folder : List.of(source, other, target)) {
      Files.writeString(folder.resolve("x"), "from " + folder);
    }
    String[] words = {"-r", "--dry-run", source + "/.", other + "/.", target.toString()};
    // Two threads may look at the same time.
    for (int i = 0; i < 50; i++) {
      Cli.Result result = copy(words);
      assertThat(result.exitCode()).isEqualTo(1);
      assertThat(result.err()).contains("x: was made by this command already, from another source");
    }
  }

  @Test
  void aDryRunDeletesNothingThatHasAnotherSpellingOfTheName() throws IOException {
    Files.writeString(source.resolve("FILE"), "new contents");
    Files.createDirectory(source.resolve("OTHER"));
    try (Mounted folding = Mounted.ignoringCase(dir)) {
      Path copy = Files.createDirectory(folding.path().resolve("copy"));
      Files.writeString(copy.resolve("file"), "old");
      Files.writeString(copy.resolve("other"), "old");
      String[] words = {"-r", "--dry-run", "--delete", source + "/.", copy.toString()};
      assertThat(copy(words).err()).contains("1 replaced", "1 deleted");
    }
  }

  @Test
  void twoNamesThatAreOneInTheTargetAreToldAndNoneIsDeleted() throws IOException {
    Files.createDirectory(source.resolve("Dir"));
    Files.createDirectory(source.resolve("dir"));
    Files.writeString(source.resolve("Dir/a"), "A");
    Files.writeString(source.resolve("dir/b"), "B");
    Files.writeString(source.resolve("File"), "upper");
    Files.writeString(source.resolve("file"), "lower");
    try (Mounted folding = Mounted.ignoringCase(dir)) {
      Path copy = folding.path().resolve("copy");
      // The directory is a new one first, and then one that is there.
      List<Path> first = filesAfterFailedCopy(copy);
      assertThat(first).hasSize(2);
      assertThat(filesAfterFailedCopy(copy)).containsAll(first);
    }
  }

  private List<Path> filesAfterFailedCopy(Path copy) throws IOException {
    Cli.Result result = copy("-r", "--delete", source + "/.", copy.toString());
    assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
    assertThat(result.err())
        .contains("takes for that of another entry", "takes for that of another directory");
    try (Stream<Path> files = Files.walk(copy).filter(Files::isRegularFile)) {
      return files.toList();
    }
  }

  @Test
  void aFilterHoldsForTheDirectoriesThatLeadToAListedName() throws IOException {
    Files.createDirectory(source.resolve("build"));
    Files.writeString(source.resolve("build/a.o"), "object");
    Path list = Files.writeString(dir.resolve("list"), "build/a.o\n");
    copy("-r", "--exclude=build/", "--files-from=" + list, source + "/.", target.toString());
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void aListedDirectoryGetsItsMetadataAfterItsFiles() throws IOException {
    Programs.assume("setfacl");
    Path inside = Files.createDirectory(source.resolve("d"));
    StringBuilder names = new StringBuilder("d\n");
    for (int i = 0; i < 10; i++) {
      Files.writeString(inside.resolve("f" + i), "x");
      names.append("d/f").append(i).append('\n');
    }
    assumeTrue(
        Programs.succeeds("setfacl", "-d", "-m", "u:33:rwx", inside.toString()),
        "no access control lists here");
    Path list = Files.writeString(dir.resolve("list"), names);
    assertThat(copy("-p", "--files-from=" + list, source + "/.", target.toString()).exitCode())
        .isZero();
    String lists = Programs.run("getfacl", "-n", "-R", "-p", target.toString());
    assertThat(lists.lines().filter(line -> line.contains("user:33:"))).hasSize(1);
  }

  @Test
  void aNameThatIsListedTwiceIsCopiedOnce() throws IOException {
    Files.createDirectory(source.resolve("d"));
    Files.writeString(source.resolve("d/x"), "x");
    Path list = Files.writeString(dir.resolve("list"), "d\nd/x\nd/x\n");
    Cli.Result result = copy("-r", "--files-from=" + list, source + "/.", target.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).contains("copied 1 file,");
  }

  @Test
  void theRootStaysAsItIsIfNoListNamesIt() throws IOException {
    Files.writeString(source.resolve("x"), "x");
    Programs.run("chmod", "700", source.toString());
    Programs.run("chmod", "755", target.toString());
    Path list = Files.writeString(dir.resolve("list"), "x\n");
    copy("-p", "--files-from=" + list, source + "/.", target.toString());
    assertThat(Programs.run("stat", "-c", "%a", target.toString()).strip()).isEqualTo("755");
  }

  @Test
  void whatIsMountedInATargetIsNotDeleted() throws IOException {
    assumeTrue(Programs.isRoot(), "only root may mount");
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "x");
    Path mount = Files.createDirectory(target.resolve("m"));
    assumeTrue(
        Programs.succeeds("mount", "--bind", outside.toString(), mount.toString()),
        "this machine lets nobody mount");
    try {
      for (String option : List.of("-x", "--one-file-system")) {
        copy("-a", "--delete", option, source + "/.", target.toString());
        assertThat(outside.resolve("precious")).hasContent("x");
      }
      copy("-a", "--delete", source + "/.", target.toString());
      assertThat(outside.resolve("precious")).hasContent("x");
    } finally {
      Programs.run("umount", mount.toString());
    }
  }

  @Test
  void whatIsTheSameGetsTheMetadataOfItsSource() throws IOException {
    Path file = Files.writeString(source.resolve("f"), "x");
    assertThat(copy("-a", source + "/.", target.toString()).exitCode()).isZero();
    Programs.run("chmod", "600", file.toString());
    assertThat(copy("-a", "--skip-same", source + "/.", target.toString()).exitCode()).isZero();
    assertThat(Programs.run("stat", "-c", "%a", target.resolve("f").toString()).strip())
        .isEqualTo("600");
  }

  @Test
  void aFifoThatIsThereIsKeptAndCorrected() throws IOException {
    Path fifo = Programs.fifo(source.resolve("fifo"));
    copy("-a", source + "/.", target.toString());
    String inode = Programs.run("stat", "-c", "%i", target.resolve("fifo").toString());
    Programs.run("chmod", "711", fifo.toString());
    copy("-a", "--skip-same", source + "/.", target.toString());
    assertThat(Programs.run("stat", "-c", "%i", target.resolve("fifo").toString()))
        .isEqualTo(inode);
    assertThat(Programs.run("stat", "-c", "%a", target.resolve("fifo").toString()).strip())
        .isEqualTo("711");
  }

  @Test
  void aMirroredDirectoryLosesTheAttributesThatItsSourceHasNot() throws IOException {
    Programs.assume("setfattr");
    Files.createDirectory(source.resolve("d"));
    Path there = Files.createDirectory(target.resolve("d"));
    assumeTrue(
        Programs.succeeds("setfattr", "-n", "user.stale", "-v", "1", there.toString()),
        "no extended attributes here");
    assertThat(copy("-a", "--delete", source + "/.", target.toString()).exitCode()).isZero();
    assertThat(copy("-a", "--verify-only", source + "/.", target.toString()).exitCode()).isZero();
  }

  @Test
  void twoFilesThatAreOneInTheTargetAreNotBothWrittenIntoIt() throws IOException {
    Files.writeString(source.resolve("x"), "x");
    Files.writeString(source.resolve("y"), "the other one");
    Files.writeString(target.resolve("x"), "old");
    Files.createLink(target.resolve("y"), target.resolve("x"));
    Cli.Result result = copy("-r", "--inplace", "-T", source.toString(), target.toString());
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(target.resolve("x")).hasContent("x");
    assertThat(target.resolve("y")).hasContent("the other one");
  }

  @Test
  void aDirectoryThatOnlyTakesNewEntriesGetsFilesUnderTheirOwnNames() throws IOException {
    Path file = Files.writeString(source.resolve("x"), "x");
    assumeTrue(
        Programs.isRoot() && Programs.succeeds("chattr", "+a", target.toString()),
        "only root may say that a directory only takes new entries, and not on each file system");
    try {
      Cli.Result result = copy(file.toString(), target.toString());
      assertThat(result.exitCode()).isZero();
      assertThat(result.err()).contains("is made under its own name");
      assertThat(target.toFile().list()).containsExactly("x");
    } finally {
      Programs.run("chattr", "-a", target.toString());
    }
  }

  private static Cli.Result copy(String... options) {
    return Cli.run(Stream.concat(Stream.of("copy"), Stream.of(options)).toArray(String[]::new));
  }
}
