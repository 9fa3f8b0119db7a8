package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// `zcp copy --delete` between machines: what goes from a target, what stays, and when nothing
/// goes. The other machine is this one, by a real sshd.
@Timeout(300)
class RemoteDeleteIT extends SshSetup {

  private Path source;
  private Path target;

  /// Which ends are on another machine.
  private enum Way {
    THERE,
    FROM_THERE,
    BETWEEN,
    RELAYED;

    String source(Object path) {
      return this == THERE ? path.toString() : "box:" + path;
    }

    String target(Object path) {
      return switch (this) {
        case FROM_THERE -> path.toString();
        case THERE -> "box:" + path;
        case BETWEEN, RELAYED -> "far:" + path;
      };
    }
  }

  @BeforeEach
  void makeTwoTrees() throws IOException {
    source = from.resolve("tree");
    target = to.resolve("tree");
    for (Path each : List.of(source, target)) {
      Files.createDirectories(each.resolve("both/deep"));
      Files.writeString(each.resolve("both/file"), "content");
      Files.createDirectories(each.resolve("empty"));
    }
    Files.createDirectories(target.resolve("old/deep"));
    Files.writeString(target.resolve("old/deep/file"), "old");
    Files.writeString(target.resolve("both/old.txt"), "old");
    Files.writeString(target.resolve("empty/old"), "old");
    Files.createDirectories(source.resolve("new"));
    Files.writeString(source.resolve("new/file"), "new");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void whatTheSourceHasNotGoesAndIsCounted(Way way) throws Exception {
    BuiltZcp.Ended ended = copy(way, "-a", "--delete");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("5 deleted");
    assertThat(TreeSnapshot.of(source).differences(TreeSnapshot.of(target))).isEmpty();
    // Nothing is left to be deleted.
    assertThat(copy(way, "-a", "--delete").err()).doesNotContain("deleted");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theContentOfADirectoryIsComparedWithTheTargetItself(Way way) throws Exception {
    source = source.resolve(".");
    to = target;
    BuiltZcp.Ended ended = copy(way, "-a", "--delete");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source.normalize()));
  }

  @Test
  void onlyDirectoriesThatWereMergedLoseEntries() throws Exception {
    Files.writeString(to.resolve("other"), "other");
    Files.createDirectories(to.resolve("else/where"));
    assertThat(copy(Way.THERE, "-a", "--delete").exitCode()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
    assertThat(to.resolve("other")).exists();
    assertThat(to.resolve("else/where")).exists();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE", "BETWEEN"})
  void whatIsExcludedStaysAndSoDoTheDirectoriesThatHoldIt(Way way) throws Exception {
    Files.writeString(target.resolve("old/file.txt"), "old");
    BuiltZcp.Ended ended =
        copy(way, "-a", "--delete", "--exclude=*.txt", "--exclude=/empty/old", "--include=no.txt");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    List<String> expected = new ArrayList<>(entries(source));
    expected.addAll(List.of("both/old.txt", "old", "old/file.txt", "empty/old"));
    assertThat(entries(target)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE"})
  void nothingGoesIfAnythingCouldNotBeCopied(Way way) throws Exception {
    // What is excluded makes no way.
    Files.writeString(source.resolve("clash"), "file");
    Files.createDirectories(target.resolve("clash/kept"));
    List<String> before = entries(target);
    assertThat(copy(way, "-a", "--delete", "--exclude=kept").exitCode()).isNotZero();
    assertThat(entries(target)).containsAll(before);
  }

  @Test
  void whatCannotBeDeletedIsToldAndTheRestGoes() throws Exception {
    Path fixed = target.resolve("old/deep/file");
    assumeTrue(Programs.succeeds("chattr", "+i", fixed.toString()), "no chattr(1) here");
    BuiltZcp.Ended ended = copy(Way.THERE, "-a", "--delete");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err()).contains("all arrived, but the receiver failed: tree/old/deep/file: ");
    assertThat(fixed).exists();
    assertThat(target.resolve("empty/old")).doesNotExist();
    assertThat(source.resolve("new/file")).hasSameTextualContentAs(target.resolve("new/file"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE"})
  void moreThanTheLimitAreNotDeletedAndAsManyAsTheLimitAre(Way way) throws Exception {
    List<String> before = entries(target);
    BuiltZcp.Ended ended = copy(way, "-a", "--delete", "--max-delete=4");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
    assertThat(ended.err())
        .contains("5 would be deleted, and --max-delete is 4", "nothing was deleted");
    assertThat(entries(target)).containsAll(before);
    assertThat(copy(way, "-a", "--delete", "--max-delete=5").exitCode()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE"})
  void jsonCountsWhatWasDeleted(Way way) throws Exception {
    assertThat(copy(way, "-a", "--delete", "--json").out()).contains("\"deleted\":5,");
  }

  @Test
  void whatIsFetchedNamesEachThatIsDeletedHere() throws Exception {
    assertThat(copy(Way.FROM_THERE, "-av", "--delete").err())
        .contains("tree/old/deep/file: deleted", "tree/empty/old: deleted");
  }

  @Test
  void linksAreDeletedAndNotFollowed() throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.writeString(outside.resolve("precious"), "precious");
    Files.createSymbolicLink(target.resolve("link"), outside);
    Files.createSymbolicLink(target.resolve("old/link"), outside);
    assertThat(copy(Way.THERE, "-a", "--delete").exitCode()).isZero();
    assertThat(entries(target)).isEqualTo(entries(source));
    assertThat(outside.resolve("precious")).exists();
  }

  @Test
  void aDirectoryKeepsItsTimesThoughItLosesEntries() throws Exception {
    FileTime then = FileTime.from(Instant.parse("2024-05-06T07:08:09Z"));
    Files.setLastModifiedTime(source.resolve("both"), then);
    Files.setLastModifiedTime(source, then);
    assertThat(copy(Way.THERE, "-a", "--delete").exitCode()).isZero();
    assertThat(Files.getLastModifiedTime(target.resolve("both"))).isEqualTo(then);
    assertThat(Files.getLastModifiedTime(target)).isEqualTo(then);
  }

  /// The two names lead to one file, and both are listed: so neither is the other's spelling.
  @Test
  void anotherNameOfWhatIsKeptGoes() throws Exception {
    Files.writeString(source.resolve("photo"), "photo");
    Programs.run("cp", "-p", source + "/photo", target + "/photo");
    Files.createLink(target.resolve("PHOTO"), target.resolve("photo"));
    Files.writeString(target.resolve("BOTH"), "old");
    assertThat(copy(Way.THERE, "-a", "--skip-same", "--delete").exitCode()).isZero();
    assertThat(target.resolve("PHOTO")).doesNotExist();
    assertThat(target.resolve("photo")).hasContent("photo");
    assertThat(target.resolve("BOTH")).doesNotExist();
  }

  /// Each line: options and operands of a command, and what it says.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-ax --delete tree box:there | -x and --delete cannot be combined",
        "--delete tree box:there | --delete needs -r or -a",
        "-rL --delete tree box:there | --delete cannot follow links",
        "-a --max-delete=3 tree box:there | --max-delete needs --delete",
        "-an --delete tree box:there | --delete and -n cannot be combined",
        "-a --delete tree/. other box:there | several sources go there, and --delete would delete",
        "-a --delete box:tree/. box:other there | several sources go there, and --delete would",
      })
  void whatCannotBeCombinedIsRefused(String command, String message) throws Exception {
    BuiltZcp.Ended ended = BuiltZcp.run(folder, with(new String[] {"copy"}, command.split(" ")));
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains(message);
  }

  private BuiltZcp.Ended copy(Way way, String... options) throws Exception {
    if (sshd == null) {
      sshd = Sshd.start(folder, "ListenAddress 127.0.0.2");
    }
    String[] all = way == Way.RELAYED ? with(options, "--relay") : options;
    return zcp("copy", with(all, way.source(source), way.target(to)));
  }

  private static List<String> entries(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(each -> !each.equals(root))
          .map(each -> root.relativize(each).toString())
          .sorted()
          .toList();
    }
  }
}
