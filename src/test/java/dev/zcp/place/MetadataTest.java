package dev.zcp.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Metadata.Replaced;
import dev.zcp.testing.Archive;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.tree.Handle;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Preserve;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataTest {

  private static final int UMASK = 027;
  private static final Preserve MODE_ONLY =
      new Preserve(true, false, false, false, false, false, false);

  private final Losses losses = new Losses();

  @TempDir Path dir;

  private Path from;
  private Path to;

  @BeforeEach
  void makeDirectories() throws IOException {
    from = Files.createDirectory(dir.resolve("from"));
    to = Files.createDirectory(dir.resolve("to"));
  }

  @Test
  void aCopyOfAFileHasAllThatItsSourceHas() throws IOException {
    requireRoot();
    Path file = Files.writeString(from.resolve("x"), "content");
    Programs.run("chown", "1234:5678", file.toString());
    Programs.run("chmod", "6751", file.toString());
    set(file, "user.plain", "value");
    set(file, "user.empty", "");
    set(file, "user.long", "v".repeat(2000));
    set(file, "trusted.root", "secret");
    // CAP_NET_RAW, permitted and effective: capabilities(7), linux/capability.h.
    set(file, "security.capability", "0x0100000200200000000000000000000000000000");
    Programs.run("setfacl", "-m", "u:1000:rw,g:1001:r,m:rx", file.toString());
    Programs.run("touch", "-a", "-d", "@1700000000.987654321", file.toString());
    Programs.run("touch", "-m", "-d", "@-86400.000000001", file.toString());

    FileStatus status = file(Archive.ALL, null);

    FileStatus copy = FileStatus.of(to.resolve("x"));
    assertThat(copy.wholeMode()).isEqualTo(status.wholeMode()).isEqualTo(06751);
    assertThat(copy.owner()).isEqualTo(1234);
    assertThat(copy.group()).isEqualTo(5678);
    assertThat(copy.modified()).isEqualTo(status.modified());
    assertThat(copy.modified().toInstant().getNano()).isEqualTo(999_999_999);
    assertThat(copy.accessedSeconds()).isEqualTo(1700000000);
    assertThat(copy.accessedNanos()).isEqualTo(987654321);
    assertThat(attributes(to.resolve("x"))).isEqualTo(attributes(file)).contains("security.cap");
    assertThat(lists(to.resolve("x"))).isEqualTo(lists(file)).contains("user:1000:rw-");
    assertThat(losses.all()).isEmpty();
  }

  @Test
  void aCopyThatKeepsNothingIsTheUsersOwnAndMasked() throws IOException {
    requireRoot();
    Path file = Files.writeString(from.resolve("x"), "content");
    Programs.run("chown", "1234:5678", file.toString());
    Programs.run("chmod", "4777", file.toString());
    set(file, "user.plain", "value");
    Files.setLastModifiedTime(file, FileTime.fromMillis(0));
    file(Preserve.USUAL, null);
    FileStatus copy = FileStatus.of(to.resolve("x"));
    assertThat(copy.wholeMode()).isEqualTo(0777 & ~UMASK);
    assertThat(copy.owner()).isZero();
    assertThat(copy.modified()).isNotEqualTo(FileTime.fromMillis(0));
    assertThat(attributes(to.resolve("x"))).isEmpty();
  }

  @Test
  void aFileThatReplacesAnotherTakesItsPermissionsAndOwner() throws IOException {
    requireRoot();
    Files.writeString(from.resolve("x"), "content");
    Path old = Files.writeString(dir.resolve("old"), "old");
    Programs.run("chown", "1234:5678", old.toString());
    Programs.run("chmod", "4641", old.toString());
    file(Preserve.USUAL, old);
    FileStatus copy = FileStatus.of(to.resolve("x"));
    assertThat(copy.wholeMode()).isEqualTo(0641);
    assertThat(copy.owner()).isEqualTo(1234);
    assertThat(copy.group()).isEqualTo(5678);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileThatReplacesAnotherTakesItsListAndNoOther(boolean list) throws IOException {
    requireLists();
    Files.writeString(from.resolve("x"), "content");
    Path old = Files.writeString(dir.resolve("old"), "old");
    Programs.run("chmod", "660", old.toString());
    if (list) {
      Programs.run("setfacl", "-m", "g::-,g:1:rwx", old.toString());
    }
    Programs.run("setfacl", "-d", "-m", "u:1000:rwx", to.toString());
    file(Preserve.USUAL, old);
    assertThat(lists(to.resolve("x"))).isEqualTo(lists(old));
    assertThat(losses.all()).isEmpty();
  }

  /// What its list gave to others must not go to its group instead.
  @Test
  void aGroupGetsNoMoreWhereTheListCannotBeKept() throws IOException {
    requireLists();
    Files.writeString(from.resolve("x"), "content");
    Path old = Files.writeString(dir.resolve("old"), "old");
    Programs.run("chmod", "600", old.toString());
    Programs.run("setfacl", "-m", "g::r,g:1:rwx", old.toString());
    try (Mounted without = Mounted.inMemory(dir, "ramfs")) {
      to = without.path();
      file(Preserve.USUAL, old);
      assertThat(FileStatus.of(old).permissions()).isEqualTo(0670);
      assertThat(FileStatus.of(to.resolve("x")).permissions()).isEqualTo(0640);
      assertThat(losses.all()).extracting(Loss::kind).containsExactly(Loss.LossKind.ACL);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 6755", "1234, 0, 2755", "0, 1234, 4755", "1234, 1234, 755"})
  void rightsAreLentOnlyByTheirOwner(int owner, int group, String kept) throws IOException {
    requireRoot();
    Path file = Files.writeString(from.resolve("x"), "content");
    Programs.run("chown", owner + ":" + group, file.toString());
    Programs.run("chmod", "6755", file.toString());
    file(MODE_ONLY, null);
    assertThat(Integer.toOctalString(FileStatus.of(to.resolve("x")).wholeMode())).isEqualTo(kept);
    assertThat(losses.all().isEmpty()).isEqualTo(owner == 0 && group == 0);
  }

  /// Only what the source has is given: a list that comes with the place would give others a right.
  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true"})
  void aDirectorysDefaultListGivesACopyNothing(boolean mode, boolean acl) throws IOException {
    requireLists();
    Programs.run("setfacl", "-d", "-m", "u:1000:rwx", to.toString());
    Path file = Files.writeString(from.resolve("x"), "content");
    Programs.run("chmod", "640", file.toString());
    file(new Preserve(mode, false, false, false, acl, false, false), null);
    assertThat(lists(to.resolve("x"))).doesNotContain("user:1000");
    Files.createDirectory(from.resolve("d"));
    Files.createDirectory(to.resolve("d"));
    directory(new Preserve(mode, false, false, false, acl, false, false), true);
    assertThat(lists(to.resolve("d"))).doesNotContain("user:1000");
  }

  @Test
  void aDirectorysDefaultListStaysWherePermissionsAreNotKept() throws IOException {
    requireLists();
    Programs.run("setfacl", "-d", "-m", "u:1000:rwx", to.toString());
    Files.writeString(from.resolve("x"), "content");
    file(Preserve.USUAL, null);
    assertThat(lists(to.resolve("x"))).contains("user:1000");
  }

  /// The list comes down from directory to directory, whether or not each is asked.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aNewDirectoryHandsTheDefaultListOnOrHasNone(boolean list) throws IOException {
    requireLists();
    if (list) {
      Programs.run("setfacl", "-d", "-m", "u:1000:rwx", to.toString());
    }
    byte[] name = {'d'};
    try (OpenDirectory top = open(to)) {
      top.makeDirectory(name, 0700);
      try (OpenDirectory made = top.newDirectory(name);
          NativeFile file = made.create(name, 0600)) {
        assertThat(made.newFileDefaults(file.descriptor()).inheritsList()).isEqualTo(list);
      }
    }
  }

  @Test
  void aDirectoryHasItsSourcesListsAndTimes() throws IOException {
    requireLists();
    Path source = Files.createDirectory(from.resolve("d"));
    Path target = Files.createDirectory(to.resolve("d"));
    Programs.run("setfacl", "-m", "u:1000:rwx,d:u:1001:r", source.toString());
    Programs.run("setfacl", "-m", "u:1002:rwx,d:u:1003:r", target.toString());
    Programs.run("touch", "-d", "@-1.000000005", source.toString());
    directory(Archive.ALL, false);
    assertThat(lists(target)).isEqualTo(lists(source)).contains("default:user:1001:r--");
    assertThat(FileStatus.of(target).modified().toInstant())
        .isEqualTo(Instant.ofEpochSecond(-2, 999_999_995));
  }

  @Test
  void anExistingDirectoryKeepsItsPermissionsAndANewOneItsSetgid() throws IOException {
    Path source = Files.createDirectory(from.resolve("d"));
    Path target = Files.createDirectory(to.resolve("d"));
    Programs.run("chmod", "777", source.toString());
    Programs.run("chmod", "2711", target.toString());
    directory(Preserve.USUAL, false);
    assertThat(FileStatus.of(target).wholeMode()).isEqualTo(02711);
    directory(Preserve.USUAL, true);
    assertThat(FileStatus.of(target).wholeMode()).isEqualTo(02000 | 0777 & ~UMASK);
    directory(MODE_ONLY, false);
    assertThat(FileStatus.of(target).wholeMode()).isEqualTo(0777);
  }

  @Test
  void linksAndFifosHaveOwnersTimesAndAttributes() throws IOException {
    requireRoot();
    for (String name : List.of("link", "fifo")) {
      Path source = from.resolve(name);
      Path target = to.resolve(name);
      if (name.equals("link")) {
        Files.createSymbolicLink(source, Path.of("nowhere"));
        Files.createSymbolicLink(target, Path.of("nowhere"));
      } else {
        Programs.fifo(source);
        Programs.fifo(target);
        Programs.run("chmod", "1772", source.toString());
      }
      Programs.run("chown", "-h", "1234:5678", source.toString());
      Programs.run("setfattr", "-h", "-n", "trusted.t", "-v", "v", source.toString());
      Programs.run("touch", "-h", "-d", "@-5.25", source.toString());
      try (OpenDirectory sources = open(from);
          OpenDirectory targets = open(to)) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        FileStatus status = sources.statusOf(bytes);
        special(Archive.ALL, sources, targets, bytes, status);
        FileStatus copy = targets.statusOf(bytes);
        assertThat(copy.mode()).isEqualTo(status.mode());
        assertThat(copy.owner()).isEqualTo(1234);
        assertThat(copy.group()).isEqualTo(5678);
        assertThat(copy.modified().toInstant()).isEqualTo(Instant.ofEpochSecond(-6, 750_000_000));
      }
      assertThat(attributes(target)).contains("trusted.t=\"v\"");
    }
    assertThat(losses.all()).isEmpty();
  }

  @Test
  void aFifoWhosePermissionsAreNotKeptIsMasked() throws IOException {
    Programs.run("chmod", "0777", Programs.fifo(from.resolve("fifo")).toString());
    Programs.run("chmod", "0600", Programs.fifo(to.resolve("fifo")).toString());
    byte[] name = "fifo".getBytes(StandardCharsets.UTF_8);
    try (OpenDirectory sources = open(from);
        OpenDirectory targets = open(to)) {
      FileStatus status = sources.statusOf(name);
      special(Preserve.USUAL, sources, targets, name, status);
      assertThat(targets.statusOf(name).permissions()).isEqualTo(0777 & ~UMASK);
    }
  }

  @Test
  void manyAttributesAreMoreThanOneGlance() throws IOException {
    Path file = Files.writeString(from.resolve("x"), "content");
    for (int i = 0; i < 60; i++) {
      set(file, "user." + "n".repeat(30) + i, "");
    }
    file(Archive.ALL, null);
    assertThat(attributes(to.resolve("x")).lines()).hasSize(60);
    assertThat(losses.all()).isEmpty();
  }

  private void requireRoot() throws IOException {
    assumeTrue(Programs.isRoot(), "only root may give files away");
    Programs.assume("setfattr");
  }

  private void requireLists() {
    Programs.assume("setfacl");
    assumeTrue(
        Programs.succeeds("setfacl", "-m", "u:1:r", Path.of(dir.toString()).toString()),
        "no access control lists here");
  }

  private static void set(Path file, String name, String value) throws IOException {
    Programs.run("setfattr", "-n", name, "-v", value, file.toString());
  }

  private static String attributes(Path file) throws IOException {
    return Programs.run("getfattr", "-h", "-d", "-m", "^(user|trusted|security)", file.toString())
        .replaceFirst("(?s)^(getfattr: .*?\n)?# file: .*?\n", "");
  }

  private static String lists(Path file) throws IOException {
    return Programs.run("getfacl", "-n", "-p", "-c", file.toString());
  }

  /// Copies the attributes of `from/x` to the new file `to/x`.
  private FileStatus file(Preserve preserve, Path replaced) throws IOException {
    byte[] name = {'x'};
    try (OpenDirectory sources = open(from);
        OpenDirectory targets = open(to);
        OpenDirectory above = open(dir);
        NativeFile source = sources.file(name, false);
        NativeFile target = targets.create(name, 0600)) {
      FileStatus status = source.status();
      Replaced old =
          replaced == null
              ? null
              : new Replaced(above, RawPath.of(replaced).lastComponent(), FileStatus.of(replaced));
      metadata(preserve)
          .file(
              Handle.of(source.descriptor()), status, targets, target, Metadata.AS_IT_IS, old, "x");
      return status;
    }
  }

  /// Copies the attributes of the directory `from/d` to `to/d`.
  private void directory(Preserve preserve, boolean created) throws IOException {
    byte[] name = {'d'};
    try (OpenDirectory sources = open(from);
        OpenDirectory targets = open(to);
        OpenDirectory source = sources.directory(name, false);
        OpenDirectory target = targets.directory(name, false)) {
      metadata(preserve)
          .directory(Handle.of(source.descriptor()), source.status(), target, created, "d");
    }
  }

  private void special(
      Preserve preserve,
      OpenDirectory sources,
      OpenDirectory targets,
      byte[] name,
      FileStatus status)
      throws IOException {
    try (Handle made = Handle.hold(targets, name)) {
      metadata(preserve).special(Handle.of(sources.descriptor(), name), status, made, "special");
    }
  }

  private Metadata metadata(Preserve preserve) {
    return new Metadata(preserve, losses, UMASK, false, false);
  }

  private static OpenDirectory open(Path path) throws IOException {
    return OpenDirectory.open(RawPath.of(path));
  }
}
