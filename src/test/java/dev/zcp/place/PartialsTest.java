package dev.zcp.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.COLLECTION;

import dev.zcp.core.RawPath;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Partials.Partial;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartialsTest {

  private static final byte[] NAME = {'n', 'a', 'm', 'e'};

  @TempDir Path dir;

  private final Partials partials = new Partials();
  private OpenDirectory directory;

  @BeforeEach
  void open() throws IOException {
    directory = OpenDirectory.open(RawPath.of(dir));
  }

  @AfterEach
  void close() throws IOException {
    directory.close();
  }

  @Test
  void aFileIsHiddenUntilItIsRevealed() throws IOException {
    Partial partial = partials.begin(directory);
    try (NativeFile file = partial.createFile()) {
      assertThat(file.status().permissions()).isEqualTo(0600);
      assertThat(dir.toFile().list()[0]).startsWith(".zcp-").endsWith(".part").hasSize(26);
    }
    partial.reveal(NAME, false);
    assertThat(dir.toFile().list()).containsExactly("name");
  }

  @Test
  void whatHasItsNameIsRememberedNoMore() throws IOException {
    Partial again = partials.reusable();
    for (String name : new String[] {"a", "b"}) {
      again.begin(directory);
      again.createFile().close();
      again.reveal(name.getBytes(StandardCharsets.US_ASCII), false);
    }
    assertThat(partials).extracting("unfinished").asInstanceOf(COLLECTION).isEmpty();
  }

  @Test
  void whatHasTheNameIsReplacedOnlyWhereItIsToBe() throws IOException {
    Path old = Files.writeString(dir.resolve("name"), "old");
    Partial partial = partials.begin(directory);
    partial.createFile().close();
    assertThatThrownBy(() -> partial.reveal(NAME, false))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(old).hasContent("old");
    partial.reveal(NAME, true);
    assertThat(old).isEmptyFile();
    assertThat(dir.toFile().list()).containsExactly("name");
  }

  /// rename(2) does nothing if both names are of one file.
  @Test
  void nothingStaysHiddenOfALinkThatAnotherProcessMadeMeanwhile() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "bytes");
    Partial partial = partials.begin(directory);
    partial.make(hidden -> directory.addName(hidden, directory, new byte[] {'f', 'i', 'l', 'e'}));
    Files.createLink(dir.resolve("name"), file);
    partial.reveal(NAME, true);
    assertThat(dir.toFile().list()).containsExactlyInAnyOrder("file", "name");
  }

  @Test
  void onceAbandonedNothingIsLeftAndNothingIsMadeOrRevealed() throws IOException {
    Partial first = partials.begin(directory);
    Partial second = partials.begin(directory);
    Partial late = partials.begin(directory);
    first.createFile().close();
    second.make(name -> directory.makeLink(name, NAME));
    partials.abandon();
    assertThat(dir).isEmptyDirectory();
    assertThatThrownBy(() -> first.reveal(NAME, true)).hasMessageContaining("given up");
    assertThatThrownBy(late::createFile).hasMessageContaining("given up");
    assertThatThrownBy(() -> partials.begin(directory).createFile())
        .hasMessageContaining("given up");
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void whatWasRevealedStaysWhenTheRestIsAbandoned() throws IOException {
    Partial partial = partials.begin(directory);
    partial.createFile().close();
    partial.reveal(NAME, false);
    partials.abandon();
    assertThat(dir.toFile().list()).containsExactly("name");
  }
}
