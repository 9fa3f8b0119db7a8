package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `zcp copy --delete`: what goes from a target, what stays, and when nothing goes.
class DeleteTest {

  /// More than one call of getdents64(2) brings.
  private static final int MANY = 3000;

  private static final int DEPTH = 1200;

  @TempDir Path dir;

  private Path source;
  private Path target;

  @BeforeEach
  void makeTwoTrees() throws IOException {
    source = dir.resolve("source");
    target = dir.resolve("target");
    for (Path each : List.of(source, target)) {
      Files.createDirectories(each.resolve("both"));
      Files.writeString(each.resolve("both/file"), "content");
    }
    Files.createDirectories(target.resolve("old/deep"));
    Files.writeString(target.resolve("old/deep/file"), "old");
    Files.writeString(target.resolve("both/old.txt"), "old");
    Files.writeString(target.resolve(".zcp-old.part"), "old");
  }

  @Test
  void whatTheSourceHasNotGoesAndIsCounted() throws IOException {
    Cli.Result result = copy("-a", "--delete");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.err()).contains("5 deleted").doesNotContain("old");
    assertThat(entries(target)).isEqualTo(entries(source));
  }

  @Test
  void eachIsNamedIfThatIsAskedForAndJsonCountsThem() throws IOException {
    assertThat(copy("-av", "--delete").err())
        .contains(target + "/old/deep/file: deleted", target + "/old: deleted");
    Files.writeString(target.resolve("more"), "old");
    assertThat(copy("-a", "--delete", "--json").out())
        .contains("{\"event\":\"deleted\",\"name\":\"" + target + "/more\"}", "\"deleted\":1,");
  }

  @Test
  void withoutTheOptionNothingGoes() throws IOException {
    List<String> before = entries(target);
    assertThat(copy("-a").exitCode()).isZero();
    assertThat(entries(target)).isEqualTo(before);
  }

  @Test
  void onlyDirectoriesThatWereMergedLoseEntries() throws IOException {
    Files.createDirectory(dir.resolve("above"));
    Files.move(target, dir.resolve("above/source"));
    Files.writeString(dir.resolve("above/other"), "other");
    assertThat(run("-a", "--delete", source.toString(), dir.resolve("above").toString()).exitCode())
        .isZero();
    assertThat(entries(dir.resolve("above/source"))).isEqualTo(entries(source));
    assertThat(dir.resolve("above/other")).exists();
  }

  @Test
  void anotherNameOfAFileThatIsKeptGoesAndTheFileStays() throws IOException {
    Files.createLink(target.resolve("both/other"), target.resolve("both/file"));
    Files.createLink(target.resolve("old/other"), target.resolve("both/file"));
    Files.setLastModifiedTime(
        source.resolve("both/file"), Files.getLastModifiedTime(target.resolve("both/file")));
    Cli.Result result = copy("-a", "--skip-same", "--delete");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
    assertThat(target.resolve("both/file")).hasContent("content");
  }

  @Test
  void aDirectoryKeepsItsTimesThoughItLosesEntries() throws IOException {
    FileTime then = FileTime.from(Instant.parse("2024-05-06T07:08:09Z"));
    Files.setLastModifiedTime(source.resolve("both"), then);
    Files.setLastModifiedTime(source, then);
    assertThat(copy("-a", "--delete").exitCode()).isZero();
    assertThat(Files.getLastModifiedTime(target.resolve("both"))).isEqualTo(then);
    assertThat(Files.getLastModifiedTime(target)).isEqualTo(then);
  }

  @Test
  void whatASessionGoesOnWithStaysWithItsJournal() throws IOException {
    List<String> session = List.of(".zcp-0123456789abcdef.journal", ".zcp-0123456789abcdef.part");
    for (String name : session) {
      Files.writeString(target.resolve(name), "half");
    }
    assertThat(copy("-a", "--delete").exitCode()).isZero();
    for (String name : session) {
      assertThat(target.resolve(name)).exists();
    }
  }

  @Test
  void aDryRunNamesEachEntryAndDeletesNone() throws IOException {
    List<String> before = entries(target);
    Cli.Result result = copy("-a", "--delete", "--dry-run");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out().lines())
        .contains(
            "delete " + target + "/old/deep/file",
            "delete " + target + "/old/deep",
            "delete " + target + "/old",
            "delete " + target + "/both/old.txt",
            "delete " + target + "/.zcp-old.part");
    assertThat(result.err()).contains("5 deleted", "nothing was done");
    assertThat(entries(target)).isEqualTo(before);
  }

  @Test
  void moreThanTheLimitAreNotDeletedAndAsManyAsTheLimitAre() throws IOException {
    List<String> before = entries(target);
    Cli.Result result = copy("-a", "--delete", "--max-delete=4");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err())
        .contains(
            "zcp: " + target + ": 5 would be deleted, and --max-delete is 4",
            "nothing was deleted");
    assertThat(entries(target)).isEqualTo(before);
    assertThat(copy("-a", "--delete", "--max-delete=5").exitCode()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
  }

  @Test
  void linksAreDeletedAndNotFollowed() throws IOException {
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "precious");
    Files.createSymbolicLink(target.resolve("link"), outside);
    Files.createSymbolicLink(target.resolve("old/link"), outside);
    assertThat(copy("-a", "--delete").exitCode()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
    assertThat(outside.resolve("precious")).exists();
  }

  @Test
  void whatIsExcludedStaysAndSoDoTheDirectoriesThatHoldIt() throws IOException {
    Files.writeString(target.resolve("old/file.txt"), "old");
    Cli.Result result = copy("-a", "--delete", "--exclude=*.txt");
    assertThat(result.exitCode()).as(result.err()).isZero();
    List<String> expected = new ArrayList<>(entries(source));
    expected.addAll(List.of("both/old.txt", "old", "old/file.txt"));
    assertThat(entries(target)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void nothingGoesIfAnythingCouldNotBeCopied() throws IOException {
    // What is excluded makes no way, nor does what is beside it.
    Files.writeString(source.resolve("clash"), "file");
    Files.createDirectories(target.resolve("clash/kept"));
    Files.createDirectories(target.resolve("clash/beside"));
    List<String> before = entries(target);
    Cli.Result result = copy("-a", "--delete", "--exclude=kept");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("clash: is in the way of " + source + "/clash");
    assertThat(result.err()).contains("--delete: nothing is deleted, since something failed");
    assertThat(entries(target)).isEqualTo(before);
  }

  @Test
  void nothingMakesWayAfterAFailure() throws IOException {
    Files.writeString(source.resolve("clash"), "file");
    Files.createDirectories(target.resolve("clash/kept"));
    Files.createDirectories(source.resolve("both/deep"));
    Files.writeString(source.resolve("both/deep/file"), "file");
    Files.createDirectories(target.resolve("both/deep/file/old"));
    Cli.Result result = copy("-a", "--delete", "--exclude=kept", "--jobs=1");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("both/deep/file: is a directory");
    assertThat(target.resolve("both/deep/file/old")).exists();
  }

  @Test
  void whatIsMountedMakesNoWay() throws IOException {
    Files.writeString(source.resolve("clash"), "file");
    Path place = Files.createDirectories(target.resolve("clash/place"));
    try (Mounted mounted = Mounted.inMemory(place, "tmpfs")) {
      Path file = Files.writeString(mounted.path().resolve("file"), "mounted");
      assertThat(copy("-a", "--delete").exitCode()).isEqualTo(1);
      assertThat(file).hasContent("mounted");
    }
  }

  @Test
  void aSourceThatIsInTheTargetMakesNoWay() throws IOException {
    Path inner = Files.createDirectories(target.resolve("both/inner"));
    Files.writeString(inner.resolve("both"), "content");
    assertThat(run("-a", "--delete", inner + "/.", target.toString()).exitCode()).isEqualTo(9);
    assertThat(inner.resolve("both")).hasContent("content");
  }

  @Test
  void aSourceThatIsInTheTargetStays() throws IOException {
    Path inner = Files.createDirectories(target.resolve("old/inner"));
    Files.writeString(inner.resolve("file"), "content");
    assertThat(run("-a", "--delete", inner + "/.", target.toString()).exitCode()).isZero();
    assertThat(inner.resolve("file")).hasContent("content");
    assertThat(entries(target))
        .containsExactlyInAnyOrder("file", "old", "old/inner", "old/inner/file");
  }

  @Test
  void aFileThatIsCopiedFromTheTargetStays() throws IOException {
    Path file = target.resolve("source/old/file");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "content");
    String[] operands = {source.toString(), file.toString(), target.toString()};
    assertThat(run("-a", "--delete", operands[0], operands[1], operands[2]).exitCode()).isZero();
    assertThat(file).hasContent("content");
    assertThat(target.resolve("file")).hasContent("content");
  }

  @Test
  void largeAndDeepDirectoriesGo() throws IOException {
    for (int i = 0; i < MANY; i++) {
      Files.createFile(target.resolve("f" + i));
      Files.createFile(target.resolve("old/f" + i));
    }
    Path deep = target.resolve("old");
    for (int i = 0; i < DEPTH; i++) {
      deep = Files.createDirectory(deep.resolve("d"));
    }
    Cli.Result result = copy("-a", "--delete");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
  }

  @Test
  void withOneFileSystemWhatIsMountedStays() throws IOException {
    Path place = target.resolve("old");
    try (Mounted mounted = Mounted.inMemory(place, "tmpfs")) {
      Files.writeString(mounted.path().resolve("precious"), "precious");
      assertThat(copy("-ax", "--delete").exitCode()).isZero();
      assertThat(mounted.path().resolve("precious")).exists();
      assertThat(target.resolve("both/old.txt")).doesNotExist();
    }
  }

  @Test
  void aDirectoryThatIsOneOfTheSourceInAnotherCaseMakesNoWay() throws IOException {
    try (Mounted mounted = Mounted.inFile(dir, "vfat", "16M")) {
      Path fat = mounted.path();
      Files.writeString(Files.createDirectory(fat.resolve("Clash")).resolve("old"), "old");
      Files.writeString(Files.createDirectory(source.resolve("Clash")).resolve("old"), "old");
      Files.writeString(source.resolve("clash"), "file");
      Cli.Result result = run("-r", "--delete", source + "/.", fat.toString());
      assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
      assertThat(result.err())
          .contains(
              "/clash: has a name that the target's file system takes for that of another entry");
      assertThat(fat.resolve("Clash/old")).exists();
    }
  }

  @Test
  void aNameThatTheTargetHasInAnotherCaseStays() throws IOException {
    try (Mounted mounted = Mounted.inFile(dir, "vfat", "16M")) {
      Path fat = mounted.path();
      Files.writeString(fat.resolve("Photo.JPG"), "old");
      Files.writeString(fat.resolve("Other.JPG"), "old");
      Files.writeString(source.resolve("photo.jpg"), "new");
      Cli.Result result = run("-r", "--delete", source + "/.", fat.toString());
      assertThat(result.exitCode()).as(result.err()).isZero();
      assertThat(fat.resolve("photo.jpg")).hasContent("new");
      assertThat(fat.resolve("Other.JPG")).doesNotExist();
    }
  }

  @Test
  void aCopyWhoseNameTheTargetCutsStays() throws IOException {
    try (Mounted mounted = Mounted.inFile(dir, "vfat", "16M")) {
      Path fat = mounted.path();
      Files.createDirectory(source.resolve("Acme Inc."));
      Files.writeString(source.resolve("Acme Inc./file"), "new");
      assertThat(run("-r", "--delete", source + "/.", fat.toString()).exitCode()).isZero();
      assertThat(fat.resolve("Acme Inc/file")).hasContent("new");
    }
  }

  /// The two names lead to one file, and both are listed: so neither is the other's spelling. In
  /// octal, since the test may have any locale.
  @ParameterizedTest
  @CsvSource({
    "photo, PHOTO",
    "\\0321\\0204, \\0320\\0244",
    "Inc., Inc",
    "caf\\0303\\0251, cafe\\0314\\0201",
    "\\0377a, \\0377A",
  })
  void anotherNameGoesHoweverLikeTheCopysItIs(String name, String spelling) throws IOException {
    sh(
        "name=$(printf %b '"
            + name
            + "') spelling=$(printf %b '"
            + spelling
            + "')\n"
            + "echo x > \"source/$name\"; cp -p \"source/$name\" \"target/$name\"\n"
            + "ln \"target/$name\" \"target/$spelling\"");
    assertThat(copy("-a", "--skip-same", "--delete").exitCode()).isZero();
    sh("test -e \"target/$(printf %b '" + name + "')\"");
    sh("! test -e \"target/$(printf %b '" + spelling + "')\"");
    assertThat(target.resolve("old")).doesNotExist();
  }

  @Test
  void anotherFileWhoseNameDiffersInCaseOnlyGoes() throws IOException {
    Files.writeString(source.resolve("photo"), "new");
    Files.writeString(target.resolve("PHOTO"), "old");
    assertThat(copy("-a", "--delete").exitCode()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--delete",
        "-r --max-delete=1",
        "-r --delete -n",
        "-r --delete -i",
        "-r --delete -b",
        "-r --delete -L",
        "-r --delete -l",
        "-r --delete --files-from=list",
        "-r --delete --verify-only",
        "-r --delete --max-delete=-1"
      })
  void whatMakesNoSenseIsRefused(String options) throws IOException {
    List<String> before = entries(target);
    assertThat(copy(options.split(" ")).exitCode()).isEqualTo(2);
    assertThat(entries(target)).isEqualTo(before);
  }

  @Test
  void sourcesThatWouldBeMergedAreRefused() throws IOException {
    Files.createDirectories(dir.resolve("second/source"));
    List<String> before = entries(target);
    Cli.Result result =
        run(
            "-a",
            "--delete",
            source.toString(),
            dir.resolve("second/source").toString(),
            target.toString());
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err()).contains("--delete would delete what the others have");
    assertThat(entries(target)).isEqualTo(before);
  }

  private void sh(String script) throws IOException {
    Programs.run("sh", "-ec", "cd \"$0\"\n" + script, dir.toString());
  }

  private static List<String> entries(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      return all.filter(each -> !each.equals(tree))
          .map(each -> tree.relativize(each).toString())
          .sorted()
          .toList();
    }
  }

  private Cli.Result copy(String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.add(source + "/.");
    arguments.add(target.toString());
    return run(arguments.toArray(String[]::new));
  }

  private static Cli.Result run(String... arguments) {
    List<String> words = new ArrayList<>(List.of("copy"));
    words.addAll(List.of(arguments));
    return Cli.run(words.toArray(String[]::new));
  }
}
