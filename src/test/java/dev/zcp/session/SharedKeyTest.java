package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.secure.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedKeyTest {

  @TempDir Path dir;

  private final Key key = Key.random();
  private RawPath place;
  private Path path;

  @BeforeEach
  void findPlace() {
    place = RawPath.of(dir.resolve("run/zcp"));
    path = dir.resolve("run/zcp/5230.key");
  }

  @Test
  void onlyTheUserReadsTheKeyAndTheDirectory() throws IOException {
    try (SharedKey _ = SharedKey.leave(place, 5230, key)) {
      assertThat(path).hasContent(key.text());
      assertThat(FileStatus.of(path).permissions()).isEqualTo(0600);
      assertThat(FileStatus.of(dir.resolve("run/zcp")).permissions()).isEqualTo(0700);
      assertThat(FileStatus.of(dir.resolve("run")).permissions()).isEqualTo(0700);
    }
  }

  @Test
  void itIsGoneWithItsReceiver() throws IOException {
    SharedKey left = SharedKey.leave(place, 5230, key);
    assertThat(names()).containsExactly("5230.key");
    left.close();
    assertThat(names()).isEmpty();
    left.close();
  }

  @Test
  void whatAReceiverThatWasKilledLeftIsReplaced() throws IOException {
    SharedKey.leave(place, 5230, Key.random());
    try (SharedKey _ = SharedKey.leave(place, 5230, key)) {
      assertThat(path).hasContent(key.text());
      assertThat(names()).containsExactly("5230.key");
    }
  }

  @Test
  void whatTheNextReceiverOnThePortLeftIsItsOwn() throws IOException {
    SharedKey first = SharedKey.leave(place, 5230, Key.random());
    try (SharedKey _ = SharedKey.leave(place, 5230, key)) {
      first.close();
      assertThat(path).hasContent(key.text());
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void aLinkInItsPlaceIsReplacedAndNotFollowed() throws IOException {
    Path victim = Files.writeString(dir.resolve("victim"), "untouched");
    Files.createDirectories(path.getParent());
    Files.createSymbolicLink(path, victim);
    try (SharedKey _ = SharedKey.leave(place, 5230, key)) {
      assertThat(victim).hasContent("untouched");
      assertThat(Files.isSymbolicLink(path)).isFalse();
    }
  }

  @Test
  void receiversOnTwoPortsLeaveTwoKeys() throws IOException {
    try (SharedKey _ = SharedKey.leave(place, 1, key);
        SharedKey _ = SharedKey.leave(place, 65535, key)) {
      assertThat(names()).containsExactlyInAnyOrder("1.key", "65535.key");
    }
  }

  @Test
  void whereItCannotBeLeftNothingIsLeft() throws IOException {
    Files.createDirectories(path);
    Files.createFile(path.resolve("in the way"));
    assertThatThrownBy(() -> SharedKey.leave(place, 5230, key)).isInstanceOf(IOException.class);
    assertThat(names()).containsExactly("5230.key");
  }

  private String[] names() throws IOException {
    try (Stream<Path> entries = Files.list(path.getParent())) {
      return entries.map(entry -> entry.getFileName().toString()).toArray(String[]::new);
    }
  }
}
