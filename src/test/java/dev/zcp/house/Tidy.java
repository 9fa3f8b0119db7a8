package dev.zcp.house;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// A small rule over the text of one file.
///
/// What a rule looks for stands in parts in this source, since the source is looked through as
/// well.
///
/// @param name what must hold, as a sentence
/// @param covers whether a file's path, from the project's folder on, is the rule's business
/// @param findings what of a path and its text breaks the rule; empty where nothing does
record Tidy(
    String name, Predicate<String> covers, BiFunction<String, String, List<String>> findings) {

  /// The hosts of package registries, the parts of each name apart.
  private static final List<List<String>> REGISTRIES =
      List.of(
          List.of("repo", "maven", "apache", "org"),
          List.of("repo1", "maven", "org"),
          List.of("search", "maven", "org"),
          List.of("central", "sonatype", "com"),
          List.of("oss", "sonatype", "org"),
          List.of("maven", "google", "com"),
          List.of("repo", "spring", "io"),
          List.of("plugins", "gradle", "org"),
          List.of("services", "gradle", "org"),
          List.of("jitpack", "io"),
          List.of("registry", "npmjs", "org"),
          List.of("registry", "yarnpkg", "com"),
          List.of("pypi", "org"),
          List.of("files", "pythonhosted", "org"),
          List.of("crates", "io"),
          List.of("rubygems", "org"),
          List.of("proxy", "golang", "org"),
          List.of("docker", "io"),
          List.of("ghcr", "io"),
          List.of("quay", "io"),
          List.of("deb", "debian", "org"),
          List.of("archive", "ubuntu", "com"),
          List.of("packages", "adoptium", "net"));

  private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

  private static final Predicate<String> ALL = path -> true;
  private static final Predicate<String> JAVA = path -> path.endsWith(".java");
  private static final Predicate<String> MAIN = JAVA.and(path -> path.startsWith("src/main/"));
  private static final Predicate<String> MARKDOWN = path -> path.endsWith(".md");
  private static final Predicate<String> WRITTEN_BY_HAND =
      JAVA.or(MARKDOWN)
          .or(path -> path.endsWith(".xml") || path.endsWith(".sh"))
          .or(path -> path.startsWith("build/") || path.startsWith(".ci/"));

  static final Tidy NOTHING_LEFT_TO_DO =
      matching(
          "nothing is left to do", ALL, "(?<![A-Za-z])(TO" + "DO|FIX" + "ME|X{3})(?![A-Za-z])");

  static final Tidy MARKDOWN_DOCS =
      matching("documentation comments are Markdown, after ///", MAIN, "(?m)^\\s*/\\*\\*");

  static final Tidy NO_TABS = matching("there are no tabs", WRITTEN_BY_HAND, "\t");

  static final Tidy EXPLICIT_IMPORTS =
      matching("imports are explicit", JAVA, "(?m)^import [^;]*\\*;");

  static final Tidy TELLING_NAMES =
      matching(
          "a type is named after what it is",
          JAVA,
          "\\b(class|record|interface|enum) \\w*(Impl|Manager|Helper|Utils?)\\b");

  static final Tidy ONE_TITLE =
      new Tidy("a document has one title", MARKDOWN, (path, text) -> titles(text));

  /// How many words a document may have, by its path: readers give up on a longer one.
  private static final Map<String, Integer> WORDS_MAX =
      Map.of("README.md", 1_120, "ARCHITECTURE.md", 2_000, "PROTOCOL.md", 5_600);

  static final Tidy SHORT_DOCUMENTS =
      new Tidy("a document that all should read is short", WORDS_MAX::containsKey, Tidy::words);

  static final Tidy NO_REGISTRIES = matching("no package registry is named", ALL, registries());

  private static final List<Tidy> OF_EVERY_MACHINE =
      List.of(
          NOTHING_LEFT_TO_DO,
          MARKDOWN_DOCS,
          NO_TABS,
          EXPLICIT_IMPORTS,
          TELLING_NAMES,
          ONE_TITLE,
          SHORT_DOCUMENTS,
          NO_REGISTRIES);

  /// All rules, on a machine with these folders of its own.
  static List<Tidy> rules(List<String> machineFolders) {
    List<Tidy> rules = new ArrayList<>(OF_EVERY_MACHINE);
    rules.add(noMachinePaths(machineFolders));
    return rules;
  }

  /// No path of a home folder, nor any of `folders`: absolute paths where this build runs.
  static Tidy noMachinePaths(List<String> folders) {
    StringBuilder pattern = new StringBuilder("(?<![\\w./-])(/(home|Users)/[a-z]|/ro" + "ot/");
    for (String folder : folders) {
      // A path of one component is a word in many others, as /src is.
      if (folder.lastIndexOf('/') > 0) {
        pattern.append('|').append(Pattern.quote(folder)).append("(?![\\w.-])");
      }
    }
    return matching("no path of a build machine is named", ALL, pattern.append(')').toString());
  }

  /// What breaks this rule in one file, each with its place; empty for a file that is not covered.
  List<String> broken(String path, String text) {
    if (!covers.test(path)) {
      return List.of();
    }
    return findings.apply(path, text).stream()
        .map(finding -> path + ": " + name + ": " + finding)
        .toList();
  }

  private static Tidy matching(String name, Predicate<String> covers, String regex) {
    Pattern pattern = Pattern.compile(regex);
    return new Tidy(
        name,
        covers,
        (path, text) ->
            pattern
                .matcher(text)
                .results()
                .map(match -> "line " + line(text, match) + ": '" + match.group().strip() + "'")
                .toList());
  }

  private static long line(String text, MatchResult match) {
    return text.substring(0, match.start()).chars().filter(c -> c == '\n').count() + 1;
  }

  private static String registries() {
    StringBuilder pattern = new StringBuilder("(?<![\\w-])(");
    for (List<String> host : REGISTRIES) {
      pattern.append(pattern.charAt(pattern.length() - 1) == '(' ? "" : "|");
      pattern.append(String.join("\\.", host));
    }
    return pattern.append(")(?![\\w-])").toString();
  }

  /// Words hold a letter or a digit; bars of tables and pictures are none.
  private static List<String> words(String path, String text) {
    long words = WORD.matcher(text).results().count();
    int limit = WORDS_MAX.get(path);
    return words <= limit ? List.of() : List.of(words + " words, of at most " + limit);
  }

  /// Lines that begin with one `#` outside fenced code, unless there is exactly one.
  private static List<String> titles(String text) {
    List<String> titles = new ArrayList<>();
    boolean code = false;
    for (String line : text.lines().toList()) {
      if (line.strip().startsWith("```")) {
        code = !code;
      } else if (!code && line.startsWith("# ")) {
        titles.add(line);
      }
    }
    return titles.size() == 1 ? List.of() : List.of("titles: " + titles);
  }
}
