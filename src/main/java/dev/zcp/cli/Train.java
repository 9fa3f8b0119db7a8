package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The training run of the AOT cache: runs the usual commands once, so that the cache made at its
/// end holds the classes they load. `Train DIR` works in that directory, which must exist.
///
/// A command that ends otherwise than expected fails the run and with it the build: a cache trained
/// on error messages would be of no use.
final class Train {

  /// A command line and the exit code it must end with.
  private record Lesson(ExitCode expected, String... arguments) {}

  private Train() {}

  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    // The cache holds only classes that the training run loads; Main.main itself does not run here.
    Class.forName(Main.class.getName());
    for (Lesson lesson : lessons(Path.of(args[0]))) {
      learn(lesson);
    }
  }

  private static List<Lesson> lessons(Path dir) {
    List<Lesson> lessons = new ArrayList<>();
    lessons.add(new Lesson(ExitCode.OK, "--version"));
    lessons.add(new Lesson(ExitCode.OK, "--help"));
    for (String command : Commands.NAMES) {
      lessons.add(new Lesson(ExitCode.OK, command, "--help"));
    }
    for (String shell : List.of("bash", "zsh", "fish")) {
      lessons.add(new Lesson(ExitCode.OK, "completion", shell));
    }
    lessons.add(new Lesson(ExitCode.OK, "strategies"));
    lessons.add(new Lesson(ExitCode.USAGE));
    lessons.add(new Lesson(ExitCode.USAGE, "cpoy"));
    lessons.add(new Lesson(ExitCode.USAGE, "copy", "--strat=mmap", "a", "b"));
    lessons.add(new Lesson(ExitCode.USAGE, "copy", "--strategy=mmpa", "a", "b"));
    return lessons;
  }

  private static void learn(Lesson lesson) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            Arguments.of(lesson.arguments()),
            new ByteArrayInputStream(new byte[0]),
            out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of());
    if (code != lesson.expected().number()) {
      throw new IllegalStateException(
          String.join(" ", lesson.arguments())
              + ": exit code "
              + code
              + ", expected "
              + lesson.expected().number()
              + ": "
              + err.toString(StandardCharsets.UTF_8));
    }
  }
}
