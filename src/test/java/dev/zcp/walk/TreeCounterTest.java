package dev.zcp.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.RawPath;
import dev.zcp.testing.Archive;
import dev.zcp.walk.Selection.Links;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// However many threads count, they come to the same.
@Timeout(60)
class TreeCounterTest {

  private static final int FOLDERS = 60;
  private static final int FILES_PER_FOLDER = 20;
  private static final int FILE_BYTES = 3;

  /// The top and those below it.
  private static final int DIRECTORIES = 1 + FOLDERS;

  private static final int FILES = FOLDERS * FILES_PER_FOLDER;

  @TempDir Path home;

  private Path tree;

  /// Folders in folders, in each a second name of a file of the first one, and one link in all.
  @BeforeEach
  void plantTree() throws Exception {
    tree = Files.createDirectory(home.resolve("tree"));
    Path folder = tree;
    Path first = null;
    for (int i = 0; i < FOLDERS; i++) {
      folder = Files.createDirectory((i % 5 == 0 ? tree : folder).resolve("folder" + i));
      for (int j = 0; j < FILES_PER_FOLDER; j++) {
        Path file = Files.write(folder.resolve("file" + j), new byte[FILE_BYTES]);
        first = first == null ? file : first;
      }
      Files.createLink(folder.resolve("other"), first);
    }
    Files.createSymbolicLink(tree.resolve("link"), Path.of("nowhere"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 16})
  void namesOfOneFileAreFilesOfTheirOwn(int jobs) {
    TreeCounter counter = new TreeCounter(Archive.TREE, false, jobs);
    assertThat(counter.count(List.of(RawPath.of(tree)))).isTrue();
    assertThat(counter.entries()).isEqualTo(DIRECTORIES + FILES + FOLDERS + 1);
    assertThat(counter.files()).isEqualTo(FILES + FOLDERS);
    assertThat(counter.bytes()).isEqualTo((FILES + FOLDERS) * FILE_BYTES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 16})
  void orAreOneFileWhereLinksAreKept(int jobs) {
    TreeCounter counter = new TreeCounter(Archive.TREE, true, jobs);
    assertThat(counter.count(List.of(RawPath.of(tree)))).isTrue();
    assertThat(counter.entries()).isEqualTo(DIRECTORIES + FILES + FOLDERS + 1);
    assertThat(counter.files()).isEqualTo(FILES);
    assertThat(counter.bytes()).isEqualTo(FILES * FILE_BYTES);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void aLinkThatLeadsBackIsLeftOutAsTheWalkLeavesItOut(int jobs) throws Exception {
    Selection followed =
        new Selection(true, true, Links.FOLLOWED, false, Archive.TREE.filter(), null);
    TreeCounter without = new TreeCounter(followed, false, jobs);
    assertThat(without.count(List.of(RawPath.of(tree)))).isTrue();
    Files.createSymbolicLink(tree.resolve("round"), tree);
    TreeCounter counter = new TreeCounter(followed, false, jobs);
    assertThat(counter.count(List.of(RawPath.of(tree)))).isTrue();
    assertThat(counter.entries()).isEqualTo(without.entries());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void anOperandThatCannotBeLookedAtIsNoSum(int jobs) throws Exception {
    Path file = Files.writeString(home.resolve("file"), "x");
    TreeCounter counter = new TreeCounter(Archive.TREE, false, jobs);
    assertThat(counter.count(List.of(RawPath.of(tree), RawPath.of(file.resolve("below")))))
        .isFalse();
  }
}
