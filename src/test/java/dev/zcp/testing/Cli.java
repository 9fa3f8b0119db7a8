package dev.zcp.testing;

import dev.zcp.cli.Arguments;
import dev.zcp.cli.Main;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// Runs `zcp` in this process, as the shell would run it in one of its own.
public final class Cli {

  /// What came of a command.
  public record Result(int exitCode, String out, String err) {}

  private Cli() {}

  public static Result run(String... arguments) {
    return run(Map.of(), arguments);
  }

  public static Result run(Map<String, String> environment, String... arguments) {
    return run(Arguments.of(arguments), InputStream.nullInputStream(), withTable(environment));
  }

  public static Result run(byte[] standardInput, String... arguments) {
    return run(
        Arguments.of(arguments), new ByteArrayInputStream(standardInput), withTable(Map.of()));
  }

  /// Most tests look at what a person sees only with a table.
  private static Map<String, String> withTable(Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(Map.of("ZCP_REPORT", "table"));
    all.putAll(environment);
    return all;
  }

  /// Runs with nothing in its environment but this, as the one below does.
  public static Result run(Arguments arguments, InputStream in, Map<String, String> environment) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Result ended = run(arguments, in, out, environment);
    return new Result(ended.exitCode(), out.toString(StandardCharsets.UTF_8), ended.err());
  }

  /// Runs with this standard output; that of the result is empty.
  public static Result run(
      Arguments arguments, InputStream in, OutputStream out, Map<String, String> environment) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream messages = new PrintStream(err, true, StandardCharsets.UTF_8);
    int exitCode = Main.run(arguments, in, out, messages, environment);
    return new Result(exitCode, "", err.toString(StandardCharsets.UTF_8));
  }
}
