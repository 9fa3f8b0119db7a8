package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.place.Durability;
import dev.zcp.place.HashSetOfLongs;
import dev.zcp.session.Admission.Deletion;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.wire.EntryPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a receiver deletes that its sender does not have, and when it deletes nothing.
class SurplusEntriesTest {

  @TempDir Path dir;

  private final List<String> deleted = new ArrayList<>();
  private OpenDirectory root;
  private Folders folders;

  @BeforeEach
  void open() throws IOException {
    root = OpenDirectory.open(RawPath.of(dir.toString().getBytes(StandardCharsets.UTF_8)));
    folders = new Folders(root, 8, IncomingFilesTest.terms().placeOther());
    for (String each : List.of("one", "two")) {
      Files.createDirectory(dir.resolve(each));
      Files.writeString(dir.resolve(each).resolve("kept"), "kept");
      Files.writeString(dir.resolve(each).resolve("old"), "old");
    }
  }

  @AfterEach
  void close() throws IOException {
    folders.close();
    root.close();
  }

  @Test
  void whatWasNotOfferedGoes() throws Exception {
    SurplusEntries surplus = surplus(false);
    offer(surplus, "one", "one/kept", "two", "two/kept");
    look(surplus, "one", "one");
    look(surplus, "two", "two");
    surplus.delete(folders);
    assertThat(deleted).containsExactly("one/old", "two/old");
    assertThat(dir.resolve("one/kept")).exists();
    assertThat(dir.resolve("two/old")).doesNotExist();
  }

  /// As on a file system that ignores case: each would lose what only the other one has.
  @Test
  void nothingGoesIfTwoDirectoriesAreOne() throws Exception {
    SurplusEntries surplus = surplus(false);
    offer(surplus, "one", "one/kept", "ONE", "ONE/old");
    look(surplus, "one", "one");
    look(surplus, "ONE", "one");
    assertThatThrownBy(() -> surplus.delete(folders))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("two directories of the source are one here");
    assertThat(dir.resolve("one/old")).exists();
  }

  /// The process ends, and the peer must not hear that all is well.
  @Test
  void whoIsAbandonedDoesNotSayThatAllIsDeleted() throws Exception {
    SurplusEntries surplus = surplus(true);
    offer(surplus, "one", "one/kept");
    look(surplus, "one", "one");
    assertThatThrownBy(() -> surplus.delete(folders)).isInstanceOf(CancellationException.class);
    assertThat(dir.resolve("one/old")).exists();
  }

  @Test
  void aSetOfHashesHoldsWhatWasAddedAndNothingElse() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    Set<Long> expected = new HashSet<>();
    HashSetOfLongs hashes = new HashSetOfLongs();
    for (int i = 0; i < 10_000; i++) {
      long hash = 2 + random.nextInt(5_000) * 0x9e3779b97f4a7c15L;
      assertThat(hashes.add(hash)).as("seed %d", seed).isEqualTo(expected.add(hash));
    }
    assertThat(hashes.size()).isEqualTo(expected.size());
    assertThat(expected).as("seed %d", seed).allMatch(hashes::has);
    assertThat(hashes.has(random.nextLong())).as("seed %d", seed).isFalse();
  }

  private SurplusEntries surplus(boolean isAbandoned) {
    FileWork work =
        new FileWork() {
          @Override
          public void readAgain(long bytes) {
            // Nobody waits.
          }

          @Override
          public void deleted(Object name) {
            deleted.add(name.toString());
          }
        };
    Deletion deletion = new Deletion(new Deleting(Deleting.UNLIMITED), Filter.NONE, false);
    return new SurplusEntries(deletion, work, Durability.none(), () -> isAbandoned);
  }

  private static void offer(SurplusEntries surplus, String... paths) {
    for (String each : paths) {
      surplus.offered(path(each));
    }
  }

  private void look(SurplusEntries surplus, String path, String name) throws IOException {
    try (OpenDirectory directory = root.directory(name.getBytes(StandardCharsets.UTF_8), false)) {
      surplus.look(path(path), directory, false);
    }
  }

  private static EntryPath path(String path) {
    return EntryPath.of(path.getBytes(StandardCharsets.UTF_8));
  }
}
