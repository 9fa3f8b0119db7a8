package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.Name;
import dev.zcp.io.HeldDirectory;
import dev.zcp.linux.FileStatus;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartialFileTest {

  private static final Name NAME = Name.of("target".getBytes(StandardCharsets.US_ASCII));
  private static final Metadata PLAIN = new Metadata(0640, null, Metadata.OWN, Metadata.OWN);

  @TempDir Path dir;

  private Path target;
  private HeldDirectory directory;
  private final Staging staging = new Staging();

  @BeforeEach
  void openDirectory() throws IOException {
    target = dir.resolve("target");
    directory = HeldDirectory.open(dir);
  }

  @AfterEach
  void closeDirectory() throws IOException {
    directory.close();
  }

  @Test
  void untilItIsPublishedAFileIsHiddenAndPrivate() throws IOException {
    PartialFile partial = partial("content");
    assertThat(names()).singleElement().asString().matches("\\.zcp-[0-9a-f]{16}\\.part");
    assertThat(FileStatus.of(dir.resolve(names().getFirst())).permissions()).isEqualTo(0600);
    assertThat(partial.discard()).isTrue();
    assertThat(names()).isEmpty();
  }

  @Test
  void twoPartialFilesOfOneTargetDoNotMeet() throws IOException {
    PartialFile first = partial("first");
    PartialFile second = partial("second");
    assertThat(names()).hasSize(2);
    first.publish(NAME, PLAIN);
    second.publish(NAME, PLAIN);
    assertThat(target).hasContent("second");
    assertThat(names()).containsExactly("target");
  }

  @Test
  void aPublishedFileHasItsContentItsModeAndItsTime() throws IOException {
    FileTime time = FileTime.from(Instant.ofEpochSecond(1_700_000_000, 123_456_789));
    partial("content").publish(NAME, PLAIN.withModified(time));
    assertThat(target).hasContent("content");
    assertThat(FileStatus.of(target).permissions()).isEqualTo(0640);
    assertThat(FileStatus.of(target).modified()).isEqualTo(time);
    assertThat(names()).containsExactly("target");
  }

  @Test
  void withoutATimeOfItsOwnAFileIsAsOldAsItsBytes() throws IOException {
    FileTime before = Files.getLastModifiedTime(Files.createFile(dir.resolve("before")));
    partial("content").publish(NAME, PLAIN);
    assertThat(FileStatus.of(target).modified()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void publishingReplacesWhatHasTheNameInOneStep() throws IOException {
    Files.writeString(target, "old");
    Path other = Files.createLink(dir.resolve("other"), target);
    partial("new").publish(NAME, PLAIN);
    assertThat(target).hasContent("new");
    assertThat(other).as("another name of the old file").hasContent("old");
  }

  @Test
  void publishingReplacesALinkAndNotWhatItLeadsTo() throws IOException {
    Path kept = Files.writeString(dir.resolve("kept"), "old");
    Files.createSymbolicLink(target, kept);
    partial("new").publish(NAME, PLAIN);
    assertThat(Files.isSymbolicLink(target)).isFalse();
    assertThat(target).hasContent("new");
    assertThat(kept).hasContent("old");
  }

  @Test
  void aDirectoryIsNotReplaced() throws IOException {
    Files.createDirectory(target);
    PartialFile partial = partial("new");
    assertThatThrownBy(() -> partial.publish(NAME, PLAIN)).isInstanceOf(FileSystemException.class);
    assertThat(target).isDirectory();
    assertThat(partial.discard()).isTrue();
    assertThat(names()).containsExactly("target");
  }

  @Test
  void aNewNameIsGivenToAFileThatIsComplete() throws IOException {
    partial("content").publishNew(NAME, PLAIN);
    assertThat(target).hasContent("content");
    assertThat(FileStatus.of(target).permissions()).isEqualTo(0640);
    assertThat((int) Files.getAttribute(target, "unix:nlink")).isEqualTo(1);
    assertThat(names()).containsExactly("target");
  }

  @Test
  void aNewNameIsRefusedWhateverHasIt() throws IOException {
    Files.writeString(target, "old");
    requireTaken();
    assertThat(target).hasContent("old");
    Files.delete(target);

    Files.createDirectory(target);
    requireTaken();
    assertThat(target).isEmptyDirectory();
    Files.delete(target);

    Path kept = Files.writeString(dir.resolve("kept"), "old");
    Files.createSymbolicLink(target, kept);
    requireTaken();
    assertThat(kept).hasContent("old");
    Files.delete(kept);

    requireTaken();
    assertThat(Files.isSymbolicLink(target)).as("a link that leads nowhere").isTrue();
    assertThat(kept).doesNotExist();
    Files.delete(target);

    Programs.fifo(target);
    requireTaken();
  }

  @Test
  void aDiscardedFileIsGoneAndItsEndIsClosed() throws IOException {
    PartialFile partial = partial("content");
    assertThat(partial.discard()).isTrue();
    assertThat(partial.end().channel().isOpen()).isFalse();
    assertThat(partial.discard()).as("once more").isTrue();
    assertThat(names()).isEmpty();
  }

  @Test
  void aPublishedFileOutlivesItsDiscarding() throws IOException {
    PartialFile partial = partial("content");
    partial.publish(NAME, PLAIN);
    assertThat(partial.end().channel().isOpen()).isFalse();
    assertThat(partial.discard()).isTrue();
    staging.abandon();
    assertThat(target).hasContent("content");
  }

  @Test
  void afterTheEndNothingIsPublishedAndNothingIsLeft() throws IOException {
    PartialFile first = partial("first");
    PartialFile second = partial("second");
    staging.abandon();
    assertThat(names()).isEmpty();
    assertThatThrownBy(() -> first.publish(NAME, PLAIN)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> second.publishNew(NAME, PLAIN)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> staging.create(directory))
        .isInstanceOf(IOException.class)
        .hasMessage("the transfer was given up");
    staging.abandon();
    assertThat(names()).isEmpty();
  }

  @Test
  void theEndLeavesDescriptorsToWhoeverIsUsingThem() throws IOException {
    PartialFile partial = partial("content");
    staging.abandon();
    // Closed, its number could belong to another file while a thread still writes to it.
    assertThat(partial.end().channel().isOpen()).isTrue();
    partial.discard();
  }

  @Test
  void afterTheEndNotEvenACompleteFileIsRevealed() throws IOException {
    PartialFile partial = partial("content");
    staging.abandon();
    Path late = dir.resolve("late");
    assertThatThrownBy(() -> staging.reveal(partial, () -> Files.createFile(late)))
        .hasMessage("the transfer was given up");
    assertThat(late).doesNotExist();
    partial.discard();
  }

  @Test
  void rootGivesAReplacedFileBackToItsOwner() throws IOException {
    assumeTrue(Programs.isRoot(), "only root may give files away");
    boolean kept = partial("content").publish(NAME, new Metadata(0644, null, 1234, 5678));
    assertThat(kept).isTrue();
    FileStatus status = FileStatus.of(target);
    assertThat(status.owner()).isEqualTo(1234);
    assertThat(status.group()).isEqualTo(5678);
    assertThat(status.permissions()).isEqualTo(0644);
  }

  @Test
  void aLinkPutInThePlaceOfAPartialFileLeadsToNoHarm() throws IOException {
    Path victim = Files.writeString(dir.resolve("victim"), "secret");
    Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-------"));
    Path shared = Files.createDirectory(dir.resolve("shared"));
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    FileStatus before = FileStatus.of(victim);
    try (HeldDirectory held = HeldDirectory.open(shared)) {
      PartialFile partial = staging.create(held);
      try (Stream<Path> entries = Files.list(shared)) {
        Path own = entries.findFirst().orElseThrow();
        Files.delete(own);
        Files.createSymbolicLink(own, victim);
      }
      partial.publish(NAME, new Metadata(0666, FileTime.fromMillis(0), 1, 1));
    }
    assertThat(FileStatus.of(victim)).isEqualTo(before);
  }

  @Test
  void namesOfAnyBytesArePublished() throws IOException {
    Name odd = Name.of(new byte[] {(byte) 0xff, '\n', '%', (byte) 0xc3});
    partial("one").publishNew(odd, PLAIN);
    PartialFile again = partial("two");
    assertThatThrownBy(() -> again.publishNew(odd, PLAIN))
        .isInstanceOf(FileAlreadyExistsException.class);
    again.discard();
    assertThat(directory.entry(odd)).hasContent("one");
  }

  private void requireTaken() throws IOException {
    PartialFile partial = partial("new");
    assertThatThrownBy(() -> partial.publishNew(NAME, PLAIN))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(partial.discard()).isTrue();
    assertThat(names()).filteredOn(name -> name.startsWith(".zcp")).isEmpty();
    assertThat(Files.exists(target, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  private PartialFile partial(String content) throws IOException {
    PartialFile partial = staging.create(directory);
    partial.end().write(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)), 0);
    return partial;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(dir)) {
      return new ArrayList<>(entries.map(entry -> entry.getFileName().toString()).toList());
    }
  }
}
