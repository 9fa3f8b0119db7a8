package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `zcp sync`, and dry runs, between machines. The other machine is this one, by a real sshd.
@Timeout(300)
class SyncIT extends SshSetup {

  private static final FileTime THEN = FileTime.from(Instant.parse("2024-05-06T07:08:09.123456Z"));

  private Path source;
  private Path target;

  @BeforeEach
  void makeATree() throws Exception {
    source = Files.createDirectories(from.resolve("tree"));
    target = to.resolve("copy");
    sshd = Sshd.start(folder, "ListenAddress 127.0.0.2");
    Files.createDirectory(source.resolve("below"));
    file("same", "same");
    file("other", "other");
    file("changed", "new");
    file("below/deep", "deep");
    Files.write(source.resolve("large"), new byte[5 << 20]);
    Files.createLink(source.resolve("second"), source.resolve("same"));
    Files.createSymbolicLink(source.resolve("link"), Path.of("same"));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theTargetBecomesLikeTheSource(Way way) throws Exception {
    for (String slash : new String[] {"", "/", ""}) {
      BuiltZcp.Ended ended = sync(way, source + slash, target + slash, "--delete");
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertAlike();
    }
    Files.createDirectory(target.resolve("old"));
    Files.writeString(target.resolve("old/file"), "old");
    file("changed", "newer");
    permissions(source.resolve("same"), "rwx------");
    permissions(source.resolve("below"), "rwx--x--x");
    Files.delete(target.resolve("second"));
    Files.copy(target.resolve("same"), target.resolve("second"));
    BuiltZcp.Ended ended = sync(way, source, target, "--delete");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("2 deleted");
    assertAlike();
    assertThat(Files.isSameFile(target.resolve("same"), target.resolve("second"))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void whatIsThereAlreadyIsNotCountedAsCopied(Way way) throws Exception {
    assertThat(sync(way, source, target).exitCode()).isZero();
    BuiltZcp.Ended ended = sync(way, source, target);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).matches("(?s)[a-z]+ nothing.*; 7 files kept\\n.*");
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE"})
  void withDeleteWhatIsOfAnotherKindMakesWay(Way way) throws Exception {
    for (String name : List.of("changed", "large", "link", "second")) {
      Files.createDirectories(target.resolve(name + "/deep"));
    }
    Files.createSymbolicLink(target.resolve("below"), from);
    TreeSnapshot before = TreeSnapshot.of(target);
    BuiltZcp.Ended plan = sync(way, source, target, "-n", "--delete");
    assertThat(plan.exitCode()).as(plan.err()).isZero();
    assertThat(actions(plan))
        .contains(
            "delete changed/deep",
            "delete changed",
            "replace changed",
            "replace large",
            "delete below",
            "make directory below",
            "copy below/deep");
    assertThat(plan.err()).contains("9 deleted");
    assertThat(sync(way, source, target).exitCode()).isEqualTo(1);
    assertThat(target.resolve("large/deep")).isDirectory();
    assertThat(target.resolve("below")).isSymbolicLink();
    BuiltZcp.Ended limited = sync(way, source, target, "--delete", "--max-delete=100");
    assertThat(limited.exitCode()).as(limited.err()).isEqualTo(9);
    assertThat(target.resolve("large/deep")).isDirectory();
    BuiltZcp.Ended ended = sync(way, source, target, "--delete");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("9 deleted");
    assertAlike();
    assertThat(from.resolve("tree")).isDirectory();
    assertThat(from.resolve("deep")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"HERE", "THERE", "FROM_THERE", "BETWEEN"})
  void aDryRunHasTheExitCodeOfTheRealRunAndSaysIfThereIsNothingToDo(Way way) throws Exception {
    Files.createDirectories(target.resolve("changed"));
    assertThat(sync(way, source, target, "-n").exitCode()).isEqualTo(1);
    assertThat(sync(way, source, target).exitCode()).isEqualTo(1);
    Path empty = Files.createDirectory(from.resolve("empty"));
    Path alike = Files.createDirectory(to.resolve("alike"));
    Files.setLastModifiedTime(alike, Files.getLastModifiedTime(empty));
    BuiltZcp.Ended ended = sync(way, empty, alike, "-n");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("would copy nothing; nothing was done, as --dry-run asks");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aFileBecomesTheTargetAndNoDirectoryDoes(Way way) throws Exception {
    Path file = source.resolve("changed");
    assertThat(sync(way, file, target).exitCode()).isZero();
    assertThat(target).hasContent("new");
    file("changed", "newer");
    assertThat(sync(way, file, target).exitCode()).isZero();
    assertThat(target).hasContent("newer");
    BuiltZcp.Ended ended = sync(way, source, target);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(9);
    Files.delete(target);
    Files.createDirectory(target);
    ended = sync(way, file, target);
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(9);
    assertThat(ended.err()).contains("is a directory");
    assertThat(sync(way, file, target, "--delete").exitCode()).isNotZero();
    assertThat(target).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE"})
  void whatVanishesHasACodeOfItsOwnAndTheRestIsDeleted(Way way) throws Exception {
    Files.createDirectory(target);
    Files.writeString(target.resolve("old"), "old");
    // The largest file goes first.
    Files.write(source.resolve("first"), new byte[12 << 20]);
    Files.write(source.resolve("gone"), new byte[8 << 20]);
    String[] words =
        words("sync", "--delete", "--limit-rate=6M", way.source(source), way.target(target));
    BuiltZcp.Ended ended;
    try (BuiltZcp zcp = BuiltZcp.start(folder, words)) {
      zcp.await("the first file", this::isAnyPartThere);
      Files.delete(source.resolve("gone"));
      ended = zcp.end();
    }
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(11);
    assertThat(ended.err()).contains("gone: vanished", "1 deleted");
    assertThat(target.resolve("old")).doesNotExist();
    assertThat(target.resolve("first")).hasSize(12 << 20);
  }

  @Test
  void theWorkingDirectoryMayBeTheTarget() throws Exception {
    Files.createDirectory(target);
    List<String> there = List.of("env", "-C", target.toString());
    String[] words = words("sync", "-q", "box:" + source, ".");
    assertThat(BuiltZcp.run(folder, there, words).exitCode()).isZero();
    assertAlike();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"HERE", "THERE", "FROM_THERE", "BETWEEN"})
  void aDryRunNamesChangesOnlyAndMakesNone(Way way) throws Exception {
    BuiltZcp.Ended first = sync(way, source, target, "-n");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(actions(first)).contains("make directory below", "copy below/deep", "copy large");
    assertThat(actions(first)).contains("make symbolic link link");
    // Either name may be the first.
    boolean isSameFirst = actions(first).contains("copy same");
    assertThat(actions(first))
        .contains(isSameFirst ? "make hard link second" : "make hard link same");
    assertThat(target).doesNotExist();
    assertThat(sync(way, source, target).exitCode()).isZero();
    BuiltZcp.Ended nothing = sync(way, source, target, "-n", "--delete");
    assertThat(nothing.out()).isEmpty();
    assertThat(nothing.err()).contains("nothing was done, as --dry-run asks");
    Files.createDirectories(target.resolve("old/deep"));
    Files.writeString(target.resolve("old/deep/file"), "old");
    Files.createDirectory(source.resolve("new"));
    file("new/file", "new");
    file("changed", "newer");
    permissions(source.resolve("other"), "rwx------");
    permissions(source.resolve("below"), "rwx--x--x");
    Files.setLastModifiedTime(source, THEN);
    Files.setLastModifiedTime(target, THEN);
    Files.delete(target.resolve("link"));
    Files.createSymbolicLink(target.resolve("link"), Path.of("elsewhere"));
    Files.setLastModifiedTime(target, THEN);
    TreeSnapshot before = TreeSnapshot.of(target);
    BuiltZcp.Ended ended = sync(way, source, target, "-n", "--delete");
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(actions(ended))
        .containsExactlyInAnyOrder(
            "replace changed",
            "replace link",
            "make directory new",
            "copy new/file",
            "correct attributes below",
            "correct attributes other",
            "delete old/deep/file",
            "delete old/deep",
            "delete old");
    assertThat(ended.err()).contains("2 replaced; 2 corrected;", "3 deleted");
    assertThat(before.differences(TreeSnapshot.of(target))).isEmpty();
    BuiltZcp.Ended done = sync(way, source, target, "--delete");
    assertThat(done.exitCode()).as(done.err()).isZero();
    assertThat(done.err()).contains("2 corrected; ", "; 3 deleted");
    assertAlike();
    assertThat(sync(way, source, target, "--delete").err()).doesNotContain("corrected");
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"HERE", "THERE"})
  void aFurtherNameIsNotTakenForAnEmptyFileOfItsTime(Way way) throws Exception {
    Files.createDirectory(target);
    for (String name : new String[] {"same", "second"}) {
      Path empty = Files.createFile(target.resolve(name));
      Files.setLastModifiedTime(empty, Files.getLastModifiedTime(source.resolve("same")));
    }
    assertThat(actions(sync(way, source, target, "-n"))).contains("replace second");
    BuiltZcp.Ended ended = sync(way, source, target);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertAlike();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"HERE", "THERE"})
  void filesThatAreOneInTheTargetBecomeTwoThereToo(Way way) throws Exception {
    for (String name : new String[] {"large", "other"}) {
      Path twin = source.resolve(name + " twin");
      Files.copy(source.resolve(name), twin, StandardCopyOption.COPY_ATTRIBUTES);
      permissions(twin, "rwx------");
    }
    Files.createSymbolicLink(source.resolve("link twin"), Path.of("same"));
    for (List<String> command : List.of(List.of("sync"), List.of("copy", "-aT"))) {
      assertThat(sync(way, source, target).exitCode()).isZero();
      for (String name : new String[] {"large", "other", "link"}) {
        Files.delete(target.resolve(name + " twin"));
        Files.createLink(target.resolve(name + " twin"), target.resolve(name));
      }
      List<String> words = new ArrayList<>(command.subList(1, command.size()));
      words.addAll(List.of(way.source(source), way.target(target)));
      BuiltZcp.Ended ended = zcp(command.getFirst(), words.toArray(String[]::new));
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertAlike();
    }
    assertThat(sync(way, source, target).err()).contains(" nothing", "; 10 files kept");
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"HERE", "THERE"})
  void linksThatCannotBeFollowedAreReplacedAndReplaceFiles(Way way) throws Exception {
    Files.createDirectory(target);
    Map<String, String> links = new HashMap<>();
    links.put("other", "same/of-a-file");
    links.put("large", "x".repeat(300));
    links.put("same", "same");
    for (String name : links.keySet()) {
      Files.createSymbolicLink(target.resolve(name), Path.of(links.get(name)));
      Files.createSymbolicLink(source.resolve("to " + name), Path.of(links.get(name)));
      Files.writeString(target.resolve("to " + name), "old");
    }
    BuiltZcp.Ended ended = sync(way, source, target);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertAlike();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"THERE", "FROM_THERE"})
  void aDryRunOfACopyTellsWhatWouldBeReplacedAndFailsAsTheCopyWould(Way way) throws Exception {
    Files.createDirectories(target.resolve("tree/changed"));
    Files.writeString(target.resolve("tree/same"), "other");
    BuiltZcp.Ended ended = zcp("copy", "-a", "--dry-run", way.source(source), way.target(target));
    // The others would be copied.
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
    assertThat(ended.err()).contains("tree/changed").contains("is a directory");
    assertThat(ended.out()).contains("/tree/same\n", "make directory ");
    assertThat(target.resolve("tree/same")).hasContent("other");
  }

  @Test
  void aDryRunCanBeSentToAReceiverThatListens() throws Exception {
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            "receive",
            "--once",
            "--accept=all",
            "--listen=127.0.0.1:0",
            inbox.toString())) {
      BuiltZcp.Ended ended =
          BuiltZcp.run(folder, "send", "-a", "--dry-run", receiver.firstLine(), source.toString());
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      assertThat(ended.out()).contains("copy " + source + "/large -> tree/large\n");
      assertThat(ended.err()).contains("nothing was done, as --dry-run asks");
      BuiltZcp.Ended received = receiver.end();
      assertThat(received.exitCode()).as(received.err()).isZero();
      assertThat(received.err()).contains("a dry run: nothing is made");
    }
    assertThat(inbox).isEmptyDirectory();
  }

  private boolean isAnyPartThere() throws IOException {
    try (Stream<Path> entries = Files.list(target)) {
      return entries.anyMatch(each -> each.getFileName().toString().startsWith(".zcp-"));
    }
  }

  /// What each line says, with the name below the source or the target.
  private List<String> actions(BuiltZcp.Ended ended) {
    List<String> actions = new ArrayList<>();
    for (String line : ended.out().lines().toList()) {
      String plain =
          line.replaceFirst(" -> .*", "")
              .replaceFirst("(box:|far:)?" + source + "/", "")
              .replaceFirst("(box:|far:)?" + target + "/", "");
      actions.add(plain);
    }
    return actions;
  }

  private void file(String name, String content) throws IOException {
    Path file = source.resolve(name);
    Files.writeString(file, content);
    Files.setLastModifiedTime(file, THEN);
  }

  private static void permissions(Path path, String text) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(text));
  }

  private void assertAlike() throws IOException {
    assertThat(TreeSnapshot.of(source).differences(TreeSnapshot.of(target))).isEmpty();
  }

  private BuiltZcp.Ended sync(Way way, Object from, Object to, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of(options));
    if (way == Way.RELAYED) {
      words.add("--relay");
    }
    words.add(way.source(from));
    words.add(way.target(to));
    return zcp("sync", words.toArray(String[]::new));
  }
}
