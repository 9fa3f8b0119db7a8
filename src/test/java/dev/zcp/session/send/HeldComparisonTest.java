package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Daemon;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SenderAction;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.exchange.SentEntry;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Insight;
import dev.zcp.linux.FileStatus;
import dev.zcp.session.ResumeVerify;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Held;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A receiver holds every other byte of a file, and of some of them it has not what the source has.
@Timeout(30)
class HeldComparisonTest {

  /// So many that a sample leaves some out.
  private static final int HELD = 20;

  private static final int BYTES = 2 * HELD;

  private static final Accept TERMS = TestFrames.accept(Level.WIRE, 0, false, 4, 1 << 20, 16);

  /// What is sent is taken as it is.
  private static final Digest NO_DIGEST = new Digest(Digest.Algorithm.NONE, Bytes.of(new byte[0]));

  @TempDir Path folder;

  private final byte[] content = new byte[BYTES];
  private Path file;
  private SendingSession session;
  private Insight insight;
  private Outgoing outgoing;

  @BeforeEach
  void writeAFile() throws Exception {
    for (int i = 0; i < BYTES; i++) {
      content[i] = (byte) i;
    }
    file = Files.write(folder.resolve("file"), content);
  }

  @Test
  void whereAllIsReadAgainNothingIsBelieved() throws Exception {
    assertThat(sentBytes(ResumeVerify.ALL, Set.of())).isEqualTo(notHeld());
    assertThat(told()).doesNotContain("believed");
    List<Integer> sent = notHeld();
    sent.add(5, 10);
    assertThat(sentBytes(ResumeVerify.ALL, Set.of(5))).isEqualTo(sent);
    assertThat(told()).doesNotContain("believed");
  }

  @Test
  void aSampleBelievesWhatItDoesNotRead() throws Exception {
    assertThat(sentBytes(ResumeVerify.SAMPLE, Set.of())).isEqualTo(notHeld());
    assertThat(told()).startsWith("17 B from before were believed");
    assertThat(sentBytes(ResumeVerify.SAMPLE, Set.of(5, 15, 17))).isEqualTo(notHeld());
    assertThat(told()).startsWith("17 B from before were believed");
  }

  @Test
  void aSampleThatIsWrongMakesAllDoubtful() throws Exception {
    for (int wrong : new int[] {0, 16, HELD - 1}) {
      assertThat(sentBytes(ResumeVerify.SAMPLE, Set.of(wrong))).hasSize(BYTES);
      assertThat(told()).doesNotContain("believed");
    }
  }

  @Test
  void whoAsksForNoneBelievesAll() throws Exception {
    assertThat(sentBytes(ResumeVerify.NONE, Set.of(0, 5, 16, HELD - 1))).isEqualTo(notHeld());
    assertThat(told()).contains("20 B from before were believed and not read again on this side");
  }

  /// It failed, and was not read again as one that is replaced while its blocks are sent.
  @Test
  void aSourceThatIsReplacedBeforeItIsComparedHasChanged() throws Exception {
    for (Answer answer :
        List.of(Answer.rest(0, held(Set.of())), Answer.of(0, Answer.AnswerKind.WHOLE))) {
      SendingEnd end = new SendingEnd().begin(TestFrames.manifest(1, BYTES, BYTES, Level.WIRE, 0));
      begin(end, ResumeVerify.ALL);
      Path other = Files.write(folder.resolve("other"), content);
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      session.hear(0, new Reply(List.of(answer)));
      SenderAction turn = session.turn(0, BYTES, () -> false);
      EntryEnds said = (EntryEnds) ((SenderAction.Say) turn).frame();
      assertThat(said.endings())
          .extracting(Ending::status)
          .as("" + outgoing.failure())
          .containsExactly(Status.CHANGED);
    }
  }

  /// Nothing else may be heard until all chunks are said.
  @Test
  void whoCutsGoesOnAsSoonAsThereIsRoomForChunks() throws Exception {
    Manifest manifest =
        new Manifest(
            1,
            BYTES,
            BYTES,
            Level.WIRE,
            Digest.Algorithm.CRC32C,
            KeepExisting.NONE,
            false,
            true,
            0);
    SendingEnd end = new SendingEnd().begin(manifest);
    begin(end, ResumeVerify.ALL);
    session.hear(0, new Reply(List.of(Answer.of(0, Answer.AnswerKind.BASE))));
    Bytes seed = Bytes.of(new byte[Chunks.SEED_BYTES]);
    Bytes record = Bytes.of(new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    Chunks chunks = new Chunks(0, 0, seed, record, false);
    while (end.hasRoomForChunks(0)) {
      session.tellChunks(0, outgoing, chunks);
    }
    Thread cutter = Daemon.start(() -> session.tellChunks(0, outgoing, chunks), "cutter");
    while (cutter.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(session.turnNow(0, BYTES)).isInstanceOf(SenderAction.Say.class);
    cutter.join();
  }

  private static List<Integer> notHeld() {
    List<Integer> places = new ArrayList<>();
    for (int at = 1; at < BYTES; at += 2) {
      places.add(at);
    }
    return places;
  }

  private String told() {
    session.agreement().tell();
    return insight.finish().session().proof();
  }

  /// The receiver claims what it holds, and takes the file up to its end.
  ///
  /// @param wrong which of what it holds is not the source's
  /// @return the places of all bytes that are sent, in order
  private List<Integer> sentBytes(ResumeVerify policy, Set<Integer> wrong) throws Exception {
    SendingEnd end = new SendingEnd().begin(TestFrames.manifest(1, BYTES, BYTES, Level.WIRE, 0));
    begin(end, policy);
    session.hear(0, new Reply(List.of(Answer.rest(0, held(wrong)))));
    List<Integer> places = new ArrayList<>();
    int units = 0;
    // There is a turn as soon as they are compared, and then there is one until all is sent.
    SenderAction turn = session.turn(0, BYTES, () -> false);
    while (turn instanceof SenderAction.SendBlock(SentEntry entry, Span span, boolean _)) {
      for (long at = span.offset(); at < span.end(); at++) {
        places.add((int) at);
      }
      end.saying(0, Trailer.ok(entry.fileId(), span, NO_DIGEST), 0);
      units++;
      turn = end.next(0, BYTES);
    }
    assertThat(turn).isInstanceOf(SenderAction.Wait.class);
    session.hear(0, TestVerdicts.done(units));
    say(end);
    session.hear(0, TestVerdicts.done(1));
    return places;
  }

  /// Offers the file.
  private void begin(SendingEnd end, ResumeVerify policy) throws Exception {
    insight = new Insight("send", "auto", _ -> {});
    insight.connected(
        new Link("peer", false, "", new SocketBuffer("SO_SNDBUF", 0, 1, "net.core.wmem_max")));
    session = TestSession.of(end, insight, TestSession.FAILING, Level.WIRE, policy);
    session.end().up(0, false);
    say(end);
    session.hear(0, TERMS);
    outgoing = outgoing();
    assertThat(new Offering(session).offer(outgoing)).isTrue();
    say(end);
  }

  private static Frame say(SendingEnd end) {
    return ((SenderAction.Say) end.next(0, BYTES)).frame();
  }

  private List<Held> held(Set<Integer> wrong) {
    List<Held> held = new ArrayList<>();
    for (int i = 0; i < HELD; i++) {
      CRC32C crc = new CRC32C();
      crc.update(wrong.contains(i) ? ~content[2 * i] : content[2 * i]);
      held.add(new Held(new Span(2 * i, 1), (int) crc.getValue()));
    }
    return held;
  }

  private Outgoing outgoing() throws Exception {
    FileStatus status = FileStatus.of(file);
    EntryPath name = EntryPath.of("file".getBytes(StandardCharsets.UTF_8));
    return new Outgoing(
        insight,
        WalkedFile.origin(file),
        status,
        Drafts.file(name, BYTES, status, List.of()),
        false,
        null,
        Outgoing.NO_AFTERMATH);
  }
}
