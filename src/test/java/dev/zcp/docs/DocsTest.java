package dev.zcp.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The committed completions and manual pages are those that the command line makes.
/// `-Dzcp.docs=write` writes them.
class DocsTest {

  private static final boolean WRITE = "write".equals(System.getProperty("zcp.docs"));

  @TestFactory
  List<DynamicTest> committedFilesAreCurrent() {
    return Docs.all().entrySet().stream()
        .map(file -> DynamicTest.dynamicTest(file.getKey(), () -> check(file)))
        .toList();
  }

  @Test
  void nothingElseIsCommittedBesideThem() throws IOException {
    TreeSet<String> committed = new TreeSet<>();
    for (String folder : List.of("completions", "man")) {
      try (Stream<Path> files = Files.list(Path.of(folder))) {
        files.forEach(file -> committed.add(file.toString()));
      }
    }
    assertThat(committed).isEqualTo(Docs.all().keySet());
  }

  private static void check(Map.Entry<String, String> file) throws IOException {
    Path path = Path.of(file.getKey());
    if (WRITE) {
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    assertThat(path)
        .as("stale; run mvn test -Dtest=DocsTest -Dzcp.docs=write")
        .content()
        .isEqualTo(file.getValue());
  }
}
