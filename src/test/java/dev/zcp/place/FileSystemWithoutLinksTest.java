package dev.zcp.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.RawPath;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Partials.Partial;
import dev.zcp.testing.Programs;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// FAT, made in a file and mounted, which takes root: no hard links, no owners, hardly any modes.
class FileSystemWithoutLinksTest {

  private static final byte[] NAME = "target".getBytes(StandardCharsets.US_ASCII);

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
    Partials partials = new Partials();
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(mount))) {
      partial(partials, directory, "first").reveal(NAME, false);
      Partial second = partial(partials, directory, "second");
      assertThatThrownBy(() -> second.reveal(NAME, false))
          .isInstanceOf(FileAlreadyExistsException.class);
      second.discard();
    }
    assertThat(mount.toFile().list()).containsExactly("target");
    assertThat(mount.resolve("target")).hasContent("first");
  }

  private static Partial partial(Partials partials, OpenDirectory directory, String content)
      throws IOException {
    Partial partial = partials.begin(directory);
    try (NativeFile file = partial.createFile()) {
      file.write(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)), 0);
    }
    return partial;
  }
}
