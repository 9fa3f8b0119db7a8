package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.io.StandardStreams;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// What the shell gave this process: its standard streams and its environment.
final class Shell {

  private final StandardStreams streams;
  private final RememberingStream remembering;
  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;

  Shell(InputStream in, OutputStream out, PrintStream err, Map<String, String> environment) {
    this.streams = new StandardStreams(in, out);
    this.remembering = new RememberingStream(out);
    this.out = new PrintStream(remembering, false, StandardCharsets.UTF_8);
    this.err = err;
    this.environment = environment;
  }

  /// Standard input and output for the bytes of files: what goes wrong there is thrown.
  StandardStreams streams() {
    return streams;
  }

  /// Standard output for lines of text. It throws nothing; [#finish] tells what went wrong.
  PrintStream out() {
    return out;
  }

  PrintStream err() {
    return err;
  }

  /// The value of an environment variable, or null.
  String variable(String name) {
    return environment.get(name);
  }

  /// Makes sure that what was printed has left the process: a script that gets half of the output
  /// must not get a 0 with it.
  ///
  /// @throws Failure DESTINATION where standard output is full or closed
  void finish() throws Failure {
    if (out.checkError()) {
      String reason = remembering.failure();
      throw Failure.of(
          ExitCode.DESTINATION, "standard output", reason.isEmpty() ? "cannot be written" : reason);
    }
  }

  /// Tells a person what went wrong.
  void complain(String message) {
    err.print(message + "\n");
    err.flush();
  }
}
