package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Durability;
import dev.zcp.place.HashSetOfLongs;
import dev.zcp.place.Partials;
import dev.zcp.session.Admission.Deletion;
import dev.zcp.testing.TestFrames;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Losses;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Policy.Existing;
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
  private Terms terms;
  private Folders folders;

  @BeforeEach
  void open() throws IOException {
    root = OpenDirectory.open(RawPath.of(dir.toString().getBytes(StandardCharsets.UTF_8)));
    terms = terms(new Partials(), true);
    folders = new Folders(root, 8, terms.placeOther(), () -> {}, new HashSet<>());
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
    SurplusEntries surplus = new SurplusEntries(terms, folders, false);
    offer(surplus, "one", "one/kept", "two", "two/kept");
    look(surplus, "one");
    look(surplus, "two");
    surplus.run();
    assertThat(deleted).containsExactly("one/old", "two/old");
    assertThat(dir.resolve("one/kept")).exists();
    assertThat(dir.resolve("two/old")).doesNotExist();
  }

  /// As on a file system that lists a name as it has it and not as it was offered.
  @Test
  void whatWasMadeOrKeptStaysWhateverItsNameIs() throws Exception {
    SurplusEntries surplus = new SurplusEntries(terms, folders, false);
    offer(surplus, "one", "one/OLD");
    terms.conflict().spare(FileStatus.of(dir.resolve("one/old")));
    look(surplus, "one");
    surplus.run();
    assertThat(deleted).containsExactly("one/kept");
    assertThat(dir.resolve("one/old")).exists();
  }

  @Test
  void nothingGoesIfItIsNotKnownWhatIsListedUnderAnotherName() throws Exception {
    terms = terms(new Partials(), false);
    assertThat(terms.conflict().isTaken(root, bytes("one"), root.status(), true)).isFalse();
    SurplusEntries known = new SurplusEntries(terms, folders, false);
    offer(known, "two", "two/kept");
    look(known, "two");
    known.run();
    assertThat(deleted).containsExactly("two/old");
    SurplusEntries unknown = new SurplusEntries(terms, folders, false);
    offer(unknown, "one", "one/OLD");
    look(unknown, "one");
    assertThatThrownBy(unknown::run)
        .isInstanceOf(Failure.class)
        .hasMessageContaining("too many names to remember");
    assertThat(dir.resolve("one/old")).exists();
  }

  /// The process ends, and the peer must not hear that all is well.
  @Test
  void whoIsAbandonedDoesNotSayThatAllIsDeleted() throws Exception {
    Partials abandoned = new Partials();
    abandoned.abandon();
    SurplusEntries surplus = new SurplusEntries(terms(abandoned, true), folders, false);
    offer(surplus, "one", "one/kept");
    look(surplus, "one");
    assertThatThrownBy(surplus::run).isInstanceOf(CancellationException.class);
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

  private Terms terms(Partials partials, boolean mayRemember) {
    FileWork work =
        new FileWork() {
          @Override
          public void goesOn() {
            // Nobody waits.
          }

          @Override
          public void deleted(Object name) {
            deleted.add(name.toString());
          }
        };
    Deletion deletion = new Deletion(new Deleting(Deleting.UNLIMITED), Filter.NONE, false);
    return Terms.of(
        Inbox.admission(Existing.REPLACE, 0).deleting(deletion),
        TestFrames.manifest(1, 1, 1, Level.WIRE, 0),
        new Losses(),
        0,
        () -> mayRemember,
        partials,
        Durability.none(),
        work);
  }

  private static void offer(SurplusEntries surplus, String... paths) {
    for (String each : paths) {
      surplus.offered(EntryPath.of(bytes(each)));
    }
  }

  private void look(SurplusEntries surplus, String path) throws IOException {
    try (OpenDirectory directory = root.directory(bytes(path), false)) {
      surplus.look(EntryPath.of(bytes(path)), directory, false);
    }
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
