package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Result;
import dev.zcp.testing.Archive;
import dev.zcp.testing.Cli;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.walk.Selection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Several names of one file, and a target that has some of them already.
@Timeout(60)
class HardLinkedCopyTest {

  @TempDir Path dir;

  private Path source;
  private Path target;
  private Path list;

  @BeforeEach
  void makeTree() throws IOException {
    source = Files.createDirectory(dir.resolve("s"));
    target = Files.createDirectory(dir.resolve("t"));
    list = dir.resolve("list");
    Files.writeString(source.resolve("a"), "new");
    Files.createLink(source.resolve("b"), source.resolve("a"));
  }

  @Test
  void aNameThatIsKeptIsNeitherALinkNorInTheList() throws IOException {
    Files.writeString(target.resolve("b"), "other");
    Cli.Result result = copy("-an", "-q", "--json", "--manifest=" + list);
    assertThat(result.exitCode()).isZero();
    assertThat(target.resolve("a")).hasContent("new");
    assertThat(target.resolve("b")).hasContent("other");
    assertThat(Files.readAllLines(list)).singleElement().asString().endsWith("  a");
    assertThat(lastLine(result.out())).contains("\"hardLinks\":0").contains("\"kept\":1");
  }

  @Test
  void aDryRunTellsThatANameIsKept() throws IOException {
    Files.writeString(target.resolve("b"), "other");
    assertThat(copy("-an", "--dry-run").out().lines())
        .contains("keep " + source.resolve("b") + " -> " + target.resolve("b"));
    assertThat(copy("-a", "--dry-run").out().lines())
        .contains("replace " + source.resolve("b") + " -> " + target.resolve("b"));
  }

  @Test
  void namesOfAFileThatIsWrittenInPlaceAreLinkedToIt() throws IOException {
    Path kept = Files.writeString(target.resolve("a"), "old");
    Object inode = inode(kept);
    Files.writeString(target.resolve("b"), "old");
    assertThat(copy("-a", "--inplace").exitCode()).isZero();
    assertThat(kept).hasContent("new");
    assertThat(inode(kept)).isEqualTo(inode);
    assertThat(inode(target.resolve("b"))).isEqualTo(inode);
  }

  @Test
  void namesThatWaitAreCopiedThoughTheFirstTwoFail() throws Exception {
    Path c = Files.createLink(source.resolve("c"), source.resolve("a"));
    Path d = Files.createLink(source.resolve("d"), source.resolve("a"));
    Path last = Files.writeString(source.resolve("last"), "last");
    List<String> failed = new ArrayList<>();
    CopyRequest request =
        new CopyRequest(
            Stream.of(source.resolve("a"), source.resolve("b"), c, d, last)
                .map(RawPath::of)
                .toList(),
            RawPath.of(target),
            Placement.AS_FOUND,
            Choice.DEFAULT,
            Selection.FILES,
            Archive.ALL,
            Policy.USUAL,
            new Assurance(Level.NONE, null, true, false),
            1,
            false,
            CopyForm.USUAL,
            null,
            0);
    Result result =
        TreeCopy.run(
            request,
            new CommandEnvironment(
                Strategies.load(List.of()),
                InputStream.nullInputStream(),
                new ByteArrayOutputStream(),
                event -> {
                  if (event instanceof Event.FileStarted started
                      && started.name().equals(last.toString())) {
                    // The names wait for "a", which waits to be forced.
                    makeTheFirstTwoFail();
                  } else if (event instanceof Event.FileFailed(String name, Failure _)) {
                    failed.add(name);
                  }
                }));
    assertThat(failed)
        .containsExactlyInAnyOrder(source.resolve("a").toString(), source.resolve("b").toString());
    assertThat(result.filesFailed()).isEqualTo(2);
    assertThat(target.resolve("c")).hasContent("new");
    assertThat(inode(target.resolve("d"))).isEqualTo(inode(target.resolve("c")));
  }

  private void makeTheFirstTwoFail() {
    try {
      Files.createDirectory(target.resolve("a"));
      Files.delete(source.resolve("b"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Copies both names, "a" first.
  private Cli.Result copy(String... options) {
    List<String> words = new ArrayList<>(List.of("copy", "--jobs=1"));
    words.addAll(List.of(options));
    for (Path path : List.of(source.resolve("a"), source.resolve("b"), target)) {
      words.add(path.toString());
    }
    return Cli.run(words.toArray(String[]::new));
  }

  private static Object inode(Path path) throws IOException {
    return Files.getAttribute(path, "unix:ino");
  }

  private static String lastLine(String text) {
    return text.lines().reduce((_, last) -> last).orElse("");
  }
}
