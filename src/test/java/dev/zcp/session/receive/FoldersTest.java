package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.testing.OpenDescriptors;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.EntryPath;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FoldersTest {

  private static final FileStatus DIRECTORY =
      FileStatus.ofNew(FileType.DIRECTORY | 0751, Instant.EPOCH);

  private static final int IDLE_MAX = 3;
  private static final int THREADS = 4;
  private static final int DIRECTORIES = 200;

  @TempDir Path dir;

  private OpenDirectory root;
  private Folders folders;

  @BeforeEach
  void open() throws Exception {
    root = OpenDirectory.open(RawPath.of(dir));
    folders =
        new Folders(
            root, IDLE_MAX, IncomingFilesTest.terms().placeOther(), () -> {}, new HashSet<>());
  }

  @AfterEach
  void close() throws Exception {
    folders.close();
    root.close();
  }

  @Test
  void whatSomebodyHoldsStaysOpenAndIsOpenedOnce() throws Exception {
    Folders.HeldFolder held = folders.hold(path("a"), true);
    for (int i = 0; i < 10; i++) {
      folders.hold(path("b" + i), true).close();
    }
    assertThat(folders.hold(path("a"), false)).isSameAs(held);
    held.directory().makeDirectory(Offers.bytes("x"), 0700);
    assertThat(dir.resolve("a/x")).isDirectory();
  }

  @Test
  void onlySomeStayOpenThatNobodyHolds() throws Exception {
    for (int i = 0; i < 10; i++) {
      folders.hold(path("a/b/c" + i), true).close();
    }
    assertThat(openBelow()).isEqualTo(IDLE_MAX);
    folders.close();
    assertThat(openBelow()).isZero();
  }

  @Test
  void whatIsNotToBeMadeIsNot() {
    assertThatThrownBy(() -> folders.hold(path("a/b"), false))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void whatThisSessionMadeIsKnownUntilItIsComplete() throws Exception {
    Files.createDirectory(dir.resolve("there"));
    assertThat(isMade("there")).isFalse();
    folders.make(path("new/below"), DIRECTORY).close();
    assertThat(isMade("new")).isTrue();
    assertThat(isMade("new/below")).isTrue();
    assertThat(isMade("there")).isFalse();
    try (Folders.HeldFolder folder = folders.hold(path("new"), false)) {
      folders.complete(folder);
    }
    assertThat(isMade("new")).isFalse();
  }

  @Test
  void anotherDirectoryUnderTheNameOfOneThatWasMadeIsNotTakenForIt() throws Exception {
    folders.make(path("a"), DIRECTORY).close();
    for (int i = 0; i < IDLE_MAX; i++) {
      folders.make(path("b" + i), DIRECTORY).close();
    }
    Files.move(dir.resolve("a"), dir.resolve("mine"));
    Files.createDirectory(dir.resolve("a"));
    assertThatThrownBy(() -> isMade("a")).hasMessageContaining("replaced by another directory");
  }

  /// While some open what others need, the directories that stay open change all the time.
  @Test
  void manyThreadsUseMoreDirectoriesThanStayOpen() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> works = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        String mine = "f" + i;
        works.add(
            threads.submit(
                () -> {
                  makeInEach(mine);
                  return null;
                }));
      }
      for (Future<?> work : works) {
        work.get();
      }
    }
    try (Stream<Path> all = Files.walk(dir)) {
      assertThat(all.filter(Files::isRegularFile)).hasSize(THREADS * DIRECTORIES);
    }
    assertThat(openBelow()).isEqualTo(IDLE_MAX);
  }

  private void makeInEach(String name) throws Exception {
    for (int i = 0; i < DIRECTORIES; i++) {
      try (Folders.HeldFolder folder = folders.hold(path("d" + i % 7 + "/e" + i), true)) {
        folder.directory().create(Offers.bytes(name), 0600).close();
      }
    }
  }

  private boolean isMade(String name) throws Exception {
    try (Folders.HeldFolder folder = folders.hold(path(name), false)) {
      return folders.isMade(folder);
    }
  }

  private long openBelow() throws Exception {
    String below = dir.toRealPath() + "/";
    return OpenDescriptors.targets().stream().filter(each -> each.startsWith(below)).count();
  }

  private static EntryPath path(String path) {
    return EntryPath.of(Offers.bytes(path));
  }
}
