package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.FileContent;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pipes at both ends: a pause of whoever writes into the one or reads from the other is no stall.
class PausesIT {

  /// Longer than the second after which each end says that it lives, also on a busy machine.
  private static final String PATIENCE = "--stall-timeout=4s";

  /// Twice as long as either end has patience, and more.
  private static final int PAUSE_S = 10;

  /// More than a pipe and the buffers of a connection hold.
  private static final int BYTES = 64 << 20;

  private static final long CONSUMER_S_MAX = 60;

  @TempDir Path folder;

  @Test
  void aProducerThatPausesEndsNothing() throws Exception {
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder, "receive", "-q", PATIENCE, "--listen=127.0.0.1:0", folder.toString())) {
      String script = "(echo a; sleep " + PAUSE_S + "; echo b) | exec \"$@\"";
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
    assertThat(folder.resolve("stdin")).hasContent("a\nb\n");
  }

  @Test
  void aConsumerThatPausesEndsNothing() throws Exception {
    byte[] content = new byte[BYTES];
    new Random(BYTES).nextBytes(content);
    Path file = Files.write(folder.resolve("file"), content);
    Path url = folder.resolve("url");
    Path got = folder.resolve("got");
    Path pipe = Programs.fifo(folder.resolve("pipe"));
    Process consumer = consumer(pipe, got);
    String script = "exec \"$@\" > " + pipe + " 2> " + url;
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            List.of("sh", "-c", script, "sh"),
            "receive",
            "-q",
            "--once",
            PATIENCE,
            "--listen=127.0.0.1:0",
            "--stdout")) {
      receiver.await("the URL", () -> Files.exists(url) && Files.readString(url).contains("\n"));
      BuiltZcp.Ended ended =
          BuiltZcp.run(
              folder, "send", "-q", PATIENCE, Files.readString(url).strip(), file.toString());
      assertThat(ended).as(Files.readString(url)).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      assertThat(receiver.end().exitCode()).as(Files.readString(url)).isZero();
      assertThat(consumer.waitFor(CONSUMER_S_MAX, TimeUnit.SECONDS)).isTrue();
    } finally {
      consumer.destroyForcibly();
    }
    FileContent.assertHolds(got, content);
  }

  /// Takes a byte, nothing for a while, and then all.
  private static Process consumer(Path pipe, Path target) throws IOException {
    String script = "exec < " + pipe + "; head -c 1; sleep " + PAUSE_S + "; exec cat";
    return new ProcessBuilder("sh", "-c", script).redirectOutput(target.toFile()).start();
  }
}
