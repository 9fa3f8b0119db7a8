package dev.zcp.it;

import dev.zcp.testing.Hearing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A process of `target/zcp/bin/zcp`. The launcher replaces itself by the JVM, so that the process
/// that was started is zcp itself. Closing it kills it, if it is still there.
final class BuiltZcp implements Closeable {

  static final Path LAUNCHER = Path.of("target/zcp/bin/zcp").toAbsolutePath();

  private static final long END_S_MAX = 120;
  private static final long POLL_MS = 5;

  private final Process process;
  private final Path out;
  private final Path err;

  private BuiltZcp(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /// How a process ended and what it said.
  record Ended(int exitCode, String out, String err) {}

  /// Starts zcp with `arguments`, so that it hears signals even where the tests do not.
  ///
  /// @param place a directory of the test's own, where the output and the keys of receivers go
  /// @param before words that come before zcp: a program that runs it
  static BuiltZcp start(Path place, List<String> before, String... arguments) throws IOException {
    List<String> words = new ArrayList<>(Hearing.PREFIX);
    words.addAll(before);
    words.add(LAUNCHER.toString());
    words.addAll(List.of(arguments));
    Path out = Files.createTempFile(place, "out", "");
    Path err = Files.createTempFile(place, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
    forgetSettings(builder.environment());
    builder.environment().put("XDG_RUNTIME_DIR", place.toString());
    // Tests look at what a person sees only with that.
    builder.environment().put("ZCP_REPORT", "table");
    Process process = builder.start();
    Hearing.await(process);
    return new BuiltZcp(process, out, err);
  }

  /// Takes away what whoever runs the tests has set for zcp.
  static void forgetSettings(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("ZCP_"));
    environment.put("ZCP_CONFIG", "");
    environment.put("ZCP_PROFILE", "");
    // Where no run can be kept.
    environment.put("XDG_STATE_HOME", "/dev/null");
  }

  static BuiltZcp start(Path place, String... arguments) throws IOException {
    return start(place, List.of(), arguments);
  }

  /// Runs zcp to its end.
  static Ended run(Path place, List<String> before, String... arguments) throws Exception {
    try (BuiltZcp zcp = start(place, before, arguments)) {
      return zcp.end();
    }
  }

  static Ended run(Path place, String... arguments) throws Exception {
    return run(place, List.of(), arguments);
  }

  long pid() {
    return process.pid();
  }

  /// Where its standard output goes.
  Path out() {
    return out;
  }

  /// What it said on standard error so far.
  String err() throws IOException {
    return text(err);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Process process() {
    return process;
  }

  /// The first line of its standard output, waited for: of a receiver, the URL.
  String firstLine() throws Exception {
    await("a line on standard output", () -> Files.readString(out).contains("\n"));
    return Files.readString(out).lines().findFirst().orElseThrow();
  }

  /// The port of a receiver, which ends its first line.
  int port() throws Exception {
    String url = firstLine();
    return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
  }

  /// Waits for `what` to come true while the process runs.
  void await(String what, Condition condition) throws Exception {
    long startedNs = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - startedNs > TimeUnit.SECONDS.toNanos(END_S_MAX)) {
        throw new TimeoutException("waited in vain for " + what);
      }
      if (!process.isAlive() && !condition.holds()) {
        throw new IllegalStateException("zcp ended before " + what + ": " + end());
      }
      Thread.sleep(POLL_MS);
    }
  }

  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }

  /// Sends a signal, named as kill(1) has it.
  void signal(String name) throws Exception {
    int status =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (status != 0) {
      throw new IllegalStateException("kill: exit code " + status);
    }
  }

  /// Sends a signal, unless it has ended by itself.
  void signalIfAlive(String name) throws Exception {
    try {
      signal(name);
    } catch (IllegalStateException e) {
      // The kernel has forgotten it a moment before Java knows.
      if (!process.waitFor(1, TimeUnit.SECONDS)) {
        throw e;
      }
    }
  }

  /// Waits for its end. A process ended by signal n has the exit code 128 + n.
  Ended end() throws Exception {
    if (!process.waitFor(END_S_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new TimeoutException("zcp did not end: " + Files.readString(err));
    }
    return new Ended(process.exitValue(), text(out), text(err));
  }

  /// How many descriptors it has open, but for that of the jar, which is opened at the first class
  /// that the AOT cache does not hold.
  int descriptors() throws IOException {
    int count = 0;
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(proc("fd"))) {
      for (Path each : listing) {
        count += isJar(each) ? 0 : 1;
      }
    }
    return count;
  }

  private static boolean isJar(Path descriptor) throws IOException {
    try {
      return Files.readSymbolicLink(descriptor).endsWith("zcp.jar");
    } catch (NoSuchFileException e) {
      // It was closed meanwhile.
      return true;
    }
  }

  /// The names of its threads, as the kernel has them: 15 bytes at most.
  List<String> threads() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(proc("task"))) {
      for (Path thread : listing) {
        try {
          names.add(Files.readString(thread.resolve("comm")).strip());
        } catch (IOException e) {
          // The thread has ended meanwhile.
        }
      }
    }
    return names;
  }

  /// Whether it has a file or a directory open at this path or below it.
  boolean hasOpenBelow(Path place) throws IOException {
    try (DirectoryStream<Path> listing = Files.newDirectoryStream(proc("fd"))) {
      for (Path descriptor : listing) {
        if (Files.readSymbolicLink(descriptor).startsWith(place)) {
          return true;
        }
      }
    } catch (NoSuchFileException | DirectoryIteratorException e) {
      // Closed meanwhile, or the process has ended.
      return false;
    }
    return false;
  }

  /// The most memory it ever had resident, in bytes: VmHWM of proc(5).
  long residentBytesMax() throws IOException {
    for (String line : Files.readAllLines(proc("status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    throw new IOException("no VmHWM in " + proc("status"));
  }

  private Path proc(String name) {
    return Path.of("/proc", Long.toString(process.pid()), name);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
