package dev.zcp.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.testing.OpenDescriptors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldDirectoryTest {

  private static final Name NAME = name("file");

  @TempDir Path dir;

  @Test
  void whatIsPutInADirectoryThatWasMovedGoesWithIt() throws IOException {
    Path first = Files.createDirectory(dir.resolve("first"));
    Path trap = Files.createDirectory(dir.resolve("trap"));
    try (HeldDirectory held = HeldDirectory.open(first)) {
      Path moved = Files.move(first, dir.resolve("moved"));
      Files.createSymbolicLink(first, trap);

      Files.writeString(held.entry(NAME), "content");

      assertThat(moved.resolve("file")).hasContent("content");
      assertThat(trap).isEmptyDirectory();
    }
  }

  @Test
  void aDirectoryThatWasRemovedTakesNothingMore() throws IOException {
    Path gone = Files.createDirectory(dir.resolve("gone"));
    try (HeldDirectory held = HeldDirectory.open(gone)) {
      Files.delete(gone);
      Files.createDirectory(gone);
      assertThatThrownBy(() -> Files.writeString(held.entry(NAME), "x"))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(gone).isEmptyDirectory();
    }
  }

  @Test
  void aLinkIsFollowedWhenItIsOpenedAndNotLater() throws IOException {
    Path real = Files.createDirectory(dir.resolve("real"));
    Path other = Files.createDirectory(dir.resolve("other"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), real);
    try (HeldDirectory held = HeldDirectory.open(link)) {
      Files.delete(link);
      Files.createSymbolicLink(link, other);
      Files.createFile(held.entry(NAME));
      assertThat(real.resolve("file")).exists();
      assertThat(other).isEmptyDirectory();
    }
  }

  @Test
  void namesOfAnyBytesAreReached() throws IOException {
    byte[] bytes = {'a', (byte) 0xff, '\n', (byte) 0xc3, '%', '#'};
    try (HeldDirectory held = HeldDirectory.open(dir)) {
      Files.writeString(held.entry(Name.of(bytes)), "odd");
      assertThat(RawPath.of(dir).resolve(bytes).toPath()).hasContent("odd");
    }
  }

  @Test
  void onlyDirectoriesAreOpened() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    assertThatThrownBy(() -> HeldDirectory.open(file)).isInstanceOf(NotDirectoryException.class);
    assertThatThrownBy(() -> HeldDirectory.open(dir.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void itKnowsItsDeviceAndItsSpace() throws IOException {
    try (HeldDirectory held = HeldDirectory.open(dir)) {
      assertThat(held.device()).isEqualTo((long) Files.getAttribute(dir, "unix:dev"));
      assertThat(held.usableBytes())
          .isPositive()
          .isLessThanOrEqualTo(Files.getFileStore(dir).getTotalSpace());
    }
  }

  @Test
  void aClosedOneHoldsNoDescriptor() throws IOException {
    Path marked = Files.createDirectory(dir.resolve("marked"));
    HeldDirectory held = HeldDirectory.open(marked);
    assertThat(OpenDescriptors.targets()).contains(marked.toRealPath().toString());
    held.close();
    assertThat(OpenDescriptors.targets()).doesNotContain(marked.toRealPath().toString());
  }

  private static Name name(String text) {
    return Name.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
