import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The AOT caches of the distribution: made by runs of the usual commands, and checked.
///
/// There is one for each kind of command, since a JVM links every class of its cache at the start,
/// 8 us each: with one cache for all, `--version` paid 13 ms for what only a transfer needs. So
/// what is rare, such as a page, a plan or a help, is in none.
final class AotCache {

  /// How many classes a start may load from elsewhere. Each costs about 0.2 ms; what no cache can
  /// hold (proxies, hidden classes of lambdas that the training run did not see) shows here.
  private static final int UNCACHED_CLASSES_MAX = 20;

  /// A course of the training class, which is the name of its cache and of a file in
  /// `build/training`, and a command that it serves.
  private record Course(String name, List<String> command) {}

  private static final List<Course> COURSES =
      List.of(
          new Course("start", List.of("--version")),
          new Course("copy", List.of("copy", "--version")),
          new Course("peer", List.of("send", "--version")));

  /// A run takes 5 s. One that hangs must not hang the build.
  private static final long RUN_SECONDS_MAX = 180;

  private AotCache() {}

  /// Runs each course in a folder of its own; the JVM writes the cache at its end.
  static void train(Jvm jvm) throws IOException, InterruptedException {
    for (Course course : COURSES) {
      Path cache = jvm.cache(course.name());
      Path folder = Files.createTempDirectory("zcp-train");
      try {
        List<String> output = List.of("-XX:AOTCacheOutput=" + cache);
        Path lessons = Path.of("build/training", course.name()).toAbsolutePath();
        List<String> args = List.of(lessons.toString(), folder.toString());
        run(folder, jvm.command(output, Jvm.TRAIN, args));
      } finally {
        Tree.delete(folder);
      }
      if (!Files.exists(cache)) {
        throw new IllegalStateException("the training run made no " + cache);
      }
    }
  }

  static void check(Jvm jvm) throws IOException, InterruptedException {
    for (Course course : COURSES) {
      List<String> uncached = uncachedClasses(jvm, course);
      String command = "zcp " + String.join(" ", course.command());
      System.out.println(
          "dist: " + command + " loads " + uncached.size() + " classes from outside its AOT cache");
      if (uncached.size() > UNCACHED_CLASSES_MAX) {
        throw new IllegalStateException(
            "more than "
                + UNCACHED_CLASSES_MAX
                + ", so the training run must do more of what "
                + command
                + " does:\n"
                + String.join("\n", uncached));
      }
    }
  }

  /// One line for each class that the command loads and that the cache does not hold.
  private static List<String> uncachedClasses(Jvm jvm, Course course)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("zcp-check");
    try {
      Path log = folder.resolve("classes");
      List<String> flags =
          List.of(
              "-XX:AOTMode=on", // a cache that is refused is then an error
              "-XX:AOTCache=" + jvm.cache(course.name()),
              "-Xlog:class+load:file=" + log + ":none");
      run(folder, jvm.command(flags, Jvm.MAIN, course.command()));
      return Files.readAllLines(log).stream()
          .filter(line -> !line.contains("source: shared objects file"))
          .toList();
    } finally {
      Tree.delete(folder);
    }
  }

  private static void run(Path folder, List<String> command)
      throws IOException, InterruptedException {
    Path said = folder.resolveSibling(folder.getFileName() + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
    try {
      Process process = builder.start();
      if (!process.waitFor(RUN_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new IllegalStateException(
            String.join(" ", command) + " did not end within " + RUN_SECONDS_MAX + " s");
      }
      int status = process.exitValue();
      if (status != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with " + status + ":\n" + Files.readString(said));
      }
    } finally {
      Files.delete(said);
    }
  }
}
