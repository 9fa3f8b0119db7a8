package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `zcp copy --link-dest`, here and between machines: what has not changed since the former copy is
/// another name of that, and all else is a file of its own. The other machine is this one, by a
/// real sshd.
@Timeout(300)
class LinkDestIT extends SshSetup {

  /// Small files go in parts, and this one does not.
  private static final int LARGE_BYTES = 3 << 20;

  private static final List<String> FILES =
      List.of("same", "deep/er/same", "large", "content", "mode", "empty");

  private Path source;
  private Path monday;
  private Path tuesday;

  @BeforeEach
  void makeATree() throws IOException {
    source = from.resolve("tree");
    monday = to.resolve("monday");
    tuesday = to.resolve("tuesday");
    Files.createDirectories(source.resolve("deep/er"));
    for (String each : FILES) {
      Files.writeString(source.resolve(each), each.equals("empty") ? "" : "content of " + each);
    }
    byte[] large = new byte[LARGE_BYTES];
    new Random(1).nextBytes(large);
    Files.write(source.resolve("large"), large);
    Files.createSymbolicLink(source.resolve("link"), Path.of("same"));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void whatHasNotChangedIsOneFileInBothCopies(Way way) throws Exception {
    assertWell(copy(way, source, monday));
    change();
    TreeSnapshot before = TreeSnapshot.of(monday);
    assertWell(copy(way, source, tuesday, "--link-dest=../monday"));
    assertThat(shared()).containsExactlyInAnyOrder("same", "deep/er/same", "large", "empty");
    assertSame(TreeSnapshot.of(source), TreeSnapshot.of(tuesday));
    assertSame(before, TreeSnapshot.of(monday));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aCopyThatIsThereIsCompletedAndHarmsNoFormerOne(Way way) throws Exception {
    assertWell(copy(way, source, monday));
    assertWell(copy(way, source, tuesday, "--link-dest=../monday"));
    Files.delete(tuesday.resolve("deep/er/same"));
    change();
    // With the slash-dot the content of the source goes to what is there.
    assertWell(copy(way, source.resolve("."), tuesday, "--link-dest=" + monday));
    assertThat(shared()).containsExactlyInAnyOrder("same", "deep/er/same", "large", "empty");
    assertSame(TreeSnapshot.of(source), TreeSnapshot.of(tuesday));
    assertThat(Files.readString(monday.resolve("content"))).isEqualTo("content of content");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(monday.resolve("mode"))))
        .isNotEqualTo("rw-------");
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theFirstOfSeveralFormerCopiesThatHasTheFileIsLinkedTo(Way way) throws Exception {
    Path older = to.resolve("older");
    assertWell(copy(way, source, older));
    assertWell(copy(way, source, monday));
    Files.delete(monday.resolve("same"));
    assertWell(copy(way, source, tuesday, "--link-dest=" + monday, "--link-dest=" + older));
    assertThat(shared()).contains("large").doesNotContain("same");
    assertThat(Files.isSameFile(older.resolve("same"), tuesday.resolve("same"))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aFormerCopyThatIsNotThereIsTold(Way way) throws Exception {
    BuiltZcp.Ended ended = copy(way, source, tuesday, "--link-dest=../sunday");
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(4);
    assertThat(ended.err()).contains("--link-dest=../sunday");
    assertThat(tuesday.resolve("same")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aLinkInAFormerCopyLeadsNowhere(Way way) throws Exception {
    assertWell(copy(way, source, monday));
    Path elsewhere = Files.createDirectory(to.resolve("elsewhere"));
    Files.move(monday.resolve("deep/er"), elsewhere.resolve("er"));
    Files.createSymbolicLink(monday.resolve("deep/er"), elsewhere.resolve("er"));
    assertWell(copy(way, source, tuesday, "--link-dest=../monday"));
    assertThat(Files.isSameFile(elsewhere.resolve("er/same"), tuesday.resolve("deep/er/same")))
        .isFalse();
    assertSame(TreeSnapshot.of(source), TreeSnapshot.of(tuesday));
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void namesOfOneFileStayNamesOfOneFile(Way way) throws Exception {
    Files.createLink(source.resolve("deep/second"), source.resolve("same"));
    assertWell(copy(way, source, monday));
    assertWell(copy(way, source, tuesday, "--link-dest=../monday"));
    assertThat(Files.isSameFile(tuesday.resolve("same"), tuesday.resolve("deep/second"))).isTrue();
    assertThat(Files.isSameFile(monday.resolve("same"), tuesday.resolve("same"))).isTrue();
    assertSame(TreeSnapshot.of(source), TreeSnapshot.of(tuesday));
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"HERE", "THERE"})
  void aSnapshotThatIsNotNamedStaysAsItIsToo(Way way) throws Exception {
    assertWell(copy(way, source, monday));
    assertWell(copy(way, source, tuesday, "--link-dest=../monday"));
    Path empty = Files.createDirectory(to.resolve("empty"));
    TreeSnapshot before = TreeSnapshot.of(monday);
    for (String each : List.of("same", "large")) {
      Files.setPosixFilePermissions(
          source.resolve(each), PosixFilePermissions.fromString("rw-------"));
    }
    assertWell(copy(way, source.resolve("."), tuesday, "--link-dest=" + empty));
    assertSame(TreeSnapshot.of(source), TreeSnapshot.of(tuesday));
    assertSame(before, TreeSnapshot.of(monday));
  }

  /// As du(1) sees it, which counts a file with two names once.
  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"HERE", "THERE"})
  void ofThousandsOfFilesOnlyWhatHasChangedTakesRoom(Way way) throws Exception {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      Path file = Path.of("many", "directory" + i % 30, "file" + i);
      Files.createDirectories(source.resolve(file).getParent());
      Files.writeString(source.resolve(file), ("content " + i + " ").repeat(600));
      files.add(file);
    }
    assertWell(copy(way, source, monday));
    long seed = System.nanoTime();
    Collections.shuffle(files, new Random(seed));
    for (Path each : files.subList(0, 10)) {
      Files.writeString(source.resolve(each), "another content");
    }
    Files.setPosixFilePermissions(
        source.resolve(files.get(10)), PosixFilePermissions.fromString("rw-------"));
    TreeSnapshot before = TreeSnapshot.of(monday);
    assertWell(copy(way, source, tuesday, "--link-dest=../monday"));
    assertSame(TreeSnapshot.of(source), TreeSnapshot.of(tuesday));
    assertSame(before, TreeSnapshot.of(monday));
    for (int i = 0; i < files.size(); i++) {
      boolean isShared =
          Files.isSameFile(monday.resolve(files.get(i)), tuesday.resolve(files.get(i)));
      assertThat(isShared).as("seed %d, %s", seed, files.get(i)).isEqualTo(i > 10);
    }
    String[] used = Programs.run("du", "-sk", monday.toString(), tuesday.toString()).split("\\s+");
    assertThat(Long.parseLong(used[0])).isGreaterThan(20_000);
    assertThat(Long.parseLong(used[2])).isLessThan(500);
  }

  @Test
  void aSnapshotThatWasKilledIsCompletedByTheSameCommand() throws Exception {
    for (int i = 0; i < 2000; i++) {
      Path directory = Files.createDirectories(source.resolve("many/" + i % 20));
      Files.writeString(directory.resolve("file" + i), "content " + i);
    }
    assertWell(copy(Way.HERE, source, monday));
    change();
    TreeSnapshot before = TreeSnapshot.of(monday);
    Random random = new Random(7);
    for (int i = 0; i < 5; i++) {
      BuiltZcp killed =
          BuiltZcp.start(
              folder,
              "copy",
              "-aqT",
              "--delete",
              "--link-dest=../monday",
              source.toString(),
              tuesday.toString());
      Thread.sleep(100 + random.nextInt(150));
      killed.signalIfAlive("KILL");
      killed.end();
      assertSame(before, TreeSnapshot.of(monday));
    }
    assertWell(copy(Way.HERE, source, tuesday, "-T", "--delete", "--link-dest=../monday"));
    assertThat(shared()).containsExactlyInAnyOrder("same", "deep/er/same", "large", "empty");
    assertSame(TreeSnapshot.of(source), TreeSnapshot.of(tuesday));
    assertSame(before, TreeSnapshot.of(monday));
  }

  /// A copy here names the links that it would make; between machines they are among what is kept.
  @ParameterizedTest
  @EnumSource(value = Way.class, mode = EnumSource.Mode.EXCLUDE, names = "RELAYED")
  void aDryRunTellsWhatWouldBeCopiedAndDoesNothing(Way way) throws Exception {
    assertWell(copy(way, source, monday));
    change();
    BuiltZcp.Ended ended = copy(way, source, tuesday, "--link-dest=../monday", "--dry-run");
    assertWell(ended);
    assertThat(ended.out().lines().filter(each -> each.startsWith("copy ")))
        .satisfiesExactlyInAnyOrder(
            each -> assertThat(each).contains("/content -> "),
            each -> assertThat(each).contains("/mode -> "));
    assertThat(tuesday).doesNotExist();
  }

  /// Other bytes of the same length, and a mode alone.
  private void change() throws IOException {
    Path content = source.resolve("content");
    Files.writeString(content, "Content of content");
    Files.setLastModifiedTime(content, FileTime.fromMillis(1));
    Files.setPosixFilePermissions(
        source.resolve("mode"), PosixFilePermissions.fromString("rw-------"));
  }

  private List<String> shared() throws IOException {
    List<String> shared = new ArrayList<>();
    for (String each : FILES) {
      if (Files.exists(monday.resolve(each))
          && Files.isSameFile(monday.resolve(each), tuesday.resolve(each))) {
        shared.add(each);
      }
    }
    return shared;
  }

  /// But for how many names the files have.
  private static void assertSame(TreeSnapshot one, TreeSnapshot other) {
    assertThat(one.differences(other)).allMatch(each -> each.contains(": links: "));
  }

  private static void assertWell(BuiltZcp.Ended ended) {
    assertThat(ended.exitCode()).as(ended.err()).isZero();
  }

  private BuiltZcp.Ended copy(Way way, Path what, Path where, String... options) throws Exception {
    if (sshd == null) {
      sshd = Sshd.start(folder, "ListenAddress 127.0.0.2");
    }
    List<String> words = new ArrayList<>(List.of("-a"));
    words.addAll(List.of(options));
    if (way == Way.RELAYED) {
      words.add("--relay");
    }
    words.add(way.source(what));
    words.add(way.target(where));
    return zcp("copy", words.toArray(String[]::new));
  }
}
