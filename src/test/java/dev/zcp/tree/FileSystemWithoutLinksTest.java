package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.Name;
import dev.zcp.io.HeldDirectory;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// FAT, made in a file and mounted, which takes root: no hard links, no owners, hardly any modes.
class FileSystemWithoutLinksTest {

  private static final Name NAME = Name.of("target".getBytes(StandardCharsets.US_ASCII));
  private static final FileTime TIME = FileTime.fromMillis(1_600_000_000_000L);

  @TempDir Path dir;

  private Path mount;

  @BeforeEach
  void mount() throws IOException {
    assumeTrue(Programs.isRoot(), "only root may mount");
    Path image = dir.resolve("fat.img");
    Programs.run("truncate", "-s", "16M", image.toString());
    Programs.run("mkfs.vfat", image.toString());
    Path place = Files.createDirectory(dir.resolve("fat"));
    assumeTrue(
        Programs.succeeds("mount", "-o", "loop", image.toString(), place.toString()),
        "this kernel cannot mount FAT");
    mount = place;
  }

  @AfterEach
  void unmount() throws IOException {
    if (mount != null) {
      Programs.run("umount", mount.toString());
    }
  }

  @Test
  void aNewNameIsGivenAndNoneIsTaken() throws IOException {
    try (HeldDirectory held = HeldDirectory.open(mount)) {
      Metadata metadata = new Metadata(0640, TIME, Metadata.OWN, Metadata.OWN);
      partial(held, "first").publishNew(NAME, metadata);
      PartialFile second = partial(held, "second");
      assertThatThrownBy(() -> second.publishNew(NAME, metadata))
          .isInstanceOf(FileAlreadyExistsException.class);
      assertThat(second.discard()).isTrue();
    }
    assertThat(mount.resolve("target")).hasContent("first");
    assertThat(Files.getLastModifiedTime(mount.resolve("target"))).isEqualTo(TIME);
  }

  @Test
  void anOwnerThatCannotBeKeptIsToldAndHarmsNothing() throws IOException {
    try (HeldDirectory held = HeldDirectory.open(mount)) {
      Metadata metadata = new Metadata(0600, null, 1234, 1234);
      assertThat(partial(held, "content").publish(NAME, metadata)).isFalse();
    }
    assertThat(mount.resolve("target")).hasContent("content");
  }

  private static PartialFile partial(HeldDirectory held, String content) throws IOException {
    PartialFile partial = new Staging().create(held);
    partial.end().write(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)), 0);
    return partial;
  }
}
