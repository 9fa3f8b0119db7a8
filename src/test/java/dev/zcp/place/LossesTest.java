package dev.zcp.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.testing.Archive;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.tree.Handle;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What real file systems cannot keep, and what they cannot do.
class LossesTest {

  private final Losses losses = new Losses();

  /// One for all files of a test: what it saw of the file system spares it looks.
  private final Metadata metadata = new Metadata(Archive.ALL, losses, 022, false, false);

  @TempDir Path dir;

  private Path from;

  @BeforeEach
  void makeSource() throws IOException {
    from = Files.createDirectory(dir.resolve("from"));
  }

  @Test
  void lossesAreCountedByTheirKindAndTheFirstIsNamed() {
    losses.add(Loss.LossKind.ACL, "a", "first reason");
    losses.add(Loss.LossKind.ACL, "b", "second reason");
    losses.add(Loss.LossKind.MODE, "c", "reason");
    assertThat(losses.all())
        .containsExactly(
            new Loss(Loss.LossKind.MODE, 1, "c", "reason"),
            new Loss(Loss.LossKind.ACL, 2, "a", "first reason"));
  }

  /// ramfs has owners, modes and times, and nothing else.
  @Test
  void whatAFileSystemHasNoPlaceForIsALossOfEachFile() throws IOException {
    try (Mounted ram = Mounted.inMemory(dir, "ramfs")) {
      for (String name : new String[] {"a", "b"}) {
        source(name);
        Programs.run("setfattr", "-n", "user.one", from.resolve(name).toString());
        Programs.run("setfattr", "-n", "user.two", from.resolve(name).toString());
        copy(ram.path(), name);
      }
    }
    assertThat(losses.all())
        .containsExactly(
            new Loss(Loss.LossKind.XATTR, 2, "a", "user.one: operation not supported"));
  }

  /// Where there is a list the mode shows its mask in place of the group's permissions. With the
  /// mode alone the group would get what the list denied it.
  @Test
  void aListThatCannotBeKeptGivesTheGroupNoMoreThanItHad() throws IOException {
    try (Mounted ram = Mounted.inMemory(dir, "ramfs")) {
      Path source = source("a");
      Programs.run("setfacl", "-m", "u::rw,u:1000:rwx,g::r,m::rwx,o::-", source.toString());
      assertThat(FileStatus.of(source).wholeMode()).isEqualTo(0670);
      copy(ram.path(), "a");
      assertThat(FileStatus.of(ram.path().resolve("a")).wholeMode()).isEqualTo(0640);
    }
    assertThat(losses.all())
        .containsExactly(new Loss(Loss.LossKind.ACL, 1, "a", "operation not supported"));
  }

  /// ext4 with small inodes: whole seconds, from 1901 to 2038, and no error.
  @Test
  void timesThatAFileSystemCutsAreALoss() throws IOException {
    try (Mounted small = Mounted.inFile(dir, "ext4", "16M", "-q", "-I", "128")) {
      for (String time : new String[] {"@1", "@2147483647", "@-1", "@1.5", "@3", "@4000000000"}) {
        Programs.run("touch", "-d", time, source(time).toString());
        copy(small.path(), time);
      }
      assertThat(FileStatus.of(small.path().resolve("@4000000000")).modified().toInstant())
          .isEqualTo(Instant.ofEpochSecond(Integer.MAX_VALUE));
    }
    assertThat(losses.all())
        .containsExactly(
            new Loss(Loss.LossKind.TIMES, 2, "@1.5", "the file system keeps less of them"));
  }

  /// ext4 has one block for a file's attributes and says ENOSPC of what does not fit, with room for
  /// any number of blocks.
  @Test
  void anAttributeThatIsTooLargeIsALossAndAFullFileSystemAFailure() throws IOException {
    try (Mounted small = Mounted.inFile(dir, "ext4", "16M", "-q", "-b", "1024", "-m", "0")) {
      Path source = source("a");
      Programs.run("setfattr", "-n", "user.large", "-v", "v".repeat(2000), source.toString());
      copy(small.path(), "a");
      assertThat(losses.all())
          .containsExactly(
              new Loss(Loss.LossKind.XATTR, 1, "a", "user.large: more than the file system keeps"));
      source("b");
      Programs.run("setfattr", "-n", "user.b", "-v", "v".repeat(500), from.resolve("b").toString());
      Programs.succeeds("dd", "if=/dev/zero", "of=" + small.path().resolve("rest"), "bs=1k");
      assertThatThrownBy(() -> copy(small.path(), "b"))
          .isInstanceOf(FileSystemException.class)
          .hasMessage("b: No space left on device");
    }
    assertThat(losses.all()).hasSize(1);
  }

  @Test
  void anAccessListThatIsTooLargeIsALoss() throws IOException {
    try (Mounted small = Mounted.inFile(dir, "ext4", "16M", "-q", "-b", "1024", "-m", "0")) {
      Path source = source("a");
      StringBuilder list = new StringBuilder("u:1000:r");
      for (int i = 1; i < 200; i++) {
        list.append(",u:").append(1000 + i).append(":r");
      }
      Programs.run("setfacl", "-m", list.toString(), source.toString());
      copy(small.path(), "a");
    }
    assertThat(losses.all())
        .containsExactly(new Loss(Loss.LossKind.ACL, 1, "a", "more than the file system keeps"));
  }

  private Path source(String name) throws IOException {
    return Files.writeString(from.resolve(name), "content");
  }

  private void copy(Path to, String name) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    try (OpenDirectory sources = OpenDirectory.open(RawPath.of(from));
        OpenDirectory targets = OpenDirectory.open(RawPath.of(to));
        NativeFile source = sources.file(bytes, false);
        NativeFile target = targets.create(bytes, 0600)) {
      metadata.file(
          Handle.of(source.descriptor()),
          source.status(),
          targets,
          target,
          Metadata.AS_IT_IS,
          null,
          name);
    }
  }
}
