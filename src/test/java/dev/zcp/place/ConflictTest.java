package dev.zcp.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.testing.Programs;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Backup;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.Numbered;
import dev.zcp.tree.Policy.OnChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConflictTest {

  /// `EXT4_LINK_MAX`; other file systems let a file have more.
  private static final int EXT4_NAMES_MAX = 65_000;

  @TempDir Path dir;

  private final List<String> notes = new ArrayList<>();
  private final List<String> questions = new ArrayList<>();

  @Test
  void twoFilesAreDecidedByPolicy() throws Exception {
    FileStatus source = FileStatus.of(Files.createFile(dir.resolve("a")));
    FileStatus target = FileStatus.of(Files.createFile(dir.resolve("b")));
    assertThat(kept(policy(Existing.REPLACE, false), source, target, false, "a", "b")).isNull();
    assertThat(kept(policy(Existing.KEEP, true), source, target, false, "a", "b"))
        .isEqualTo("exists and is kept");
    assertRefused(
        () -> kept(policy(Existing.REFUSE, true), source, target, false, "a", "b"),
        "b: already exists");
    assertThat(questions).isEmpty();
  }

  @Test
  void whoIsAskedDecides() throws Exception {
    FileStatus source = FileStatus.of(Files.createFile(dir.resolve("a")));
    FileStatus target = FileStatus.of(Files.createFile(dir.resolve("b")));
    assertThat(kept(policy(Existing.ASK, true), source, target, false, "a", "b")).isNull();
    assertThat(kept(policy(Existing.ASK, false), source, target, false, "a", "b"))
        .isEqualTo("exists and is kept, as you said");
    assertThat(questions).containsExactly("replace b?", "replace b?");
  }

  @Test
  void whoIsAskedOnlyAboutOlderFilesIsNotAskedAboutOthers() throws Exception {
    Path source = Files.createFile(dir.resolve("a"));
    Path target = Files.createFile(dir.resolve("b"));
    Files.setLastModifiedTime(source, FileTime.fromMillis(2_000_000));
    Files.setLastModifiedTime(target, FileTime.fromMillis(2_000_000));
    assertThat(
            kept(
                policy(Existing.ASK_IF_OLDER, true),
                FileStatus.of(source),
                FileStatus.of(target),
                false,
                "a",
                "b"))
        .isEqualTo("is not older than a");
    assertThat(questions).isEmpty();
    Files.setLastModifiedTime(target, FileTime.fromMillis(1_000_000));
    assertThat(
            kept(
                policy(Existing.ASK_IF_OLDER, true),
                FileStatus.of(source),
                FileStatus.of(target),
                false,
                "a",
                "b"))
        .isNull();
    assertThat(questions).containsExactly("replace b?");
  }

  @Test
  void aDirectoryIsNeverReplacedByAFile() throws Exception {
    FileStatus file = FileStatus.of(Files.createFile(dir.resolve("a")));
    FileStatus directory = FileStatus.of(Files.createDirectory(dir.resolve("c")));
    for (Existing existing : List.of(Existing.REPLACE, Existing.ASK, Existing.REFUSE)) {
      assertRefused(
          () -> kept(policy(existing, true), file, directory, false, "a", "c"),
          existing == Existing.REFUSE ? "c: already exists" : "c: is a directory");
    }
    assertThat(kept(policy(Existing.KEEP, true), file, directory, false, "a", "c"))
        .isEqualTo("exists and is kept");
  }

  @Test
  void aFileIsNeverReplacedByItself() throws Exception {
    Path file = Files.createFile(dir.resolve("a"));
    Path link = Files.createLink(dir.resolve("b"), file);
    for (Existing existing : Existing.values()) {
      assertRefused(
          () ->
              kept(
                  policy(existing, true),
                  FileStatus.of(file),
                  FileStatus.of(link),
                  false,
                  "a",
                  "b"),
          "b: is the same file as a (it is unharmed)");
    }
  }

  /// Of two commands with one target, each replaces what the other made, and inode numbers are used
  /// again.
  @Test
  void whatHasTheInodeOfThisRunsFileUnderAnotherNameIsReplaced() throws Exception {
    Path first = Files.createFile(dir.resolve("first"));
    Conflict conflict = policy(Existing.REPLACE, true);
    FileStatus source = FileStatus.of(dir);
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(dir))) {
      Conflict.Claim claim = new Conflict.Claim();
      Named names = new Named("a", "b", false);
      claim.begin(names, directory, bytes("first"), source, false, true);
      conflict.remember(claim, FileStatus.of(first));
      Path other = Files.move(first, dir.resolve("other"));
      claim.begin(names, directory, bytes("other"), source, false, true);
      conflict.decide(claim, FileStatus.of(other));
      assertThat(claim.keptBecause()).isNull();
    }
  }

  @Test
  void whatIsAsNewIsNotOlder() throws Exception {
    FileStatus source = fileOf("a", "2026-01-01T00:00:00.123456789Z");
    assertThat(FileAge.isOlder(fileOf("b", "2026-01-01T00:00:00.123456789Z"), source)).isFalse();
    assertThat(FileAge.isOlder(fileOf("c", "2026-01-01T00:00:00.123456788Z"), source)).isTrue();
    assertThat(FileAge.isOlder(fileOf("d", "2026-01-01T00:00:00.123456790Z"), source)).isFalse();
    // A whole second by chance: the time of the change tells that nanoseconds are kept there.
    assertThat(FileAge.isOlder(fileOf("e", "2026-01-01T00:00:00Z"), source)).isTrue();
  }

  @Test
  void whatAFileSystemCannotTellIsNotHeldAgainstItsFiles() {
    FileStatus source = at("1969-12-31T23:59:57.9Z", "2026-01-01T00:00:00.5Z");
    assertThat(FileAge.isOlder(at("1969-12-31T23:59:56Z", "2026-01-01T00:00:00Z"), source))
        .isFalse();
    assertThat(FileAge.isOlder(at("1969-12-31T23:59:54Z", "2026-01-01T00:00:00Z"), source))
        .isTrue();
    FileStatus later = at("2026-01-01T00:00:01.999999999Z", "2026-01-01T00:00:00Z");
    assertThat(FileAge.isOlder(at("2026-01-01T00:00:01Z", "2026-01-01T00:00:03Z"), later))
        .isFalse();
    assertThat(FileAge.isOlder(at("2026-01-01T00:00:01.99Z", "2026-01-01T00:00:03.01Z"), later))
        .isFalse();
    assertThat(FileAge.isOlder(at("2026-01-01T00:00:01.9999999Z", "2026-01-01T00:00:03Z"), later))
        .isFalse();
    assertThat(FileAge.isOlder(at("2026-01-01T00:00:01.9999998Z", "2026-01-01T00:00:03Z"), later))
        .isTrue();
  }

  @Test
  void withoutBackupsNothingIsSetAside() throws Exception {
    Files.writeString(dir.resolve("a"), "old");
    setAside(null, "a");
    assertThat(dir).isDirectoryNotContaining("glob:**~");
  }

  @Test
  void aBackupIsTheOldFileWhoseNameStaysItsOwn() throws Exception {
    Path file = Files.writeString(dir.resolve("a"), "old");
    setAside(new Backup(Numbered.NEVER, ".bak"), "a");
    assertThat(Files.isSameFile(file, dir.resolve("a.bak"))).isTrue();
    Files.delete(file);
    Files.writeString(file, "newer");
    setAside(new Backup(Numbered.NEVER, ".bak"), "a");
    assertThat(dir.resolve("a.bak")).hasContent("newer");
    assertThat(dir.resolve("a")).hasContent("newer");
    assertThat(dir.toFile().list()).containsExactlyInAnyOrder("a", "a.bak");
  }

  @Test
  void aBackupThatIsThereAlreadyLeavesNoThirdName() throws Exception {
    Path file = Files.writeString(dir.resolve("a"), "old");
    Files.createLink(dir.resolve("a~"), file);
    setAside(new Backup(Numbered.NEVER, "~"), "a");
    assertThat(dir.toFile().list()).containsExactlyInAnyOrder("a", "a~");
  }

  @Test
  void aNumberedBackupTakesTheFirstNumberThatIsFree() throws Exception {
    Files.writeString(dir.resolve("a"), "old");
    Files.writeString(dir.resolve("a.~1~"), "oldest");
    setAside(new Backup(Numbered.ALWAYS, "~"), "a");
    setAside(new Backup(Numbered.ALWAYS, "~"), "a");
    assertThat(dir.resolve("a.~1~")).hasContent("oldest");
    assertThat(dir.resolve("a.~2~")).hasContent("old");
    assertThat(dir.resolve("a.~3~")).hasContent("old");
  }

  @Test
  void aLinkIsSetAsideItself() throws Exception {
    Files.createSymbolicLink(dir.resolve("a"), Path.of("nowhere"));
    setAside(new Backup(Numbered.NEVER, "~"), "a");
    assertThat(Files.readSymbolicLink(dir.resolve("a~"))).isEqualTo(Path.of("nowhere"));
  }

  @Test
  void whatIsGoneNeedsNoBackup() throws Exception {
    setAside(new Backup(Numbered.NEVER, "~"), "a");
    setAside(new Backup(Numbered.ALWAYS, "~"), "a");
    assertThat(dir.toFile().list()).isEmpty();
  }

  @Test
  void whereThereCanBeNoBackupNothingChanges() throws Exception {
    String longest = "a".repeat(255);
    Files.writeString(dir.resolve(longest), "old");
    for (Numbered numbered : Numbered.values()) {
      assertThatThrownBy(() -> setAside(new Backup(numbered, "~"), longest))
          .isInstanceOf(IOException.class)
          .hasMessage("is not replaced: the name of its backup would be too long");
      assertThat(dir.toFile().list()).containsExactly(longest);
    }
  }

  /// As `-b` asks for.
  @Test
  void aNameThatIsTooLongForANumberStillGetsASuffix() throws Exception {
    String name = "a".repeat(254);
    Files.writeString(dir.resolve(name), "old");
    setAside(new Backup(Numbered.IF_BEGUN, "~"), name);
    assertThat(dir.resolve(name + "~")).hasContent("old");
  }

  @Test
  void aFileThatCanHaveNoMoreNamesIsRenamed() throws Exception {
    Path file = Files.writeString(dir.resolve("a"), "old");
    Path names = Files.createDirectory(dir.resolve("names"));
    assumeTrue(
        hasNoMoreNamesAfter(EXT4_NAMES_MAX, file, names),
        "a file can have more than " + EXT4_NAMES_MAX + " names here");
    setAside(new Backup(Numbered.NEVER, "~"), "a");
    assertThat(dir.toFile().list()).containsExactlyInAnyOrder("a~", "names");
    assertThat(notes).hasSize(1).first().asString().contains("by renaming");
    Files.move(dir.resolve("a~"), file);
    setAside(new Backup(Numbered.ALWAYS, "~"), "a");
    assertThat(dir.toFile().list()).containsExactlyInAnyOrder("a.~1~", "names");
  }

  private static boolean hasNoMoreNamesAfter(int count, Path file, Path names) throws IOException {
    try {
      for (int i = 0; i < count; i++) {
        Files.createLink(names.resolve(Integer.toString(i)), file);
      }
      return false;
    } catch (FileSystemException e) {
      return true;
    }
  }

  @Test
  void whereThereAreNoHardLinksABackupIsRenamedAndSaysSoOnce() throws Exception {
    Path fat = mountFat();
    try {
      for (String name : List.of("a", "b")) {
        Files.writeString(fat.resolve(name), name);
      }
      Conflict overwriting = policy(new Backup(Numbered.ALWAYS, "~"));
      try (OpenDirectory directory = OpenDirectory.open(RawPath.of(fat))) {
        setAside(overwriting, directory, bytes("a"));
        setAside(overwriting, directory, bytes("b"));
        Files.writeString(fat.resolve("a"), "next");
        setAside(overwriting, directory, bytes("a"));
      }
      assertThat(fat.toFile().list()).containsExactlyInAnyOrder("a.~1~", "a.~2~", "b.~1~");
      assertThat(fat.resolve("a.~2~")).hasContent("next");
      assertThat(notes).hasSize(1).first().asString().contains("by renaming");
    } finally {
      Programs.run("umount", fat.toString());
    }
  }

  private Path mountFat() throws IOException {
    assumeTrue(Programs.isRoot(), "only root may mount");
    Path image = dir.resolve("fat.img");
    Programs.run("truncate", "-s", "16M", image.toString());
    Programs.run("mkfs.vfat", image.toString());
    Path place = Files.createDirectory(dir.resolve("fat"));
    assumeTrue(
        Programs.succeeds("mount", "-o", "loop", image.toString(), place.toString()),
        "this kernel cannot mount FAT");
    return place;
  }

  private void setAside(Backup backup, String name) throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(dir))) {
      setAside(policy(backup), directory, bytes(name));
    }
  }

  /// As right before something takes the name.
  private void setAside(Conflict conflict, OpenDirectory directory, byte[] name)
      throws IOException {
    Conflict.Claim claim = new Conflict.Claim();
    try {
      claim.begin(new Named("a", "b", false), directory, name, FileStatus.of(dir), true, false);
      conflict.replace(claim, FileStatus.ofNew(FileType.REGULAR, Instant.EPOCH));
      conflict.reveal(claim, (_, _) -> {});
    } catch (Failure e) {
      throw new AssertionError(e);
    }
  }

  private record Named(String source, String target, boolean isOneName)
      implements Conflict.ClaimSource {

    @Override
    public boolean isAt(OpenDirectory directory, byte[] name) {
      return isOneName;
    }
  }

  private static String kept(
      Conflict conflict,
      FileStatus source,
      FileStatus existing,
      boolean isOneName,
      String sourceLabel,
      String label)
      throws IOException, Failure {
    Conflict.Claim claim = new Conflict.Claim();
    try (OpenDirectory any = OpenDirectory.open(RawPath.of(Path.of("/")))) {
      claim.begin(
          new Named(sourceLabel, label, isOneName), any, bytes(label), source, false, false);
      conflict.decide(claim, existing);
    }
    return claim.keptBecause();
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  private Conflict policy(Existing existing, boolean answer) {
    return new Conflict(
        new Policy(existing, null, false, OnChange.RETRY, false),
        question -> {
          questions.add(question);
          return answer;
        },
        notes::add,
        Conflict.Repetition.FAILS);
  }

  private Conflict policy(Backup backup) {
    Policy asked = new Policy(Existing.REPLACE, backup, false, OnChange.RETRY, false);
    return new Conflict(asked, _ -> false, notes::add, Conflict.Repetition.FAILS);
  }

  private static void assertRefused(ThrowingCallable decision, String message) {
    assertThatThrownBy(decision)
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.EXISTS))
        .hasMessage(message);
  }

  private FileStatus fileOf(String name, String modified) throws IOException {
    Path file = Files.createFile(dir.resolve(name));
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse(modified)));
    return FileStatus.of(file);
  }

  private static FileStatus at(String modified, String changed) {
    Instant change = Instant.parse(changed);
    Instant modification = Instant.parse(modified);
    return new FileStatus(
        1,
        1,
        0100644,
        0,
        0,
        1,
        0,
        0,
        0,
        change.getEpochSecond(),
        change.getNano(),
        modification.getEpochSecond(),
        modification.getNano(),
        change.getEpochSecond(),
        change.getNano(),
        0);
  }
}
