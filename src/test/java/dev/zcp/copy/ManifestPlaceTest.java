package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.insight.Verified;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestPlaceTest {

  @TempDir Path dir;

  private Path tree;
  private Path into;

  @BeforeEach
  void makeTrees() throws IOException {
    tree = Files.createDirectory(dir.resolve("tree"));
    Files.createDirectory(tree.resolve("sub"));
    into = Files.createDirectory(dir.resolve("into"));
    Files.writeString(dir.resolve("file"), "content");
  }

  @Test
  void aManifestBesideTheTreesHasItsPlace() {
    assertPlaced("list", "tree", "into");
    assertPlaced("list", "tree", "new");
    assertPlaced("list", "file", "new");
    assertPlaced("into/list", "tree", "into");
    assertPlaced("into/list", "file", "into");
  }

  @Test
  void aManifestInATreeOrInItsCopyHasNone() throws IOException {
    assertRefused("tree/list", "tree", "into");
    assertRefused("tree/sub/list", "tree", "into");
    Files.createDirectory(into.resolve("tree"));
    assertRefused("into/tree/list", "tree", "into");
    assertRefused("into/list", "tree/.", "into");
    assertRefused("into/list", "tree/sub/..", "into");
    Files.createSymbolicLink(dir.resolve("link"), tree.resolve("sub"));
    assertRefused("link/list", "tree", "into");
  }

  @Test
  void aManifestInPlaceOfAFileThatIsCopiedOrWrittenHasNone() throws IOException {
    assertRefused("file", "file", "new");
    assertRefused("new", "file", "new");
    assertRefused("new", "tree", "new");
    assertRefused("into/file", "file", "into");
    assertRefused("into/tree", "tree", "into");
    Files.createLink(dir.resolve("other"), dir.resolve("file"));
    assertRefused("other", "file", "new");
  }

  @Test
  void aManifestReplacesNoDirectoryAndNeedsOneToBeIn() {
    assertThatThrownBy(() -> require("into", "file", "new"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("is no regular file");
    assertThatThrownBy(() -> require("missing/list", "file", "new"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("no such file or directory");
  }

  private void assertPlaced(String manifest, String source, String target) {
    assertThatCode(() -> require(manifest, source, target)).doesNotThrowAnyException();
  }

  private void assertRefused(String manifest, String source, String target) {
    assertThatThrownBy(() -> require(manifest, source, target))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("the manifest is");
  }

  private void require(String manifest, String source, String target) throws Failure {
    Assurance assurance = new Assurance(Verified.NONE, path(manifest), false, false);
    ManifestPlace.require(
        new CopyRequest(
            List.of(path(source)),
            path(target),
            Choice.DEFAULT,
            Selection.TREE,
            Preserve.ALL,
            Policy.USUAL,
            assurance,
            CopyRequest.JOBS_MEASURED,
            false));
  }

  private RawPath path(String name) {
    return RawPath.of(dir + "/" + name);
  }
}
