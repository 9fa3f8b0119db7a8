package dev.zcp.testing;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// `zcp` as a process of its own, with nothing in its environment but what a test says.
public final class ZcpProcess implements Closeable {

  private static final long END_SECONDS_MAX = 60;

  private final Process process;
  private final Path errors;
  private final BufferedReader out;

  private ZcpProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  /// Starts the classes under test with `arguments` in `directory`. Its standard input is empty.
  public static ZcpProcess start(
      Path directory, Map<String, String> environment, String... arguments) throws IOException {
    return start(directory, environment, List.of(), arguments);
  }

  /// As [#start], in a JVM with these flags.
  public static ZcpProcess start(
      Path directory, Map<String, String> environment, List<String> flags, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (flag.startsWith("--enable-native-access") || flag.startsWith("--add-opens")) {
        command.add(flag);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.zcp.cli.Main"));
    command.addAll(List.of(arguments));
    // Tests look at what a person sees only with a table.
    Map<String, String> all = new HashMap<>(Map.of("ZCP_REPORT", "table"));
    all.putAll(environment);
    return launch(directory, all, command);
  }

  /// Runs `script` in `sh`, in `directory`, with `zcp` on the path: the built one, which is there
  /// after the build's package phase.
  public static ZcpProcess script(Path directory, Map<String, String> environment, String script)
      throws IOException {
    return launch(
        directory,
        environment,
        List.of("sh", "-c", "PATH=$1:$PATH; " + script, "sh", built().toString()));
  }

  /// Where the build puts the launcher.
  public static Path built() {
    return Path.of("target/zcp/bin").toAbsolutePath();
  }

  private static ZcpProcess launch(
      Path directory, Map<String, String> environment, List<String> command) throws IOException {
    Path errors = Files.createTempFile("zcp", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return new ZcpProcess(process, errors);
  }

  /// The next line of standard output, or null at its end.
  public String line() throws IOException {
    return out.readLine();
  }

  /// The port of a receiver, whose URL is in the next line of standard output: alone, or the last
  /// field of an event.
  public int port() throws IOException {
    String line = line();
    if (line == null) {
      throw new IOException("no URL: " + errors());
    }
    return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1).replace("\"}", ""));
  }

  /// The address of a receiver that listens on the loopback interface, from the same line.
  public String address() throws IOException {
    return "127.0.0.1:" + port();
  }

  public long pid() {
    return process.pid();
  }

  /// What it wrote to standard error so far.
  public String errors() throws IOException {
    return Files.readString(errors);
  }

  /// Sends a signal, such as `TERM`.
  public void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /// Waits for its end; the output of the result is what [#line] has not taken.
  ///
  /// @throws AssertionError where it does not end within a minute; it is killed then
  public Cli.Result end() throws IOException, InterruptedException {
    StringBuilder rest = new StringBuilder();
    Thread reader = Thread.ofPlatform().daemon().start(() -> drainInto(rest));
    if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("zcp hangs; it said: " + errors());
    }
    reader.join();
    return new Cli.Result(process.exitValue(), rest.toString(), errors());
  }

  /// Kills it, if it still runs.
  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    Files.deleteIfExists(errors);
  }

  private void drainInto(StringBuilder rest) {
    try {
      for (int c = out.read(); c >= 0; c = out.read()) {
        rest.append((char) c);
      }
    } catch (IOException e) {
      rest.append(e);
    }
  }
}
