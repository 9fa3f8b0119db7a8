package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.linux.FileStatus;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which entry goes where, and what becomes of it, as with cp(1).
class TreesTest {

  @TempDir Path dir;

  private Path source;
  private Path target;

  @BeforeEach
  void makeTree() throws IOException {
    source = Files.createDirectories(dir.resolve("source"));
    target = dir.resolve("target");
    Files.createDirectories(source.resolve("inner/deep"));
    Files.createDirectory(source.resolve("empty"));
    Files.writeString(source.resolve("file"), "one");
    Files.writeString(source.resolve("inner/deep/file"), "two");
    Files.createSymbolicLink(source.resolve("link"), Path.of("nowhere"));
  }

  @Test
  void aTargetThatIsNotThereBecomesTheCopy() throws IOException {
    assertThat(copy("-a", source, target)).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
    assertThat(target.resolve("inner/deep/file")).hasContent("two");
    assertThat(Files.readSymbolicLink(target.resolve("link"))).isEqualTo(Path.of("nowhere"));
  }

  @Test
  void aTargetThatIsThereTakesTheCopyUnderItsName() throws IOException {
    Files.createDirectory(target);
    assertThat(copy("-r", source, target)).isZero();
    assertThat(entries(target.resolve("source"))).isEqualTo(entries(source));
  }

  @Test
  void theContentOfDotGoesIntoTheTargetAsItIs() throws IOException {
    Files.createDirectory(target);
    assertThat(run("-a", source + "/.", target.toString()).exitCode()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
  }

  @Test
  void whatIsThereAlreadyIsMergedWithWhatComes() throws IOException {
    Files.createDirectories(target.resolve("inner"));
    Files.writeString(target.resolve("inner/mine"), "mine");
    Files.writeString(target.resolve("file"), "old");
    assertThat(run("-a", source + "/.", target.toString()).exitCode()).isZero();
    assertThat(target.resolve("inner/mine")).hasContent("mine");
    assertThat(target.resolve("file")).hasContent("one");
  }

  @Test
  void whatIsThereAlreadyIsKeptWhereThatIsAskedFor() throws IOException {
    Files.createDirectories(target);
    Files.writeString(target.resolve("file"), "old");
    assertThat(run("-an", source + "/.", target.toString()).exitCode()).isZero();
    assertThat(target.resolve("file")).hasContent("old");
    assertThat(target.resolve("inner/deep/file")).hasContent("two");
  }

  @Test
  void aFileAndADirectoryDoNotReplaceEachOtherAndTheRestIsCopied() throws IOException {
    Files.createDirectories(target.resolve("file"));
    Files.writeString(target.resolve("empty"), "no directory");
    Cli.Result result = run("-a", source + "/.", target.toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains(target + "/file: is a directory")
        .contains(target + "/empty: is not a directory, but " + source + "/empty is");
    assertThat(target.resolve("inner/deep/file")).hasContent("two");
    assertThat(target.resolve("empty")).hasContent("no directory");
  }

  @Test
  void aLinkWhereADirectoryShouldGoIsNotFollowed() throws IOException {
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.createDirectory(target);
    Files.createSymbolicLink(target.resolve("inner"), outside);
    Cli.Result result = run("-a", source + "/.", target.toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(outside).isEmptyDirectory();
    assertThat(target.resolve("file")).hasContent("one");
  }

  @Test
  void aTargetThatIsALinkToADirectoryIsFollowed() throws IOException {
    Path real = Files.createDirectory(dir.resolve("real"));
    Files.createSymbolicLink(target, real);
    assertThat(copy("-a", source, target)).isZero();
    assertThat(entries(real.resolve("source"))).isEqualTo(entries(source));
  }

  @Test
  void aLinkThatHasAFilesNameIsReplacedAndNotWrittenThrough() throws IOException {
    Path outside = Files.writeString(dir.resolve("outside"), "precious");
    Files.createDirectory(target);
    Files.createSymbolicLink(target.resolve("file"), outside);
    assertThat(run("-a", source + "/.", target.toString()).exitCode()).isZero();
    assertThat(outside).hasContent("precious");
    assertThat(Files.isSymbolicLink(target.resolve("file"))).isFalse();
    assertThat(target.resolve("file")).hasContent("one");
  }

  @Test
  void aLinkIsWrittenThroughWhereThatIsAskedFor() throws IOException {
    Path outside = Files.writeString(dir.resolve("outside"), "old");
    Files.createDirectory(target);
    Files.createSymbolicLink(target.resolve("file"), outside);
    Cli.Result result = run("-a", "--follow-target-links", source + "/.", target.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(outside).hasContent("one");
    assertThat(Files.isSymbolicLink(target.resolve("file"))).isTrue();
  }

  @Test
  void aDirectoryIsNotCopiedIntoItselfByWhateverWay() throws IOException {
    Path around = Files.createSymbolicLink(dir.resolve("around"), source.resolve("inner"));
    List<Path> before = entries(source);
    for (Path into : List.of(source, source.resolve("inner"), source.resolve("new"), around)) {
      Cli.Result result = run("-a", source.toString(), into.toString());
      assertThat(result.exitCode()).as(into.toString()).isEqualTo(2);
      assertThat(result.err()).contains("cannot be copied into itself");
    }
    assertThat(entries(source)).isEqualTo(before);
  }

  @Test
  void aDirectoryIsNotCopiedOntoItself() throws IOException {
    Cli.Result result = run("-a", source.toString(), dir.toString());
    assertThat(result.exitCode()).isEqualTo(9);
    assertThat(result.err()).contains("is the same directory as").contains("it is unharmed");
  }

  @Test
  void aDirectoryIsRefusedWithoutRecursionAndTheFilesBesideItAreCopied() throws IOException {
    Files.createDirectory(target);
    Path file = source.resolve("file");
    Cli.Result result = run("-p", source.toString(), file.toString(), target.toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains(source + ": is a directory (-r copies it)");
    assertThat(target.resolve("file")).hasContent("one");
  }

  @Test
  void directoriesOfOneNameAreMerged() throws IOException {
    Files.createDirectory(target);
    Path other = Files.createDirectories(dir.resolve("other/source"));
    Files.writeString(other.resolve("theirs"), "theirs");
    Cli.Result result = run("-a", source.toString(), other.toString(), target.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(target.resolve("source/theirs")).hasContent("theirs");
    assertThat(target.resolve("source/file")).hasContent("one");
  }

  @Test
  void linksAreFollowedWhereThatIsAskedForAndALoopEnds() throws IOException {
    Files.delete(source.resolve("link"));
    Files.createSymbolicLink(source.resolve("inner/up"), Path.of(".."));
    Files.createSymbolicLink(source.resolve("other"), Path.of("inner/deep"));
    Files.createSymbolicLink(source.resolve("dangling"), Path.of("nowhere"));
    Cli.Result result = run("-r", "-L", source.toString(), target.toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains("source/inner/up: leads back to")
        .contains("source/dangling: is a link that leads nowhere");
    assertThat(target.resolve("other")).isDirectory();
    assertThat(Files.isSymbolicLink(target.resolve("other"))).isFalse();
    assertThat(target.resolve("other/file")).hasContent("two");
    assertThat(target.resolve("inner/up")).doesNotExist();
  }

  @Test
  void namedLinksAloneAreFollowedWhereThatIsAskedFor() throws IOException {
    Path named = Files.createSymbolicLink(dir.resolve("named"), source);
    assertThat(run("-r", "-H", named.toString(), target.toString()).exitCode()).isZero();
    assertThat(Files.isSymbolicLink(target)).isFalse();
    assertThat(Files.isSymbolicLink(target.resolve("link"))).isTrue();
    Path kept = dir.resolve("kept");
    assertThat(run("-a", named.toString(), kept.toString()).exitCode()).isZero();
    assertThat(Files.isSymbolicLink(kept)).isTrue();
    Path slash = dir.resolve("slash");
    assertThat(run("-a", named + "/", slash.toString()).exitCode()).isZero();
    assertThat(slash.resolve("file")).hasContent("one");
  }

  @Test
  void namesOfOneFileStayNamesOfOneFileInWhateverOrderTheyCome() throws IOException {
    for (int i = 0; i < 50; i++) {
      Path folder = Files.createDirectories(source.resolve("many/" + i % 7));
      Files.createLink(folder.resolve("name" + i), source.resolve("file"));
    }
    assertThat(copy("-a", source, target)).isZero();
    FileStatus first = FileStatus.of(target.resolve("file"));
    assertThat(first.links()).isEqualTo(51);
    assertThat(FileStatus.of(target.resolve("many/3/name45")).isSameFile(first)).isTrue();
    // Again, onto what is there: two names of one file are not renamed onto each other.
    assertThat(run("-a", source + "/.", target.toString()).exitCode()).isZero();
    assertThat(FileStatus.of(target.resolve("file")).links()).isEqualTo(51);
    assertThat(leftovers(target)).isEmpty();
  }

  @Test
  void aNameOfAFileIsCopiedWhereItsFirstNameCannotBe() throws IOException {
    Files.createLink(source.resolve("inner/other"), source.resolve("file"));
    Files.createDirectories(target.resolve("file"));
    Cli.Result result = run("-a", source + "/.", target.toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(target.resolve("inner/other")).hasContent("one");
  }

  @Test
  void directoriesKeepTheirTimesAndModesThoughTheyAreFilled() throws IOException {
    FileTime time = FileTime.fromMillis(123_456_789);
    Path deep = source.resolve("inner/deep");
    Files.setPosixFilePermissions(deep, PosixFilePermissions.fromString("r-xr-x---"));
    Files.setLastModifiedTime(deep, time);
    Files.setLastModifiedTime(source.resolve("inner"), time);
    Files.setLastModifiedTime(source, time);
    assertThat(copy("-a", source, target)).isZero();
    Path copied = target.resolve("inner/deep");
    assertThat(FileStatus.of(copied).permissions()).isEqualTo(0550);
    for (Path each : List.of(target, target.resolve("inner"), copied)) {
      assertThat(Files.getLastModifiedTime(each)).isEqualTo(time);
    }
    Files.setPosixFilePermissions(deep, PosixFilePermissions.fromString("rwx------"));
    Files.setPosixFilePermissions(copied, PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void aDryRunTellsAndMakesNothing() throws IOException {
    Cli.Result result = Cli.run("copy", "-a", "--dry-run", source.toString(), target.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(target).doesNotExist();
    assertThat(result.out() + result.err()).contains("inner/deep/file").contains("link");
  }

  @Test
  void aListNamesWhatIsTakenAndTheWayThereIsMade() throws IOException {
    Path list = Files.writeString(dir.resolve("list"), "inner/deep/file\nmissing\nempty\n");
    Files.setLastModifiedTime(source.resolve("inner"), FileTime.fromMillis(1_000));
    Cli.Result result = run("-a", "--files-from=" + list, source.toString(), target.toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("source/missing: no such file or directory");
    assertThat(target.resolve("inner/deep/file")).hasContent("two");
    assertThat(target.resolve("empty")).isDirectory();
    assertThat(target.resolve("file")).doesNotExist();
    assertThat(Files.getLastModifiedTime(target.resolve("inner")).toMillis()).isEqualTo(1_000);
  }

  @Test
  void aListOfDirectoriesAndAllThatIsInThemTakesEachFileOnce() throws IOException {
    Path list = Files.writeString(dir.resolve("list"), "inner\ninner/deep\ninner/deep/file\n");
    Cli.Result result =
        Cli.run("copy", "-a", "--files-from=" + list, source.toString(), target.toString());
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).startsWith("copied 1 file,");
    assertThat(target.resolve("inner/deep/file")).hasContent("two");
    assertThat(target.resolve("inner/other")).doesNotExist();
  }

  @Test
  void directoriesOfThousandsAreCopiedWhole() throws IOException {
    for (int i = 0; i < 3000; i++) {
      Files.writeString(source.resolve("inner/file" + i), "content " + i);
    }
    for (int i = 0; i < 1500; i++) {
      Files.createDirectory(source.resolve("empty/directory" + i));
    }
    assertThat(copy("-a", source, target)).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
    for (int i = 0; i < 3000; i += 371) {
      assertThat(target.resolve("inner/file" + i)).hasContent("content " + i);
    }
    assertThat(leftovers(target)).isEmpty();
  }

  @Test
  void fifosAndDevicesAreMadeAnewAndSocketsNamed() throws Exception {
    assumeTrue(Programs.isRoot(), "only root makes device nodes");
    Path fifo = source.resolve("fifo");
    Path device = source.resolve("device");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    assertThat(new ProcessBuilder("mknod", device.toString(), "c", "1", "3").start().waitFor())
        .isZero();
    assertThat(copy("-a", source, target)).isZero();
    assertThat(FileStatus.of(target.resolve("fifo")).type()).isEqualTo(0010000);
    FileStatus copied = FileStatus.of(target.resolve("device"));
    assertThat(copied.represents()).isEqualTo(FileStatus.of(device).represents());
  }

  @Test
  void filesThatGetOnlyAttributesKeepTheirDataThoughTheirSourcesAreOneFile() throws IOException {
    Files.createLink(source.resolve("second"), source.resolve("file"));
    Files.setPosixFilePermissions(
        source.resolve("file"), PosixFilePermissions.fromString("rw-r-----"));
    Files.createDirectory(target);
    for (String name : List.of("file", "second")) {
      Files.writeString(target.resolve(name), "own data of " + name);
    }
    assertThat(run("-a", "--attributes-only", source + "/.", target.toString()).exitCode())
        .isZero();
    for (String name : List.of("file", "second")) {
      assertThat(target.resolve(name)).hasContent("own data of " + name);
      assertThat(Files.getPosixFilePermissions(target.resolve(name)))
          .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    }
  }

  @Test
  void withParentsALinkWithASlashBehindItIsTheDirectoryThatItLeadsTo() throws IOException {
    Path link = Files.createSymbolicLink(dir.resolve("to-source"), source);
    Files.createDirectory(target);
    assertThat(run("-r", "--parents", link + "/", target.toString()).exitCode()).isZero();
    Path copied = Path.of(target + link.toString());
    assertThat(Files.isSymbolicLink(copied)).isFalse();
    assertThat(entries(copied)).isEqualTo(entries(source));
  }

  @Test
  void aDryRunRefusesTheLinksThatARealRunRefuses() {
    Path here = Path.of("").toAbsolutePath().relativize(source.toAbsolutePath());
    for (String dryRun : List.of("--dry-run", "-q")) {
      Cli.Result result = run("-rs", dryRun, here.toString(), target.toString());
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.err()).contains("a link with a relative path can be made in the working");
    }
  }

  private static int copy(String option, Path source, Path target) {
    return run(option, source.toString(), target.toString()).exitCode();
  }

  private static Cli.Result run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("copy", "-q"));
    all.addAll(List.of(arguments));
    return Cli.run(all.toArray(String[]::new));
  }

  private static List<Path> entries(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.map(root::relativize).sorted().toList();
    }
  }

  private static List<Path> leftovers(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths.filter(path -> path.getFileName().toString().startsWith(".zcp-")).toList();
    }
  }
}
