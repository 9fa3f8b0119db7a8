package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `zcp sync` on one machine.
class SyncTest {

  private static final FileTime THEN = FileTime.from(Instant.parse("2024-05-06T07:08:09.123456Z"));

  @TempDir Path dir;

  private Path source;
  private Path target;

  @BeforeEach
  void makeATree() throws IOException {
    source = Files.createDirectory(dir.resolve("source"));
    target = dir.resolve("target");
    Files.createDirectory(source.resolve("below"));
    file("same", "same");
    file("other", "other");
    file("changed", "new");
    file("below/deep", "deep");
    Files.createLink(source.resolve("second"), source.resolve("same"));
    Files.createSymbolicLink(source.resolve("link"), Path.of("same"));
  }

  @ParameterizedTest
  @CsvSource({"source, target", "source/, target", "source, target/", "source/., target/."})
  void theTargetBecomesLikeTheSourceWhereverSlashesAre(String from, String to) throws Exception {
    // With a dot behind it, what is not there cannot be made.
    if (to.endsWith(".")) {
      Files.createDirectory(target);
    }
    for (int i = 0; i < 2; i++) {
      Cli.Result result = sync(dir + "/" + from, dir + "/" + to);
      assertThat(result.exitCode()).as(result.err()).isZero();
      assertAlike();
    }
    assertThat(Files.isSameFile(target.resolve("same"), target.resolve("second"))).isTrue();
  }

  @Test
  void aSourceThatIsALinkToADirectoryIsThatDirectory() throws Exception {
    Files.createSymbolicLink(dir.resolve("alias"), source);
    assertThat(sync(dir + "/alias", target.toString()).exitCode()).isZero();
    assertAlike();
  }

  @Test
  void aTargetThatIsALinkToADirectoryIsThatDirectory() throws Exception {
    Files.createDirectory(target);
    Path alias = Files.createSymbolicLink(dir.resolve("alias"), target);
    assertThat(sync(source.toString(), alias.toString()).exitCode()).isZero();
    assertThat(alias).isSymbolicLink();
    assertAlike();
  }

  @Test
  void aFileBecomesTheTarget() throws Exception {
    assertThat(sync(source + "/changed", target.toString()).exitCode()).isZero();
    assertThat(target).hasContent("new");
    file("changed", "newer");
    assertThat(sync(source + "/changed", target.toString()).exitCode()).isZero();
    assertThat(target).hasContent("newer");
    Files.delete(target);
    Files.createDirectory(target);
    Cli.Result result = sync(source + "/changed", target.toString());
    assertThat(result.exitCode()).isEqualTo(9);
    assertThat(result.err()).contains("zcp: " + target + ": is a directory");
  }

  /// Each becomes what the other one is.
  private void makeOtherKinds() throws IOException {
    Files.createDirectories(target.resolve("changed/deep"));
    Files.writeString(target.resolve("changed/deep/old"), "old");
    Files.createDirectory(target.resolve("link"));
    Files.createDirectory(target.resolve("second"));
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "precious");
    Files.createSymbolicLink(target.resolve("changed/out"), outside);
    Files.createSymbolicLink(target.resolve("below"), outside);
  }

  @Test
  void withDeleteWhatIsOfAnotherKindMakesWay() throws Exception {
    Files.createDirectory(target);
    makeOtherKinds();
    TreeSnapshot before = TreeSnapshot.of(target);
    assertThat(syncWell("-n", "--delete").out().lines())
        .contains(
            "delete " + target + "/changed/deep/old",
            "delete " + target + "/changed/out",
            "delete " + target + "/changed",
            "replace " + source + "/changed -> " + target + "/changed",
            "delete " + target + "/below",
            "make directory " + source + "/below -> " + target + "/below");
    assertThat(before.differences(TreeSnapshot.of(target))).isEmpty();
    assertThat(sync(source.toString(), target.toString()).exitCode()).isEqualTo(1);
    assertThat(target.resolve("changed/deep/old")).hasContent("old");
    assertThat(target.resolve("below")).isSymbolicLink();
    assertThat(syncWell("--delete").err()).contains("7 deleted");
    assertAlike();
    assertThat(dir.resolve("outside/precious")).exists();
    assertThat(dir.resolve("outside/deep")).doesNotExist();
  }

  @Test
  void whatIsOfAnotherKindStaysIfItsUserHasALimitOrNamedIt() throws Exception {
    Files.createDirectory(target);
    makeOtherKinds();
    TreeSnapshot before = TreeSnapshot.of(target.resolve("changed"));
    Cli.Result limited = sync("--delete", "--max-delete=100", source.toString(), target.toString());
    assertThat(limited.exitCode()).isEqualTo(1);
    assertThat(limited.err()).contains("changed: is a directory", "nothing is deleted");
    Cli.Result named = sync("--delete", source + "/changed", target + "/changed");
    assertThat(named.exitCode()).isNotZero();
    assertThat(before.differences(TreeSnapshot.of(target.resolve("changed")))).isEmpty();
    assertThat(target.resolve("below")).isSymbolicLink();
  }

  @Test
  void thatThereWasNothingToDoIsSaid() throws Exception {
    String empty = Files.createDirectory(dir.resolve("empty")).toString();
    assertThat(sync(empty, target.toString()).err()).startsWith("copied 1 directory in ");
    assertThat(sync(empty, target.toString())).isEqualTo(new Cli.Result(0, "", "copied nothing\n"));
    String planned = "would copy nothing; nothing was done, as --dry-run asks\n";
    assertThat(sync("-n", empty, target.toString())).isEqualTo(new Cli.Result(0, "", planned));
    assertThat(sync("-n", dir + "/missing", target.toString()).err().lines()).hasSize(1);
  }

  @Test
  void whatHasSizeAndTimeIsLeftAloneAndItsMetadataAreCorrected() throws Exception {
    syncWell();
    Files.writeString(target.resolve("same"), "SAME");
    Files.setLastModifiedTime(target.resolve("same"), THEN);
    permissions(source.resolve("same"), "rwx------");
    permissions(source.resolve("below"), "rwx--x--x");
    Cli.Result result = syncWell();
    assertThat(result.err()).contains("copied nothing");
    assertThat(target.resolve("same")).hasContent("SAME");
    assertThat(permissions(target.resolve("same"))).isEqualTo("rwx------");
    assertThat(permissions(target.resolve("below"))).isEqualTo("rwx--x--x");
  }

  /// FAT would keep such a time as the second before; what the target is on keeps it as it is.
  @Test
  void aTimeOneSecondLaterIsAnother() throws Exception {
    syncWell();
    FileTime later = FileTime.from(Instant.ofEpochSecond(1_700_000_001));
    FileTime before = FileTime.from(Instant.ofEpochSecond(1_700_000_000));
    for (String name : List.of("same", "below")) {
      Files.setLastModifiedTime(source.resolve(name), later);
      Files.setLastModifiedTime(target.resolve(name), before);
    }
    assertThat(syncWell("-n").out()).contains("same").contains("below");
    syncWell();
    assertAlike();
  }

  @Test
  void whatOnlyTheTargetHasStaysUnlessItIsToBeDeleted() throws Exception {
    syncWell();
    Files.createDirectory(target.resolve("old"));
    Files.writeString(target.resolve("old/file"), "old");
    syncWell();
    assertThat(target.resolve("old/file")).exists();
    assertThat(syncWell("--delete", "--exclude=file").err()).doesNotContain("deleted");
    assertThat(syncWell("--delete").err()).contains("2 deleted");
    assertAlike();
  }

  @Test
  void aDryRunNamesChangesOnlyAndMakesNone() throws Exception {
    syncWell();
    String nothing = syncWell("-n", "--delete").out();
    assertThat(nothing).isEmpty();
    file("changed", "newer");
    file("more", "more");
    permissions(source.resolve("below"), "rwx--x--x");
    permissions(source.resolve("other"), "rwx------");
    Files.setLastModifiedTime(source, THEN);
    Files.createDirectory(target.resolve("old"));
    Files.writeString(target.resolve("old/file"), "old");
    Files.setLastModifiedTime(target, THEN);
    TreeSnapshot before = TreeSnapshot.of(target);
    Cli.Result result = syncWell("--dry-run", "--delete");
    assertThat(result.out().lines())
        .containsExactlyInAnyOrder(
            "replace " + source + "/changed -> " + target + "/changed",
            "copy " + source + "/more -> " + target + "/more",
            "correct attributes " + source + "/below -> " + target + "/below",
            "correct attributes " + source + "/other -> " + target + "/other",
            "delete " + target + "/old/file",
            "delete " + target + "/old");
    assertThat(result.err())
        .contains("would copy 2 files, 9 B;", "1 replaced; 2 corrected;", "2 deleted; nothing was");
    assertThat(before.differences(TreeSnapshot.of(target))).isEmpty();
    assertThat(syncWell("--delete").err()).contains("2 corrected; 5 files kept; 2 deleted");
    assertAlike();
  }

  @Test
  void aDryRunLeavesADirectoryAsItIsThatItsOwnerMayNotWriteTo() throws Exception {
    syncWell();
    permissions(source.resolve("below"), "r-xr-x---");
    permissions(target.resolve("below"), "r-xr-x---");
    assertThat(syncWell("-n").out()).isEmpty();
    assertThat(permissions(target.resolve("below"))).isEqualTo("r-xr-x---");
  }

  @Test
  void aDryRunCountsWhatIsReplacedAsTheRealRunDoes() throws Exception {
    syncWell();
    file("changed", "newer");
    Files.delete(source.resolve("link"));
    Files.createSymbolicLink(source.resolve("link"), Path.of("other"));
    Files.delete(target.resolve("second"));
    for (String name : List.of("same", "second")) {
      Files.writeString(target.resolve(name), "not what the source has");
    }
    String planned = syncWell("-n", "--json").out();
    String counts = counts(planned.substring(planned.indexOf("\"planned\":{")));
    assertThat(counts).isEqualTo(counts(syncWell("--json").out())).isEqualTo("2 0 1 1 0");
  }

  private static String counts(String json) {
    StringJoiner counts = new StringJoiner(" ");
    for (String field : List.of("files", "directories", "symlinks", "hardLinks", "specials")) {
      Matcher matcher = Pattern.compile("\"" + field + "\":(\\d+)").matcher(json);
      assertThat(matcher.find()).as(json).isTrue();
      counts.add(matcher.group(1));
    }
    return counts.toString();
  }

  @Test
  void aDryRunHasTheExitCodeOfTheRealRunIfSomeFilesFail() throws Exception {
    Files.createDirectories(target.resolve("changed"));
    for (String option : List.of("-n", "-q")) {
      Cli.Result result = sync(option, source.toString(), target.toString());
      assertThat(result.exitCode()).as(option).isEqualTo(1);
      assertThat(result.err()).contains("zcp: " + target + "/changed: is a directory");
    }
  }

  @Test
  void aDryRunNamesNoAttributeThatIsThereAndEachThatIsNot() throws Exception {
    Programs.assume("setfattr", "setfacl");
    assumeThat(
            Programs.succeeds("setfattr", "-n", "user.a", "-v", "1", source.resolve("other") + ""))
        .isTrue();
    Programs.succeeds("setfacl", "-m", "u:1:r", source.resolve("below").toString());
    syncWell();
    assertThat(syncWell("-n").out()).isEmpty();
    Programs.run("setfattr", "-n", "user.a", "-v", "2", source.resolve("other").toString());
    Programs.succeeds("setfacl", "-m", "u:1:rwx", source.resolve("below").toString());
    assertThat(syncWell("-n").out())
        .contains("correct attributes " + source + "/other -> ")
        .contains("correct attributes " + source + "/below -> ");
    syncWell();
    assertThat(syncWell("-n").out()).isEmpty();
  }

  @Test
  void whatHasAllOfItsSourceIsNotTouchedThoughItHasAttributesAndLists() throws Exception {
    Programs.assume("setfacl");
    assumeThat(Programs.succeeds("setfacl", "-m", "u:1:r", source.resolve("other").toString()))
        .isTrue();
    Programs.run("setfacl", "-m", "u:1:r", source.resolve("below").toString());
    syncWell();
    List<Path> kept = List.of(target.resolve("other"), target.resolve("below"));
    List<Object> before = new ArrayList<>();
    for (Path each : kept) {
      before.add(Files.getAttribute(each, "unix:ctime"));
    }
    syncWell();
    for (int i = 0; i < kept.size(); i++) {
      assertThat(Files.getAttribute(kept.get(i), "unix:ctime")).isEqualTo(before.get(i));
    }
  }

  @Test
  void aDryRunTellsOfAListThatADirectoryWouldLose() throws Exception {
    Programs.assume("setfacl");
    syncWell();
    assumeThat(Programs.succeeds("setfacl", "-dm", "u:1:r", target.resolve("below").toString()))
        .isTrue();
    assertThat(syncWell("-n").out()).startsWith("correct attributes " + source + "/below -> ");
    syncWell();
    assertThat(syncWell("-n").out()).isEmpty();
  }

  @Test
  void aDryRunTellsOfANameThatIsNotLinkedAsInTheSource() throws Exception {
    syncWell();
    Files.delete(target.resolve("second"));
    Files.copy(target.resolve("same"), target.resolve("second"));
    Files.setLastModifiedTime(target.resolve("second"), THEN);
    Files.setLastModifiedTime(target, Files.getLastModifiedTime(source));
    // Either may be the first.
    assertThat(syncWell("-n").out()).startsWith("replace " + source + "/s").hasLineCount(1);
    syncWell();
    assertThat(syncWell("-n").out()).isEmpty();
  }

  @Test
  void itTakesTwoOperandsAndNoStreams() {
    for (String[] words :
        new String[][] {
          {"sync"}, {"sync", "a"}, {"sync", "a", "b", "c"}, {"sync", "-", "b"}, {"sync", "a", "-"}
        }) {
      Cli.Result result = Cli.run(words);
      assertThat(result.exitCode()).as(Arrays.toString(words)).isEqualTo(2);
      assertThat(result.err().lines().filter(line -> line.startsWith("zcp")))
          .as(Arrays.toString(words))
          .hasSize(1);
    }
  }

  private void file(String name, String content) throws IOException {
    Path file = source.resolve(name);
    Files.writeString(file, content);
    Files.setLastModifiedTime(file, THEN);
  }

  private void assertAlike() throws IOException {
    assertThat(TreeSnapshot.of(source).differences(TreeSnapshot.of(target))).isEmpty();
  }

  private static void permissions(Path path, String text) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(text));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private Cli.Result syncWell(String... options) {
    String[] words = Arrays.copyOf(options, options.length + 2);
    words[options.length] = source.toString();
    words[options.length + 1] = target.toString();
    Cli.Result result = sync(words);
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result;
  }

  private static Cli.Result sync(String... words) {
    String[] all = new String[words.length + 1];
    all[0] = "sync";
    System.arraycopy(words, 0, all, 1, words.length);
    return Cli.run(all);
  }
}
