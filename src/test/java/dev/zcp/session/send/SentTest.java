package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.insight.Verified;
import dev.zcp.linux.FileStatus;
import dev.zcp.wire.EntryPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SentTest {

  @TempDir Path dir;

  private final Insight insight = new Insight("send", "auto", _ -> {});

  /// The receiver's answer may be here before the call that sent the bytes has returned.
  @Test
  void aFileIsNotDoneBeforeItsBytesAreBooked() throws Exception {
    Sent sent = sent();
    sent.goesOut();
    sent.done(Verified.WIRE);
    sent.log().moved("direct", 0, 5, 1);
    sent.wentOut();
    Result result = insight.finish();
    assertThat(result.filesDone()).isEqualTo(1);
    assertThat(result.ran()).singleElement().extracting("bytes").isEqualTo(5L);
  }

  @Test
  void aFileIsDoneAtOnceWhereNothingOfItGoesOut() throws Exception {
    Sent sent = sent();
    sent.goesOut();
    sent.wentOut();
    sent.done(Verified.WIRE);
    assertThat(insight.finish().filesDone()).isEqualTo(1);
  }

  private Sent sent() throws Exception {
    Path file = Files.write(dir.resolve("file"), new byte[5]);
    FileStatus status = FileStatus.of(file);
    EntryPath path = EntryPath.of("file".getBytes(StandardCharsets.US_ASCII));
    Outgoing outgoing =
        new Outgoing(
            WalkedFile.origin(file),
            status,
            Drafts.file(path, 5, status, List.of()),
            false,
            null,
            Outgoing.NO_AFTERMATH);
    return new Sent(outgoing, insight);
  }
}
