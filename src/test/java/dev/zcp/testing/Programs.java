package dev.zcp.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.RawPath;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Other programs of the machine, to compare with and to prepare what Java cannot. A test that
/// needs one that is not installed is skipped, and says so.
public final class Programs {

  private static final long RUN_S_MAX = 60;

  /// Where programs are looked for: in PATH, and where those for root are.
  private static final String PATH =
      System.getenv().getOrDefault("PATH", "/usr/bin:/bin") + ":/usr/sbin:/sbin";

  private Programs() {}

  /// What `command` printed, both streams in one, without the line break at the end. If its program
  /// is not installed, the test is skipped.
  ///
  /// @throws IOException if it cannot be started, or fails
  public static String run(String... command) throws IOException {
    return runWith(new byte[0], command);
  }

  /// As [#run], with the path behind its words: as bytes, which Java cannot pass in every locale.
  public static String runOn(Path path, String... command) throws IOException {
    List<String> words = new ArrayList<>(List.of("xargs", "-0"));
    words.addAll(List.of(command));
    return runWith(RawPath.of(path).bytes(), words.toArray(String[]::new));
  }

  private static String runWith(byte[] input, String... command) throws IOException {
    assume(command[0]);
    Process process = builder(command).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input);
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (exitCode(process) != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
    return output.stripTrailing();
  }

  /// Whether `command` could be run and succeeded.
  public static boolean succeeds(String... command) {
    try {
      if (!isInstalled(command[0])) {
        return false;
      }
      run(command);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Skips the test unless each of these programs is installed. A test that starts them by
  /// [#run(String...)] needs no more; one that starts them otherwise calls this.
  public static void assume(String... names) {
    for (String name : names) {
      assumeTrue(isInstalled(name), name + " is not installed");
    }
  }

  public static boolean isInstalled(String name) {
    return find(name) != null;
  }

  private static Path find(String name) {
    for (String folder : PATH.split(File.pathSeparator)) {
      Path program = Path.of(folder).resolve(name);
      if (Files.isRegularFile(program) && Files.isExecutable(program)) {
        return program;
      }
    }
    return null;
  }

  /// Whether this process may do what only root may.
  public static boolean isRoot() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  public static Path fifo(Path path) throws IOException {
    run("mkfifo", path.toString());
    return path;
  }

  /// Makes a file of zeros that has all its blocks, so that nothing takes it for one of holes, and
  /// that cost no time to write.
  public static Path zeros(Path path, long bytes) throws IOException {
    run("fallocate", "-l", Long.toString(bytes), path.toString());
    return path;
  }

  private static ProcessBuilder builder(String... command) {
    String[] words = command.clone();
    words[0] = find(command[0]).toString();
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("PATH", PATH);
    builder.environment().put("LC_ALL", "C");
    return builder;
  }

  private static int exitCode(Process process) throws IOException {
    try {
      if (process.waitFor(RUN_S_MAX, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    throw new IOException("did not end: " + process.info());
  }
}
