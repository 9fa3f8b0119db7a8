package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Mounted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What both ends tell of how far an arrival was proved, where it is not as far as was asked for.
@Timeout(120)
class ReachedLevelTest {

  @TempDir Path home;

  @Test
  void aSenderTellsTheLevelThatWasReachedAndWhyItIsNotTheOneAskedFor() throws Exception {
    Path file = Files.write(home.resolve("file"), new byte[10]);
    try (Mounted memory = Mounted.inMemory(home, "tmpfs");
        Reception inbox = Reception.open(memory.path(), "--once")) {
      Cli.Result sent =
          Cli.run(
              Map.of("ZCP_KEY", inbox.key().text()),
              "send",
              "--json",
              "--verify=media",
              inbox.address(),
              file.toString());
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(sent.out()).contains("\"verified\":\"readback\"");
      assertThat(sent.err())
          .contains(
              "verifies to readback, not media: its directory is in memory and has no device");
      assertThat(inbox.receiver().end().err()).contains("verified: readback");
    }
  }
}
