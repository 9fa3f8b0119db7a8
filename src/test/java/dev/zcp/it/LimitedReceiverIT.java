package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `--max-size` of a receiver holds for what a sender does not announce.
class LimitedReceiverIT {

  private static final int FILE_BYTES = 1 << 20;

  @TempDir Path folder;

  @Test
  void copiesInPlaceOfHardLinksCount() throws Exception {
    assumeTrue(Programs.succeeds("sh", "-c", "command -v strace"), "strace is not installed");
    Path inbox = Files.createDirectory(folder.resolve("inbox"));
    Path source = Files.createDirectory(folder.resolve("source"));
    Path file = Files.write(source.resolve("file"), new byte[FILE_BYTES]);
    for (int i = 0; i < 8; i++) {
      Files.createLink(source.resolve("name" + i), file);
    }
    List<String> withoutLinks =
        List.of("strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=linkat:error=EPERM");
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            withoutLinks,
            "receive",
            "--once",
            "--accept=hardlinks",
            "--max-size=3M",
            "--listen=127.0.0.1:0",
            inbox.toString())) {
      BuiltZcp.Ended sent =
          BuiltZcp.run(folder, "send", "-a", receiver.firstLine(), source.toString());
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(4);
      assertThat(sent.err()).contains("--max-size allows 3.00 MiB in all");
    }
    assertThat(TreeContent.of(inbox).entries().keySet()).hasSizeLessThan(6);
  }
}
