package dev.zcp.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Other programs of the machine, to compare with and to prepare what Java cannot.
public final class Programs {

  private static final long RUN_S_MAX = 60;

  private Programs() {}

  /// What `command` printed, both streams in one, without the line break at the end.
  ///
  /// @throws IOException where it cannot be started, or fails
  public static String run(String... command) throws IOException {
    Process process = builder(command).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (exitCode(process) != 0) {
      throw new IOException(String.join(" ", command) + ": " + output);
    }
    return output.stripTrailing();
  }

  /// Whether `command` could be run and succeeded.
  public static boolean succeeds(String... command) {
    try {
      run(command);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  public static boolean isInstalled(String name) {
    return Files.isExecutable(Path.of("/usr/bin", name))
        || Files.isExecutable(Path.of("/usr/sbin", name));
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
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", "/usr/sbin:/sbin", (old, more) -> old + ":" + more);
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
