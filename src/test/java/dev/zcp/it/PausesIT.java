package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pipes at both ends: a pause is no stall, and a standard output that takes nothing is told as
/// such.
class PausesIT {

  private static final String PATIENCE = "--stall-timeout=2s";

  @TempDir Path folder;

  @Test
  void aProducerThatPausesEndsNothing() throws Exception {
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder, "receive", "-q", PATIENCE, "--listen=127.0.0.1:0", folder.toString())) {
      String script = "(echo a; sleep 6; echo b) | exec \"$@\"";
      BuiltZcp.Ended ended =
          BuiltZcp.run(
              folder,
              List.of("sh", "-c", script, "sh"),
              "send",
              "-q",
              PATIENCE,
              receiver.firstLine(),
              "-");
      assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    }
  }
}
