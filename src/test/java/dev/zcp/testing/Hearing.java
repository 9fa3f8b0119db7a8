package dev.zcp.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A signal that whoever runs the tests ignores is ignored by what it starts, too: nohup(1) does
/// so, and a shell's `&`. env(1) of GNU makes it heard again.
public final class Hearing {

  /// What to put before a command.
  public static final List<String> PREFIX = List.of("env", "--default-signal=HUP,INT,QUIT,TERM");

  private Hearing() {}

  /// Waits until what was started with [#PREFIX] has left env(1): before, it may hear nothing.
  public static void await(Process process) {
    Path name = Path.of("/proc/" + process.pid() + "/comm");
    try {
      while (process.isAlive() && Files.readString(name).strip().equals(PREFIX.getFirst())) {
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  /// Skips a test where this env(1) knows nothing of signals.
  public static void assume() throws IOException {
    assumeTrue(
        Programs.succeeds(PREFIX.getFirst(), PREFIX.getLast(), "true"),
        "env --default-signal is not there");
  }
}
