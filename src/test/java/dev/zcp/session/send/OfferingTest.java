package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Insight;
import dev.zcp.linux.FileStatus;
import dev.zcp.testing.TestFrames;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfferingTest {

  @TempDir Path folder;

  private final Insight insight = new Insight("send", "auto", event -> {});

  /// A walk that is stopped still leaves the directories that it is in.
  @Test
  void aDirectoryThatTheSessionWasOverForEndsNoOtherEntry() throws Exception {
    Manifest manifest = TestFrames.manifest(2, 0, 0, Level.WIRE, 0);
    SendingSession session = TestSession.of(new SendingEnd().begin(manifest), insight, Level.WIRE);
    Offering offering = new Offering(session);
    Path file = Files.writeString(folder.resolve("file"), "content");
    FileStatus status = FileStatus.of(file);
    assertThat(offering.offer(outgoing(file, Drafts.file(name("file"), 7, status, List.of()))))
        .isTrue();
    session.fail(Failure.of(ExitCode.NETWORK, "peer", "is gone"));
    FileStatus other = FileStatus.of(folder);
    Outgoing directory =
        outgoing(folder, Drafts.other(EntryKind.DIRECTORY, name("d"), other, List.of()));
    assertThat(offering.offer(directory)).isFalse();
    offering.ended(directory);
    assertThat(session.isRunning()).isFalse();
  }

  private Outgoing outgoing(Path path, Offered draft) throws Exception {
    return new Outgoing(
        insight,
        new Origin.AtPath(RawPath.of(path)),
        FileStatus.of(path),
        draft,
        false,
        null,
        Outgoing.NO_AFTERMATH);
  }

  private static EntryPath name(String text) throws Exception {
    return EntryPath.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
