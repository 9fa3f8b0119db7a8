package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SenderAction;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Insight;
import dev.zcp.linux.FileStatus;
import dev.zcp.session.ResumeVerify;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.tree.Policy;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Digest;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Trailer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class SentOutcomesTest {

  private static final Span CONTENT = new Span(0, 7);

  @TempDir Path folder;

  private final Manifest manifest = TestFrames.manifest(1, 7, 7, Level.WIRE, 0);
  private final Insight insight = new Insight("send", "auto", event -> {});
  private final SendingSession session =
      TestSession.of(
          new SendingEnd().begin(manifest), insight, Policy.USUAL, Level.WIRE, ResumeVerify.ALL);

  /// Offered sooner it would find its own place taken there, and be refused.
  @Test
  void whatChangedAndArrivedDamagedGoesAnewOnceTheReceiverHasLetGoOfIt() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    begin(file, null);
    for (int i = 1; i < SendingEnd.TRIES_MAX; i++) {
      sendDamaged();
      session.hear(0, TestVerdicts.done(1));
    }
    Files.writeString(file, "another");
    sendDamaged();
    assertThat(anew()).as("before the receiver knows").isNull();
    session.hear(0, TestVerdicts.done(1));
    assertThat(said()).isEqualTo(FrameType.END);
    assertThat(anew()).as("before the receiver has heard of it").isNull();
    session.hear(0, TestVerdicts.done(1));
    assertThat(anew()).isNotNull();
  }

  /// Its directory may have been ended: the receiver would refuse it.
  @Test
  void whatWasSentIsNotOfferedAnewInADirectory() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    Outgoing above = outgoing(file, null);
    Outgoing outgoing = begin(file, above);
    sendDamaged();
    outgoing.sent();
    outgoing.change(outgoing.changed());
    session.giveUp(outgoing, outgoing.failure());
    session.hear(0, TestVerdicts.done(1));
    assertThat(said()).isEqualTo(FrameType.END);
    session.hear(0, TestVerdicts.done(1));
    assertThat(anew()).isNull();
    assertThat(session.underWay()).isZero();
  }

  private Outgoing outgoing(Path file, Outgoing directory) throws Exception {
    FileStatus status = FileStatus.of(file);
    EntryPath path = EntryPath.of("file".getBytes(StandardCharsets.UTF_8));
    return new Outgoing(
        insight,
        WalkedFile.origin(file),
        status,
        Drafts.file(path, CONTENT.length(), status, List.of()),
        false,
        directory,
        Outgoing.NO_AFTERMATH);
  }

  private Outgoing begin(Path file, Outgoing directory) throws Exception {
    Outgoing outgoing = outgoing(file, directory);
    new Offering(session).offer(outgoing);
    session.end().up(0, false);
    assertThat(said()).isEqualTo(FrameType.MANIFEST);
    assertThat(said()).isEqualTo(FrameType.OFFER);
    session.hear(0, TestFrames.accept(Level.WIRE, 0, false, 1, 1 << 20, 1));
    session.hear(0, new Reply(List.of(Answer.of(0, Answer.AnswerKind.ALL))));
    return outgoing;
  }

  private void sendDamaged() throws ProtocolException {
    assertThat(((SenderAction.SendBlock) next()).span()).isEqualTo(CONTENT);
    session.end().saying(0, Trailer.ok(0, CONTENT, Digest.crc32c(0)), 0);
    session.hear(0, TestVerdicts.rejected(new Again(0, CONTENT)));
  }

  private FrameType said() {
    return ((SenderAction.Say) next()).frame().type();
  }

  private SenderAction next() {
    return session.turn(0, CONTENT.length(), () -> true);
  }

  private Outgoing anew() {
    UnderWay.ToOffer next = session.nextToOffer(() -> true);
    return next == null ? null : next.changed();
  }
}
