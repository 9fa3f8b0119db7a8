package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.exchange.SenderAction;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.FileStatus;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Digest;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Trailer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SendingSessionTest {

  private static final long BLOCK_BYTES = 100;

  @TempDir Path folder;

  private final Manifest manifest = TestFrames.manifest(1, 7, 7, Level.WIRE, 0);
  private final SendingEnd end = new SendingEnd().begin(manifest);
  private final Insight insight = new Insight("send", "auto", event -> {});
  private final SendingSession session = TestSession.of(end, insight, Level.WIRE);

  /// In a thread of its own, which is given up where it never ends.
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoIsInterruptedWaitsForNothingMore() {
    session.end().up(0, false);
    assertThat(next()).isEqualTo(new SenderAction.Say(manifest));
    Thread.currentThread().interrupt();
    assertThat(next()).isInstanceOf(SenderAction.Leave.class);
    assertThat(session.isRunning()).isFalse();
    session.await(() -> false);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  @Timeout(60)
  void aWaitForAcknowledgementsIsOneSampleHoweverOftenItIsInterrupted() throws Exception {
    assertThat(session.offer(file(), List.of())).isTrue();
    session.end().up(0, false);
    assertThat(next()).isEqualTo(new SenderAction.Say(manifest));
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, BLOCK_BYTES, 4));
    Offer offer = (Offer) ((SenderAction.Say) next()).frame();
    for (Offered each : offer.entries()) {
      end.onFrame(0, new Reply(List.of(Answer.of(each.fileId(), Answer.AnswerKind.ALL))));
    }
    SenderAction.SendBlock first = (SenderAction.SendBlock) next();
    end.saying(0, Trailer.ok(first.entry().fileId(), first.span(), Digest.crc32c(0)), 0);
    AtomicReference<SenderAction> second = new AtomicReference<>();
    Thread waiter = Thread.ofPlatform().daemon().start(() -> second.set(next()));
    for (int i = 0; i < 3; i++) {
      while (waiter.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      session.wake();
    }
    session.hear(0, TestVerdicts.done(1));
    waiter.join();
    assertThat(second.get()).isInstanceOf(SenderAction.SendBlock.class);
    assertThat(insight.finish().stages().get(Stage.WINDOW).count()).isEqualTo(1);
  }

  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whoHasNothingToSendDoesNotWaitForTheWindow() {
    session.end().up(0, false);
    assertThat(next()).isEqualTo(new SenderAction.Say(manifest));
    Thread.currentThread().interrupt();
    assertThat(next()).isInstanceOf(SenderAction.Leave.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(insight.finish().stages()).isEmpty();
  }

  /// The sums at the two ends differed, or the session was over without the file.
  @Test
  void ifAFileLeavesItsPartTheLastWordIsNotSaidBeforeItIsOffered() throws Exception {
    session.end().up(0, false);
    assertThat(next()).isEqualTo(new SenderAction.Say(manifest));
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, BLOCK_BYTES, 4));
    Path small = Files.createFile(folder.resolve("small"));
    OutgoingPart part = new OutgoingPart(null);
    part.add(WalkedFile.origin(small).entry(), FileStatus.of(small), null);
    part.wantAll();
    session.queue(part);
    session.walked();
    assertThat(next()).isEqualTo(new SenderAction.SendPart(part));
    session.offerAnew(file());
    end.saying(0, part, 1, new long[1], new int[1]);
    assertThat(session.turnNow(0, BLOCK_BYTES)).isInstanceOf(SenderAction.Wait.class);
  }

  /// One of two blocks.
  private Outgoing file() throws Exception {
    Path path = Files.write(folder.resolve("file"), new byte[2 * (int) BLOCK_BYTES]);
    FileStatus status = FileStatus.of(path);
    EntryPath there = EntryPath.of("file".getBytes(StandardCharsets.UTF_8));
    return new Outgoing(
        insight,
        new Origin.AtPath(RawPath.of(path)),
        status,
        Drafts.file(there, 2 * BLOCK_BYTES, status, List.of()),
        false,
        null,
        Outgoing.NO_AFTERMATH);
  }

  private SenderAction next() {
    return session.turn(0, BLOCK_BYTES, () -> false);
  }
}
