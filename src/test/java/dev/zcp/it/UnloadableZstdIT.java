package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A zcp whose library of zstd lies there and cannot be loaded.
@Timeout(120)
class UnloadableZstdIT {

  @TempDir Path folder;

  private List<String> damaged;
  private Path text;
  private Path inbox;

  @BeforeEach
  void damageTheLibrary() throws IOException {
    Path built = BuiltZcp.LAUNCHER.getParent().getParent();
    Path copy = folder.resolve("zcp");
    Programs.run("cp", "-a", built.toString(), copy.toString());
    try (Stream<Path> files = Files.list(copy.resolve("lib"))) {
      Path library =
          files
              .filter(each -> each.getFileName().toString().startsWith("libzstd"))
              .findFirst()
              .orElseThrow();
      Files.writeString(library, "no library");
    }
    // In place of the built zcp, which is the next word.
    damaged = List.of("sh", "-c", "shift; exec " + copy.resolve("bin/zcp") + " \"$@\"", "sh");
    text = Files.writeString(folder.resolve("text"), "a line of text\n".repeat(200_000));
    inbox = Files.createDirectory(folder.resolve("inbox"));
  }

  private BuiltZcp.Ended send(List<String> receiver, List<String> sender) throws Exception {
    try (BuiltZcp receiving =
        BuiltZcp.start(
            folder, receiver, "receive", "--once", "--listen=127.0.0.1:0", inbox.toString())) {
      BuiltZcp.Ended sent =
          BuiltZcp.run(folder, sender, "send", "-v", "-z", receiving.firstLine(), text.toString());
      assertThat(receiving.end().exitCode()).isZero();
      return sent;
    }
  }

  @Test
  void aReceiverTakesThingsUncompressed() throws Exception {
    BuiltZcp.Ended sent = send(damaged, List.of());
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.err()).contains("the receiver does not take it");
    assertThat(inbox.resolve("text")).hasSameBinaryContentAs(text);
  }

  @Test
  void aSenderSendsThemUncompressedAndSaysSo() throws Exception {
    BuiltZcp.Ended sent = send(List.of(), damaged);
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.err()).contains("zstd is missing or cannot be loaded");
    assertThat(inbox.resolve("text")).hasSameBinaryContentAs(text);
  }
}
