package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trees that are wider than there are descriptors, and deeper than a path is long.
class NarrowTreeIT {

  private static final int DIRECTORIES = 300;
  private static final int FILES_OF_EACH = 5;

  private static final int DEPTH = 5_000;

  /// Descriptors as setrlimit(2) counts them. The JVM has a dozen open before it does anything.
  private static final List<String> NARROW =
      List.of("sh", "-c", "ulimit -n 64 && exec \"$@\"", "sh");

  /// Makes and compares trees that are too deep for a path, and for a walk that calls itself. It
  /// keeps one descriptor open and prints what it finds, from the top down.
  private static final String DEEP =
      """
      import os, sys
      verb, root, depth = sys.argv[1], sys.argv[2], int(sys.argv[3])
      os.chdir(root)
      for level in range(depth):
          name = f"d{level % 10}"
          if verb == "make":
              os.mkdir(name, 0o750)
              with open("file", "w") as file:
                  file.write(str(level))
              os.utime("file", (level, level))
              os.utime(name, (level, level))
          else:
              with open("file") as file:
                  print(level, sorted(os.listdir(".")), file.read(), os.stat("file").st_mtime_ns,
                        oct(os.stat(name).st_mode), os.stat(name).st_mtime_ns)
          os.chdir(name)
      if verb == "make":
          # From the bottom up, since what is made in a directory changes its time.
          for level in reversed(range(depth)):
              os.chdir("..")
              os.utime(f"d{level % 10}", (level, level))
      """;

  @TempDir Path folder;

  private Path source;
  private Path target;

  @BeforeEach
  void makeSource() throws IOException {
    folder = folder.toRealPath();
    source = Files.createDirectory(folder.resolve("source"));
    target = folder.resolve("target");
  }

  /// JUnit would walk down by itself, and fall off the stack.
  @AfterEach
  void remove() throws IOException {
    Programs.run("rm", "-rf", source.toString(), target.toString());
  }

  @Test
  void aTreeWiderThanThereAreDescriptorsIsCopied() throws Exception {
    for (int i = 0; i < DIRECTORIES; i++) {
      Path directory = Files.createDirectory(source.resolve("d" + i));
      for (int j = 0; j < FILES_OF_EACH; j++) {
        Files.writeString(directory.resolve("f" + j), i + " " + j);
      }
    }
    copy();
    TreeContent.withMetadata(target).assertSameAs(TreeContent.withMetadata(source));
  }

  @Test
  void aTreeDeeperThanAPathIsLongIsCopied() throws Exception {
    deep("make", source);
    copy();
    String found = deep("list", target);
    assertThat(found.lines().count()).isEqualTo(DEPTH);
    assertThat(found).isEqualTo(deep("list", source));
  }

  /// The list goes on when the copy has closed the first directory, which is gone by then.
  @Test
  void whatIsInADirectoryThatIsGoneIsNamed() throws Exception {
    String list =
        """
        cd '%s' && ulimit -n 64
        (
          echo gone/x; echo gone/y
          for i in $(seq 300); do echo d$i/f; done
          until [ -e target/d299/f ]; do sleep 0.01; done
          mv source/gone source/moved
        ) | "$@"
        """
            .formatted(folder);
    for (String name : List.of("gone/x", "gone/y")) {
      Files.createDirectories(source.resolve("gone"));
      Files.writeString(source.resolve(name), name);
    }
    for (int i = 1; i <= 300; i++) {
      Files.writeString(Files.createDirectory(source.resolve("d" + i)).resolve("f"), "" + i);
    }
    BuiltZcp.Ended ended =
        BuiltZcp.run(
            folder,
            List.of("timeout", "60", "sh", "-c", list, "sh"),
            List.of("copy", "-q", "-j1", "--json", "--files-from=-", "source", "target")
                .toArray(String[]::new));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(11);
    assertThat(ended.out())
        .contains("\"fileFailed\",\"name\":\"source/gone/x\"")
        .contains("\"fileFailed\",\"name\":\"source/gone/y\"")
        .doesNotContain("dev.zcp");
    assertThat(ended.err()).contains("source/gone/x: its directory cannot be opened again");
  }

  private void copy() throws Exception {
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, NARROW, "copy", "-a", "-q", source.toString(), target.toString());
    assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
  }

  private static String deep(String verb, Path root) throws IOException {
    return Programs.run("python3", "-c", DEEP, verb, root.toString(), String.valueOf(DEPTH));
  }
}
