package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.testing.Programs;
import dev.zcp.tree.IgnorePatterns.Filter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IgnorePatternsTest {

  private static final int ROUNDS = 400;
  private static final int PATHS = 60;

  /// Names with what patterns and lines are made of, letters of two bytes, and a byte that Unicode
  /// calls a line break; one char for each byte.
  private static final List<String> NAMES =
      List.of(
          "a",
          "b",
          "ab",
          "ba",
          "a b",
          "x.o",
          "y.o",
          "X",
          "#c",
          "!d",
          "e ",
          "f\\g",
          "[x]",
          "n\nl",
          "t\tb",
          "\u00c3\u0085",
          "\u00c3\u00a4x",
          "\u00ff",
          "-",
          ".a",
          "a.b.c",
          "*");

  private static final List<String> PIECES =
      List.of(
          "*",
          "?",
          "**",
          "***",
          "[ab]",
          "[!a]",
          "[^b]",
          "[a-c]",
          "[[:alpha:]]",
          "[]x]",
          "\\*",
          "\\#",
          "\\!",
          "\\[",
          "\\\\",
          "*a*",
          "?b",
          "[\u00c3]",
          "[\u0080-\u00ff]",
          "[z-a]",
          "[b-[:alpha:]]",
          "[[:alpha:]-z]",
          "[[:no:]]",
          "[[=a=]]",
          "[a/b]",
          "**\\/",
          "[a",
          "\\");

  /// What brackets are made of, and `[` once more as it stands.
  private static final String IN_BRACKETS = "]![^-\\:&/.+*?abz#\u00ff";

  @TempDir Path dir;

  private Random random;

  @ParameterizedTest
  @CsvSource({
    "*.o, a/b.o, false, true",
    "*.o, a.o.c, false, false",
    "/a, b/a, false, false",
    "/a, a, false, true",
    "a/b, c/a/b, false, false",
    "build/, build, true, true",
    "build/, build, false, false",
    "**/a/b, x/a/b, false, true",
    "a/**, a, true, false",
    "a/**, a/b/c, false, true",
    "!a, a, false, false",
    "'', a, false, false",
    "/, a, true, false",
    "#a, #a, false, true",
    "'a ', 'a ', false, true",
    "[z-a], a, false, false",
    "[z-a], z, false, true",
    "[&&], &, false, true",
    "[.-+], ., false, true",
    "[.-+], -, false, false",
    "[a-[:alpha:]], 'a]', false, true",
    "[a-[:alpha:]], b, false, false",
    "[!/], a, false, true",
    "a[/]b, a/b, false, false",
  })
  void aPatternIsThatOfGitignore(String pattern, String path, boolean directory, boolean excluded)
      throws Failure {
    IgnorePatterns patterns = new IgnorePatterns();
    patterns.add(bytes(pattern), true);
    assertThat(patterns.filter().excludes(bytes(path), directory)).isEqualTo(excluded);
  }

  @Test
  void theLastPatternThatMatchesDecides() throws Failure {
    IgnorePatterns patterns = new IgnorePatterns();
    patterns.add(bytes("*.o"), true);
    patterns.add(bytes("a.*"), false);
    patterns.add(bytes("b.*"), true);
    patterns.add(bytes("!b.c"), true);
    Filter filter = patterns.filter();
    assertThat(filter.excludes(bytes("a.o"), false)).isFalse();
    assertThat(filter.excludes(bytes("c.o"), false)).isTrue();
    assertThat(filter.excludes(bytes("b.d"), false)).isTrue();
    assertThat(filter.excludes(bytes("b.c"), false)).isFalse();
  }

  @Test
  void aFileHasCommentsAndSpacesThatMeanNothing() throws Exception {
    Path file = dir.resolve("ignore");
    Files.write(file, bytes("\u00ef\u00bb\u00bfa  \r\n#b\n\\#c\n\nd\\ \n!e\n!f/"));
    IgnorePatterns patterns = new IgnorePatterns();
    addAll(patterns, file);
    Filter filter = patterns.filter();
    for (String excluded : List.of("a", "#c", "d ")) {
      assertThat(filter.excludes(bytes(excluded), false)).as(excluded).isTrue();
    }
    for (String taken : List.of("b", "#b", "d", "e", "f", "!e")) {
      assertThat(filter.excludes(bytes(taken), true)).as(taken).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "a[b, a '[' has no ']'",
    "a[], a '[' has no ']'",
    "[a-, a '[' has no ']'",
    "a\\, it ends with a backslash",
    "[[:no:]], there is no class [:no:]",
    "[[::]], there is no class [::]",
  })
  void aMalformedPatternIsRefused(String pattern, String why) throws Exception {
    assertThatThrownBy(() -> new IgnorePatterns().add(bytes(pattern), true))
        .isInstanceOfSatisfying(
            Failure.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE))
        .hasMessageEndingWith(": not a gitignore pattern: " + why);
    Path file = Files.write(dir.resolve("ignore"), bytes("a\n\n" + pattern + "\n"));
    assertThatThrownBy(() -> addAll(new IgnorePatterns(), file))
        .isInstanceOf(Failure.class)
        .hasMessage(file + ": line 3: not a gitignore pattern: " + why);
  }

  /// A matcher that goes back to each asterisk would not end within the age of the universe.
  @ParameterizedTest
  @ValueSource(strings = {"*a", "*a/", "**/a/", "*?", "**/*a/", "*[ab]"})
  void aHostilePatternEnds(String piece) throws Failure {
    IgnorePatterns patterns = new IgnorePatterns();
    patterns.add(bytes(piece.repeat(2000) + "b"), true);
    patterns.add(bytes(piece.repeat(20) + "b"), true);
    Filter filter = patterns.filter();
    assertThat(filter.excludes(bytes("a".repeat(4000)), false)).isFalse();
    assertThat(filter.excludes(bytes("a/".repeat(2000) + "a"), false)).isFalse();
    assertThat(filter.excludes(bytes("a/".repeat(2000) + "b"), false))
        .isEqualTo(piece.endsWith("/"));
  }

  @Test
  void aFileThatIsNotThereIsAnException() {
    assertThatThrownBy(() -> addAll(new IgnorePatterns(), dir.resolve("none")))
        .isInstanceOf(IOException.class);
  }

  /// Each path is asked for from its first component down, as a walk does, which does not enter
  /// what is left out.
  @Test
  void gitLeavesOutTheSame() throws Exception {
    Programs.run("git", "init", "-q", dir.toString());
    long seed = System.nanoTime();
    random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      List<String> lines = some(1 + random.nextInt(5), this::pattern);
      List<String> paths = some(PATHS, this::path);
      Path file = Files.write(dir.resolve("ignore"), bytes(String.join("\n", lines) + "\n"));
      IgnorePatterns patterns = new IgnorePatterns();
      for (String line : lines) {
        try {
          addAll(patterns, Files.write(dir.resolve("line"), bytes(line)));
        } catch (Failure e) {
          // To git a malformed pattern is one that matches nothing.
        }
      }
      List<Boolean> git = askGit(file, paths);
      for (int i = 0; i < paths.size(); i++) {
        assertThat(walkLeavesOut(patterns.filter(), paths.get(i)))
            .as("seed %d: %s by %s", seed, paths.get(i), lines)
            .isEqualTo(git.get(i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "xdigit"
      })
  void aClassHasTheBytesThatItHasInGit(String name) throws Exception {
    Programs.assume("git");
    Programs.run("git", "init", "-q", dir.toString());
    List<String> paths = new ArrayList<>();
    for (char c = 1; c <= 0xff; c++) {
      paths.add("x" + c + "y");
    }
    Path file = Files.write(dir.resolve("ignore"), bytes("x[[:" + name + ":]]y"));
    IgnorePatterns patterns = new IgnorePatterns();
    addAll(patterns, file);
    assertThat(paths.stream().map(path -> patterns.filter().excludes(bytes(path), false)).toList())
        .isEqualTo(askGit(file, paths));
  }

  @Test
  void anAsteriskWithABackslashIsNoWildcardAlsoAtTheEnd() throws Exception {
    for (String pattern : List.of("x\\*", "/\\!\\*", "\\?\\?")) {
      IgnorePatterns patterns = new IgnorePatterns();
      patterns.add(bytes(pattern), true);
      String name = pattern.replace("\\", "").replace("/", "");
      assertThat(patterns.filter().excludes(bytes(name), false)).as(pattern).isTrue();
      String other = name.substring(0, 1) + "d";
      assertThat(patterns.filter().excludes(bytes(other), false)).as(pattern).isFalse();
    }
  }

  private static boolean walkLeavesOut(Filter filter, String path) {
    for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (filter.excludes(bytes(path.substring(0, end)), true)) {
        return true;
      }
    }
    return filter.excludes(bytes(path), false);
  }

  private List<Boolean> askGit(Path file, List<String> paths) throws IOException {
    Process git =
        new ProcessBuilder(
                "git",
                "-c",
                "core.excludesFile=" + file,
                "-C",
                dir.toString(),
                "check-ignore",
                "--no-index",
                "--stdin",
                "-z",
                "-v",
                "-n")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    ByteArrayOutputStream asked = new ByteArrayOutputStream();
    for (String path : paths) {
      asked.writeBytes(bytes(path + "\0"));
    }
    git.getOutputStream().write(asked.toByteArray());
    git.getOutputStream().close();
    // For each path: the file, the line, the pattern that decided, the path.
    String[] told =
        new String(git.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1)
            .split("\0", -1);
    List<Boolean> excluded = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      assertThat(told[4 * i + 3]).isEqualTo(paths.get(i));
      String pattern = told[4 * i + 2];
      excluded.add(!pattern.isEmpty() && !pattern.startsWith("!"));
    }
    return excluded;
  }

  private String pattern() {
    StringBuilder pattern = new StringBuilder(random.nextInt(5) == 0 ? "!" : "");
    pattern.append(random.nextInt(5) == 0 ? "/" : "");
    for (int more = random.nextInt(3); more >= 0; more--) {
      pattern.append(random.nextInt(6) == 0 ? "**" : segment()).append(more > 0 ? "/" : "");
    }
    pattern.append(random.nextInt(5) == 0 ? "/" : "");
    return pattern.append(random.nextInt(12) == 0 ? " " : "").toString();
  }

  private String segment() {
    StringBuilder segment = new StringBuilder();
    for (int more = random.nextInt(3); more >= 0; more--) {
      int kind = random.nextInt(5);
      if (kind == 0) {
        segment.append('[');
        for (int in = random.nextInt(6); in >= 0; in--) {
          segment.append(IN_BRACKETS.charAt(random.nextInt(IN_BRACKETS.length())));
        }
        segment.append(']');
      } else if (kind < 3) {
        segment.append(one(PIECES));
      } else {
        segment.append(one(NAMES).replace("\\", "\\\\").replace("\n", "?"));
      }
    }
    // Of two asterisks behind another character git before 2.41 made one thing or the other, by
    // where in memory the pattern was: its "wildmatch: avoid undefined behavior".
    return segment.toString().replaceAll("(?s)(\\\\.|[^*\\\\])\\*{2,}", "$1*");
  }

  private String path() {
    StringBuilder path = new StringBuilder(one(NAMES));
    for (int more = random.nextInt(3); more > 0; more--) {
      path.append('/').append(one(NAMES));
    }
    return path.toString();
  }

  private String one(List<String> words) {
    return words.get(random.nextInt(words.size()));
  }

  private static List<String> some(int count, Supplier<String> maker) {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(maker.get());
    }
    return made;
  }

  private static byte[] bytes(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void addAll(IgnorePatterns patterns, Path file) throws Exception {
    RawPath path = RawPath.of(file);
    patterns.addLines(IgnorePatterns.contentOf(path), path.toString());
  }
}
