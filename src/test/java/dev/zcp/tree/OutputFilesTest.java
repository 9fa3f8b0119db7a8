package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFilesTest {

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
  void whatIsBesideTheTreesHasItsPlace() {
    assertPlaced("list", "tree", "into");
    assertPlaced("list", "tree", "new");
    assertPlaced("list", "file", "new");
    assertPlaced("into/list", "tree", "into");
    assertPlaced("into/list", "file", "into");
  }

  @Test
  void whatIsInATreeOrInItsCopyHasNone() throws IOException {
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
  void whatALinkOrADirectoryOfATreeLeadsToHasNone() throws IOException {
    Files.createSymbolicLink(dir.resolve("inwards"), tree.resolve("sub/list"));
    assertRefused("inwards", "tree", "into");
    Files.createSymbolicLink(tree.resolve("outwards"), dir);
    assertRefused("tree/outwards/list", "tree", "into");
    assertPlaced("tree/../list", "tree", "into");
  }

  @Test
  void whatIsInPlaceOfAFileThatIsCopiedOrWrittenHasNone() throws IOException {
    assertRefused("file", "file", "new");
    assertRefused("new", "file", "new");
    assertRefused("new", "tree", "new");
    assertRefused("into/file", "file", "into");
    assertRefused("into/tree", "tree", "into");
    Files.createLink(dir.resolve("other"), dir.resolve("file"));
    assertRefused("other", "file", "new");
  }

  @Test
  void aLinkToWhatIsCopiedOrWrittenIsNoOtherPlace() throws IOException {
    Files.createSymbolicLink(dir.resolve("to-file"), Path.of("file"));
    assertRefused("to-file", "file", "new");
    Files.createSymbolicLink(dir.resolve("to-new"), Path.of("new"));
    assertRefused("to-new", "file", "new");
    assertRefused("to-new", "file", "to-new");
    assertPlaced("to-new", "file", "newer");
  }

  @Test
  void twoOptionsDoNotWriteOneFile() throws Failure {
    OutputFiles outputs = new OutputFiles().add("--histogram", path("list"));
    assertThatThrownBy(() -> outputs.add("--manifest", path("into/../list")))
        .isInstanceOf(Failure.class)
        .hasMessage(
            "--histogram: " + path("list") + " is what --manifest writes (write it elsewhere)");
  }

  @Test
  void aDeviceTakesAnything() throws Failure {
    RawPath device = RawPath.of("/dev/null");
    new OutputFiles().add("--histogram", device).requireApart(List.of(device), null, false);
  }

  private void assertPlaced(String output, String source, String target) {
    assertThatCode(() -> require(output, source, target)).doesNotThrowAnyException();
  }

  private void assertRefused(String output, String source, String target) {
    assertThatThrownBy(() -> require(output, source, target))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("--option: " + path(output) + " is w");
  }

  private void require(String output, String source, String target) throws Failure {
    new OutputFiles()
        .add("--option", path(output))
        .requireApart(List.of(path(source)), path(target), false);
  }

  private RawPath path(String name) {
    return RawPath.of(dir + "/" + name);
  }
}
