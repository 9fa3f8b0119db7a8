package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.FrameSpotter;
import dev.zcp.testing.SlowWay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many small files over a long way. Whether they wait for each other is counted and not timed:
/// whoever waits for an answer hears one. How many go into one part depends on how fast they are
/// read, so the bound is far from the hundreds that fit, and far from one.
class DelayedSessionIT {

  private static final int FILES = 20_000;
  private static final int DIRECTORIES = 20;
  private static final int FILE_BYTES = 1024;
  private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(25);

  @TempDir Path folder;

  @Test
  void smallFilesTakeNoRoundTripEach() throws Exception {
    Path source = grow();
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    try (BuiltZcp receiver =
        BuiltZcp.start(folder, "receive", "-q", "--listen=127.0.0.1:0", inbox.toString())) {
      String url = receiver.firstLine();
      int colon = url.lastIndexOf(':') + 1;
      try (SlowWay way = new SlowWay(Integer.parseInt(url.substring(colon)), DELAY_NS)) {
        BuiltZcp.Ended ended =
            BuiltZcp.run(
                folder, "send", "-r", "-q", url.substring(0, colon) + way.port(), source + "/.");
        assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
        int said = frames(way.toReceiver());
        int heard = frames(way.toSender());
        System.out.printf("DelayedSessionIT: %d frames there, %d back%n", said, heard);
        assertThat(said).isBetween(1, FILES / 8);
        assertThat(heard).isBetween(1, FILES / 8);
      }
    }
    TreeContent.of(inbox).assertSameAs(TreeContent.of(source));
  }

  private static int frames(List<FrameSpotter> connections) {
    return connections.stream().mapToInt(FrameSpotter::count).sum();
  }

  private Path grow() throws Exception {
    Path source = Files.createDirectory(folder.resolve("source"));
    byte[] content = new byte[FILE_BYTES];
    for (int i = 0; i < DIRECTORIES; i++) {
      Path directory = Files.createDirectory(source.resolve("d" + i));
      for (int j = 0; j < FILES / DIRECTORIES; j++) {
        content[j % FILE_BYTES]++;
        Files.write(directory.resolve("f" + j), content);
      }
    }
    return source;
  }
}
