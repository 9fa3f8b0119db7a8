package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A tree of which a user may not read everything: the rest is copied, and each failure is named.
class UnreadableTreeIT {

  private static final int FILES = 10;

  /// setpriv(1) of util-linux, and nobody's number.
  static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  @TempDir Path folder;

  private Path source;
  private Path target;

  @BeforeEach
  void makeTree() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may become nobody");
    folder = folder.toRealPath();
    source = Files.createDirectory(folder.resolve("source"));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(source.resolve("f" + i), "content " + i);
    }
    Programs.run("chown", "-R", "65534:65534", folder.toString());
    target = folder.resolve("target");
    BuiltZcp.Ended version = BuiltZcp.run(folder, AS_NOBODY, "--version");
    assumeTrue(version.exitCode() == 0, "nobody may not run what was built: " + version.err());
  }

  @Test
  void oneFileThatMayNotBeReadHoldsBackNoOther() throws Exception {
    close("f3");
    BuiltZcp.Ended ended = copy();
    assertThat(ended)
        .isEqualTo(new BuiltZcp.Ended(1, "", "zcp: " + source + "/f3: permission denied\n"));
    TreeContent found = TreeContent.of(target);
    assertThat(found.partials()).isEmpty();
    TreeContent expected = TreeContent.of(source);
    expected.entries().remove("f3");
    found.assertSameAs(expected);
  }

  @Test
  void whereNoFileMayBeReadTheCodeIsThatOfSources() throws Exception {
    for (int i = 0; i < FILES; i++) {
      close("f" + i);
    }
    BuiltZcp.Ended ended = copy();
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.err().lines()).hasSize(FILES).allMatch(s -> s.endsWith("permission denied"));
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatMayNotBeReadHoldsBackNoOther() throws Exception {
    Path closed = Files.createDirectory(source.resolve("closed"));
    Files.writeString(closed.resolve("inside"), "content");
    close("closed");
    BuiltZcp.Ended ended = copy();
    assertThat(ended)
        .isEqualTo(new BuiltZcp.Ended(1, "", "zcp: " + closed + ": permission denied\n"));
    for (int i = 0; i < FILES; i++) {
      assertThat(target.resolve("f" + i)).hasContent("content " + i);
    }
  }

  /// As a module cache has them. A second copy may not write to them either, as with cp(1), unless
  /// it gives them the modes of their sources, as rsync(1) does.
  @ParameterizedTest
  @ValueSource(strings = {"-a", "-r"})
  void directoriesThatNobodyMayWriteToAreCopiedOnceAndStayAsTheyAre(String option)
      throws Exception {
    Path sub = Files.createDirectory(source.resolve("sub"));
    Files.writeString(sub.resolve("inside"), "content");
    Programs.run("chown", "-R", "65534:65534", sub.toString());
    Programs.run("chmod", "555", sub.toString(), source.toString());
    assertThat(copy(option)).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    Files.delete(target.resolve("sub/inside"));
    BuiltZcp.Ended again = copy(option);
    if (option.equals("-a")) {
      assertThat(again).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      assertThat(target.resolve("sub/inside")).hasContent("content");
    } else {
      assertThat(again.exitCode()).isEqualTo(4);
      assertThat(again.err()).contains(target + "/sub/inside: permission denied\n");
    }
    for (Path each : List.of(target, target.resolve("sub"))) {
      assertThat(Files.getPosixFilePermissions(each))
          .isEqualTo(PosixFilePermissions.fromString("r-xr-xr-x"));
    }
  }

  @Test
  void allThatWasNotKeptIsNamedWhereThatIsAFailure() throws Exception {
    Path lent = source.resolve("f0");
    Programs.run("chown", "0:0", lent.toString());
    Programs.run("chmod", "4755", lent.toString());
    BuiltZcp.Ended ended = copy("-a", "--strict");
    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(ended.err().lines()).hasSize(1);
    assertThat(ended.err())
        .contains("permissions")
        .contains("owner and group")
        .contains("not kept");
  }

  private void close(String name) throws Exception {
    Path path = source.resolve(name);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("---------"));
    Programs.run("chown", "0:0", path.toString());
  }

  private BuiltZcp.Ended copy() throws Exception {
    return copy("-r");
  }

  private BuiltZcp.Ended copy(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("copy", "-q", "-T"));
    words.addAll(List.of(options));
    words.addAll(List.of(source.toString(), target.toString()));
    return BuiltZcp.run(folder, AS_NOBODY, words.toArray(String[]::new));
  }
}
