package dev.zcp.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// ARCHITECTURE.md and the pages of decisions/ name types, never lines, and each type that they
/// name exists. The table of packages is the one that is kept, and that of threads has each thread
/// that the sources name.
class ArchitectureTest {

  private static final Path DOCUMENT = Path.of("ARCHITECTURE.md");

  /// Types of the JDK and of libraries that the document may speak of.
  private static final Set<String> OUTSIDERS =
      Set.of(
          "AssertionError",
          "ByteBuffer",
          "Closeable",
          "CommandLine",
          "CommandSpec",
          "FileChannel",
          "Files",
          "Histogram",
          "IOException",
          "InputStream",
          "MemorySegment",
          "OptionSpec",
          "OutputStream",
          "Path",
          "Recorder",
          "ServiceLoader",
          "SocketChannel",
          "System",
          "URLClassLoader");

  /// In backticks: a name in camel case, perhaps with what belongs to it after a dot, a hash, a
  /// bracket. Words in capitals are frames, constants and system calls.
  private static final Pattern NAME =
      Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:[.#(<][^`\\n]*)?`");

  /// The same in a picture, where there are no backticks: with two capitals at least, since a word
  /// may have one.
  private static final Pattern PICTURE = Pattern.compile("(?ms)^```text$(.*?)^```$");

  private static final Pattern NAME_IN_PICTURE =
      Pattern.compile("\\b[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*\\b");

  private static final Pattern DECLARATION =
      Pattern.compile("(?m)^\\s*[a-z -]*\\b(?:class|record|interface|enum) ([A-Z]\\w*)");

  /// A thread's name in the sources, perhaps with a number behind it. What ends in a hyphen and has
  /// none is the beginning of a file's name.
  private static final Pattern THREAD = Pattern.compile("\"(zcp-[a-z-]*)\"( \\+ )?");

  @Test
  void eachTypeThatTheDocumentsNameExists() throws IOException, InterruptedException {
    Set<String> declared = declaredTypes();
    assertThat(unknown(Files.readString(DOCUMENT), declared)).isEmpty();
    for (Map.Entry<String, String> page : DecisionsTest.pages().entrySet()) {
      assertThat(unknown(page.getValue(), declared)).as(page.getKey()).isEmpty();
    }
  }

  @Test
  void itsTableOfPackagesIsTheOneThatIsKept() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (List<String> row : Markdown.table(Files.readString(DOCUMENT), "package", "its job")) {
      rows.add(List.of(row.get(0), row.get(2)));
    }
    List<List<String>> kept = new ArrayList<>();
    for (PackageRules.Row row : PackageRules.TABLE) {
      kept.add(List.of("`" + row.name() + "`", String.join(" ", row.mayUse())));
    }
    assertThat(rows).isEqualTo(kept);
  }

  @Test
  void itsTableOfThreadsHasThemAll() throws IOException, InterruptedException {
    Set<String> told = new TreeSet<>();
    for (List<String> row : Markdown.table(Files.readString(DOCUMENT), "thread", "where")) {
      for (String name : row.get(0).split(", ")) {
        if (name.startsWith("`zcp-")) {
          told.add(name.replace("`", ""));
        }
      }
    }
    Set<String> named = new TreeSet<>();
    for (Map.Entry<String, Path> file : ProjectFiles.all().entrySet()) {
      if (file.getKey().startsWith("src/main/java/")) {
        named.addAll(threads(Files.readString(file.getValue())));
      }
    }
    assertThat(told).isEqualTo(named);
  }

  @Test
  void threadsAreKnownByTheirNames() {
    assertThat(
            threads(
                "new Thread(this::run, \"zcp-one\"); name(\"zcp-copy-\" + number);"
                    + " FOLDER = \"zcp-strace-\"; \".zcp-part-\" + random"))
        .containsExactly("zcp-copy-N", "zcp-one");
  }

  private static Set<String> threads(String text) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = THREAD.matcher(text);
    while (matcher.find()) {
      String name = matcher.group(1);
      if (matcher.group(2) != null) {
        names.add(name + "N");
      } else if (!name.endsWith("-")) {
        names.add(name);
      }
    }
    return names;
  }

  @Test
  void aTypeThatIsGoneIsFound() {
    String text = "`Span` and `Sapn` move; `Gone.method()`, `Lost#field`, `List<Away>` too.";
    assertThat(unknown(text, Set.of("Span", "List"))).containsExactly("Gone", "Lost", "Sapn");
    String picture = "NotSeen\n```text\nHereIs --> GoneAway: Copy, TLS\n```\nNotSeen\n";
    assertThat(unknown(picture, Set.of("HereIs"))).containsExactly("GoneAway");
  }

  @Test
  void aCopyAndASessionArePicturedByTheirClasses() throws IOException {
    Matcher pictures = PICTURE.matcher(Files.readString(DOCUMENT));
    List<String> found = pictures.results().map(at -> at.group(1)).toList();
    assertThat(found).anyMatch(each -> each.contains("FileCopier") && each.contains("PlaceFile"));
    assertThat(found).anyMatch(each -> each.contains("SendingSession") && each.contains("Landing"));
  }

  @Test
  void wordsThatAreNoTypesAreLeftAlone() {
    String text = "`META`, `zcp copy`, `dev.zcp.core`, `FICLONE`, `copy_file_range`, Gone, `-a`";
    assertThat(unknown(text, Set.of())).isEmpty();
  }

  @Test
  void nestedAndTopLevelTypesAreDeclared() throws IOException, InterruptedException {
    assertThat(declaredTypes())
        .contains("Span", "Route", "Traits", "Kind", "Step", "Moved", "ArchitectureTest")
        .doesNotContain("Gone");
  }

  private static List<String> unknown(String text, Set<String> declared) {
    Set<String> unknown = new TreeSet<>();
    Matcher matcher = NAME.matcher(text);
    while (matcher.find()) {
      unknown.add(matcher.group(1));
    }
    Matcher pictures = PICTURE.matcher(text);
    while (pictures.find()) {
      NAME_IN_PICTURE.matcher(pictures.group(1)).results().forEach(at -> unknown.add(at.group()));
    }
    unknown.removeAll(declared);
    unknown.removeAll(OUTSIDERS);
    return List.copyOf(unknown);
  }

  /// The simple names of all types in the sources and tests, nested ones among them.
  private static Set<String> declaredTypes() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    for (Map.Entry<String, Path> file : ProjectFiles.all().entrySet()) {
      if (file.getKey().endsWith(".java")) {
        Matcher matcher = DECLARATION.matcher(Files.readString(file.getValue()));
        while (matcher.find()) {
          names.add(matcher.group(1));
        }
      }
    }
    return names;
  }
}
