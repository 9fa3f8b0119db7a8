package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Lost;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.PartBuilder;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Kept;
import dev.zcp.wire.Rejection.Refused;
import dev.zcp.wire.Rejection.Wanted;
import dev.zcp.wire.Reply;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Verdicts;
import dev.zcp.wire.Wants;
import dev.zcp.wire.Wants.Want;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What a receiver lets its sender say, and what it says itself.
class ReceivingEndTest {

  private static final Manifest MANIFEST = TestFrames.manifest(-1, -1, -1, Level.WIRE, 0);
  private static final Accept TERMS = TestFrames.accept(Level.WIRE, 0, false, 4, 100, 2);
  private static final Cells CELLS = Cells.random(new Random(1), 1, 20);

  private static final Bytes DIGEST = Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]);

  private final ReceivingEnd end = new ReceivingEnd();

  private void begin() throws ProtocolException {
    end.up(0);
    end.onFrame(0, MANIFEST);
    end.accept(TERMS);
    assertThat(end.next(0)).containsExactly(TERMS);
  }

  private static Offered file(long id, long size) {
    Node node = new Node(EntryKind.FILE, "f" + id, null, size < 0, null);
    node.set(Cells.ofZeros(1, Math.max(0, Math.min(size, 1000))));
    Offered offered = node.offered(id, 0);
    return new Offered(
        id,
        EntryKind.FILE,
        offered.path(),
        size,
        offered.metadata(),
        offered.identity(),
        offered.content(),
        0);
  }

  private void offer(Offered... entries) throws ProtocolException {
    end.onFrame(0, new Offer(List.of(entries)));
    for (Offered each : entries) {
      end.answer(Answer.of(each.fileId(), Answer.AnswerKind.ALL));
    }
  }

  private void block(int connection, long id, Span span) throws ProtocolException {
    end.onFrame(connection, new Data(id, span));
    int crc32c = CELLS.at(span).crc32c();
    List<ReceiverAction> actions =
        end.onFrame(connection, Trailer.ok(id, span, Digest.crc32c(crc32c)));
    ReceiverAction.CheckBlock check = (ReceiverAction.CheckBlock) actions.getFirst();
    if (check.wanted()) {
      end.blockDone(connection, check.unit(), true, crc32c);
    }
    end.unitDone(connection, check.unit());
  }

  private List<Frame> said(int connection) {
    return end.next(connection);
  }

  private void assertBroken(Frame frame) {
    assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> end.onFrame(0, frame));
  }

  /// A frame of 40 bytes would have 2^30 zeros written to standard output.
  @Test
  void whatGoesInOrderHasNoHoles() throws ProtocolException {
    end.up(0);
    end.onFrame(0, MANIFEST);
    end.accept(TestFrames.accept(Level.WIRE, 0, true, 1, 100, 1));
    offer(file(0, 1L << 40));
    assertBroken(Data.hole(0, new Span(0, 1L << 30)));
  }

  @Test
  void noMoreIsClaimedThanASenderHasToRemember() throws ProtocolException {
    begin();
    List<Held> held = new ArrayList<>();
    for (int i = 0; i < Limits.HELD_MAX; i++) {
      held.add(new Held(new Span(2L * i, 1), i));
    }
    int files = Limits.HELD_OF_ALL_MAX / Limits.HELD_MAX + 5;
    for (int i = 0; i < files; i++) {
      end.onFrame(0, new Offer(List.of(file(i, 2L * Limits.HELD_MAX))));
      end.answer(Answer.rest(i, held));
    }
    List<Integer> claimed = new ArrayList<>();
    for (Frame frame : said(0)) {
      ((Reply) frame).answers().forEach(each -> claimed.add(each.held().size()));
    }
    assertThat(claimed).hasSize(files).allMatch(each -> each > 0).contains(1, Limits.HELD_MAX);
    assertThat(claimed.stream().mapToInt(each -> each).sum())
        .isLessThanOrEqualTo(Limits.HELD_OF_ALL_MAX);
  }

  @Test
  void aFileInBlocksIsPublishedOnceAllOfItIsThere() throws ProtocolException {
    begin();
    offer(file(0, 20));
    block(0, 0, new Span(0, 10));
    block(0, 0, new Span(10, 10));
    Ending ending = new Ending(0, Status.OK, 20, CELLS.crc32c());
    List<ReceiverAction> actions = end.onFrame(0, new EntryEnds(List.of(ending)));
    assertThat(actions).containsExactly(new ReceiverAction.Publish(2, List.of(ending)));
    end.published(0, Level.WIRE);
    end.unitDone(0, 2);
    assertThat(said(0))
        .containsExactly(
            new Reply(List.of(Answer.of(0, Answer.AnswerKind.ALL))), TestVerdicts.done(3));
  }

  @Test
  void aFileWithAGapIsRefusedBeforeItsAcknowledgement() throws ProtocolException {
    begin();
    offer(file(0, 20));
    block(0, 0, new Span(0, 10));
    said(0);
    end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.OK, 20, CELLS.crc32c()))));
    Refused refused = new Refused(0, ExitCode.INTEGRITY, "is not what was sent");
    assertThat(said(0)).containsExactly(TestVerdicts.doneBut(refused));
  }

  @Test
  void aFileOfAnotherDigestIsRefused() throws ProtocolException {
    begin();
    offer(file(0, 20));
    block(0, 0, new Span(0, 20));
    List<ReceiverAction> actions =
        end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.OK, 20, CELLS.crc32c() + 1))));
    assertThat(((ReceiverAction.Drop) actions.getFirst()).exitCode()).isEqualTo(ExitCode.INTEGRITY);
  }

  @Test
  void aFileThatArrivedDamagedTooOftenIsAFailureOfIntegrity() throws ProtocolException {
    begin();
    offer(file(0, 20));
    List<ReceiverAction> actions =
        end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.DAMAGED, 0, 0))));
    assertThat(actions)
        .containsExactly(
            new ReceiverAction.Drop(0, ExitCode.INTEGRITY, "arrived damaged too often"));
  }

  @Test
  void aBlockThatArrivesDamagedIsAskedForAgainBeforeItsAcknowledgement() throws ProtocolException {
    begin();
    offer(file(0, 20));
    said(0);
    Span span = new Span(0, 20);
    end.onFrame(0, new Data(0, span));
    end.onFrame(0, Trailer.ok(0, span, Digest.crc32c(1)));
    end.blockDone(0, 0, false, 2);
    end.unitDone(0, 0);
    assertThat(said(0)).containsExactly(TestVerdicts.doneBut(new Again(0, span)));
  }

  @Test
  void aDigestByAnotherAlgorithmThanThatOfTheTermsBreaksTheProtocol() throws ProtocolException {
    end.up(0);
    end.onFrame(0, MANIFEST);
    end.accept(new Accept(Level.WIRE, Digest.Algorithm.SHA256, 0, false, 4, 100, 2));
    offer(file(0, 20), file(1, 20));
    assertBroken(part(2, false, Part.OWN_DIRECTORY));
    Span span = new Span(0, 20);
    end.onFrame(0, new Data(0, span));
    assertBroken(Trailer.ok(0, span, Digest.NONE));
    assertBroken(Trailer.ok(0, span, Digest.crc32c(CELLS.crc32c())));
    assertThat(end.onFrame(0, Trailer.ok(0, span, Digest.Algorithm.SHA256.ofNothing()))).hasSize(1);
  }

  /// A part by SHA-256 was taken under terms of CRC32C.
  @Test
  void aPartByAnotherDigestThanThatOfTheTermsBreaksTheProtocol() throws ProtocolException {
    begin();
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 0, 0);
    builder.add(Part.OWN_DIRECTORY, new byte[] {'a'}, 10, 7, List.of());
    assertBroken(builder.build(0, false, false, Digest.Algorithm.SHA256.ofNothing()));
    take(0, builder.build(0, false, false, Digest.NONE));
  }

  @Test
  void withLevelNoneNothingHasADigest() throws ProtocolException {
    end.up(0);
    end.onFrame(0, TestFrames.manifest(-1, -1, -1, Level.NONE, 0));
    end.accept(TestFrames.accept(Level.NONE, 0, false, 4, 100, 2));
    assertBroken(part(1, false, Part.OWN_DIRECTORY));
    take(0, TestFrames.part(10));
    offer(file(1, 20));
    Span span = new Span(0, 20);
    end.onFrame(0, new Data(1, span));
    assertBroken(Trailer.ok(1, span, Digest.crc32c(0)));
    end.onFrame(0, Trailer.ok(1, span, Digest.NONE));
    end.blockDone(0, 1, true, 0);
    end.unitDone(0, 1);
    assertBroken(new EntryEnds(List.of(new Ending(1, Status.OK, 20, 7))));
    assertThat(end.onFrame(0, new EntryEnds(List.of(new Ending(1, Status.OK, 20, 0))))).hasSize(1);
  }

  @Test
  void anEndOfADirectoryHasNoSizeAndNoCrc32c() throws ProtocolException {
    beginInDirectory();
    assertBroken(new EntryEnds(List.of(new Ending(0, Status.OK, 1, 0))));
    assertBroken(new EntryEnds(List.of(new Ending(0, Status.OK, 0, 1))));
    end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.OK, 0, 0))));
  }

  @Test
  void aBlockThatIsProvedAlreadyIsThrownAway() throws ProtocolException {
    begin();
    end.up(1);
    offer(file(0, 20));
    block(0, 0, new Span(0, 10));
    List<ReceiverAction> actions = end.onFrame(1, new Data(0, new Span(0, 10)));
    assertThat(actions)
        .containsExactly(new ReceiverAction.TakeBlock(new Data(0, new Span(0, 10)), false));
  }

  @Test
  void aConnectionThatTheSenderLostIsLetGoOfBeforeItsBytesComeAgain() throws ProtocolException {
    begin();
    end.up(1);
    offer(file(0, 20));
    Data data = new Data(0, new Span(0, 10));
    end.onFrame(0, data);
    assertThat(end.onFrame(1, new Lost(List.of(0, 7))))
        .containsExactly(new ReceiverAction.Abandon(0));
    end.down(0);
    assertThat(end.onFrame(1, data)).containsExactly(new ReceiverAction.TakeBlock(data, true));
  }

  @Test
  void bytesThatAnotherConnectionHasInHandBreakTheProtocol() throws ProtocolException {
    begin();
    end.up(1);
    offer(file(0, 20));
    end.onFrame(0, new Data(0, new Span(0, 10)));
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> end.onFrame(1, new Data(0, new Span(5, 10))))
        .withMessageContaining("bytes of 0 twice at a time");
  }

  @Test
  void aConnectionThatComesUpAfterItWasLostBringsNothing() throws ProtocolException {
    begin();
    offer(file(0, 20));
    end.onFrame(0, new Lost(List.of(1)));
    end.up(1);
    assertThat(end.onFrame(1, new Data(0, new Span(0, 10))))
        .containsExactly(new ReceiverAction.Abandon(1));
  }

  @Test
  void aConnectionDoesNotSayThatItIsLost() throws ProtocolException {
    begin();
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> end.onFrame(0, new Lost(List.of(0))))
        .withMessage("connection 0, lost by its own word");
  }

  @Test
  void aRepeatedOfferIsAnsweredTheSame() throws ProtocolException {
    begin();
    end.up(1);
    end.onFrame(0, new Offer(List.of(file(0, 20))));
    end.answer(Answer.failed(0, ExitCode.EXISTS, "is there"));
    assertThat(end.onFrame(1, new Offer(List.of(file(0, 20))))).isEmpty();
    assertThat(said(1))
        .containsExactly(new Reply(List.of(Answer.failed(0, ExitCode.EXISTS, "is there"))));
  }

  @Test
  void aFileKeptLongAgoMayGetAnotherName() throws ProtocolException {
    begin();
    long id = 0;
    while (id <= Limits.ENTRIES_UNDER_WAY_MAX) {
      end.onFrame(0, new Offer(List.of(entry(EntryKind.FILE, id, "f" + id))));
      end.answer(Answer.of(id, Answer.AnswerKind.KEPT));
      said(0);
      id++;
    }
    Offered link = entry(EntryKind.HARD_LINK, id, "l");
    assertThat(link.firstId()).isZero();
    assertThat(end.onFrame(0, new Offer(List.of(link))))
        .containsExactly(new ReceiverAction.Consider(List.of(link)));
  }

  private static final Show SHOWN = new Show(0, CELLS.crc32c(), Digest.NONE);

  private void find() throws ProtocolException {
    begin();
    end.onFrame(0, new Offer(List.of(file(0, 20))));
    end.answer(Answer.of(0, Answer.AnswerKind.WHOLE));
    said(0);
  }

  @Test
  void whatIsThereIsComparedWithWhatIsShown() throws ProtocolException {
    find();
    assertThat(end.onFrame(0, SHOWN)).containsExactly(new ReceiverAction.Compare(0, SHOWN));
    end.published(0, Level.WIRE);
    end.unitDone(0, 0);
    assertThat(said(0)).containsExactly(TestVerdicts.done(1));
    assertThat(end.isOver(0)).isTrue();
  }

  @Test
  void whatDiffersFromWhatIsShownIsWantedAlsoIfItIsShownAgain() throws ProtocolException {
    find();
    end.onFrame(0, SHOWN);
    end.differs(0);
    end.unitDone(0, 0);
    assertThat(said(0)).containsExactly(TestVerdicts.doneBut(new Wanted(0)));
    end.up(1);
    end.down(0);
    assertThat(end.onFrame(1, SHOWN)).isEmpty();
    assertThat(said(1)).containsExactly(TestVerdicts.doneBut(new Wanted(0)));
    block(1, 0, new Span(0, 20));
    Ending ending = new Ending(0, Status.OK, 20, CELLS.crc32c());
    assertThat(end.onFrame(1, new EntryEnds(List.of(ending))))
        .containsExactly(new ReceiverAction.Publish(2, List.of(ending)));
  }

  @Test
  void whatIsThereHasNoBytesAndNoEndBeforeItIsShown() throws ProtocolException {
    find();
    assertBroken(Data.hole(0, new Span(0, 20)));
    assertBroken(new EntryEnds(List.of(new Ending(0, Status.OK, 20, CELLS.crc32c()))));
    Show by = new Show(0, 0, Digest.Algorithm.SHA256.ofNothing());
    assertBroken(by);
    end.onFrame(0, new Offer(List.of(file(1, 20))));
    end.answer(Answer.of(1, Answer.AnswerKind.ALL));
    assertBroken(new Show(1, 0, Digest.NONE));
  }

  @Test
  void aSourceThatChangedMayEndWhatIsThere() throws ProtocolException {
    find();
    List<ReceiverAction> actions =
        end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.CHANGED, 0, 0))));
    assertThat(((ReceiverAction.Drop) actions.getFirst()).exitCode()).isEqualTo(ExitCode.SOURCE);
  }

  @Test
  void bytesBeforeTheTermsBreakTheProtocol() throws ProtocolException {
    end.up(0);
    end.onFrame(0, MANIFEST);
    end.onFrame(0, new Offer(List.of(file(0, 20))));
    assertBroken(new Data(0, new Span(0, 20)));
    assertBroken(Data.hole(0, new Span(0, 20)));
    assertBroken(part(1, false, Part.OWN_DIRECTORY));
    assertBroken(new EntryEnds(List.of(new Ending(0, Status.OK, 20, 0))));
  }

  @Test
  void anOfferBeforeTheManifestOrByAnIdThatWasUsedBreaksTheProtocol() throws ProtocolException {
    end.up(0);
    assertBroken(new Offer(List.of(file(0, 20))));
    end.onFrame(0, MANIFEST);
    end.onFrame(0, new Offer(List.of(file(0, 20))));
    assertBroken(new Offer(List.of(file(0, 21))));
  }

  @Test
  void bytesBeyondTheFileOrAcrossABlockBreakTheProtocol() throws ProtocolException {
    begin();
    offer(file(0, 20));
    assertBroken(Data.hole(0, new Span(10, 11)));
    assertBroken(Data.hole(1, new Span(0, 1)));
    block(0, 0, new Span(0, 10));
    assertBroken(Data.hole(0, new Span(5, 10)));
  }

  @Test
  void aHoleInAStreamBreaksTheProtocol() throws ProtocolException {
    begin();
    offer(file(0, Offered.SIZE_UNKNOWN));
    assertBroken(Data.hole(0, new Span(0, 1L << 30)));
  }

  /// What was dealt with counts until the sender is told.
  @Test
  void moreUnitsThanMayWaitForTheirAcknowledgementBreakTheProtocol() throws ProtocolException {
    begin();
    offer(file(0, 20));
    said(0);
    Frame givenUp = new EntryEnds(List.of(new Ending(0, Status.CHANGED, 0, 0)));
    for (int i = 0; i < Limits.UNITS_UNDER_WAY_MAX; i++) {
      end.onFrame(0, givenUp);
    }
    assertBroken(givenUp);
    List<Frame> said = said(0);
    assertThat(((Verdicts) said.getFirst()).rejections()).hasSize(Limits.RECORDS_MAX);
    assertThat(((Verdicts) said.getLast()).units()).isEqualTo(Limits.UNITS_UNDER_WAY_MAX);
  }

  @Test
  void moreThanTheWindowBreaksTheProtocol() throws ProtocolException {
    begin();
    offer(file(0, 1000));
    Span span = new Span(0, 60);
    end.onFrame(0, new Data(0, span));
    end.onFrame(0, Trailer.ok(0, span, Digest.crc32c(0)));
    assertBroken(new Data(0, new Span(60, 41)));
    end.onFrame(0, new Data(0, new Span(60, 40)));
  }

  @Test
  void moreLargeFilesThanTheTermsSayBreakTheProtocol() throws ProtocolException {
    begin();
    long large = Limits.PART_BYTES_MAX + 1L;
    offer(file(0, large), file(1, large));
    assertBroken(new Offer(List.of(file(2, large))));
  }

  @Test
  void moreEntriesThanMayBeUnderWayBreakTheProtocol() throws ProtocolException {
    begin();
    long id = 0;
    while (id < Limits.ENTRIES_UNDER_WAY_MAX) {
      end.onFrame(0, new Offer(List.of(file(id, 0))));
      id++;
    }
    assertBroken(new Offer(List.of(file(id, 0))));
  }

  @Test
  void theLeastThatAnyFileReachedIsInTheLastWord() throws ProtocolException {
    begin();
    offer(file(0, 20), file(1, 20));
    for (long id = 0; id < 2; id++) {
      block(0, id, new Span(0, 20));
      Ending ending = new Ending(id, Status.OK, 20, CELLS.crc32c());
      end.onFrame(0, new EntryEnds(List.of(ending)));
      end.published(id, id == 0 ? Level.NONE : Level.WIRE);
    }
    said(0);
    end.giveUp(ExitCode.NETWORK, "");
    assertThat(((Done) end.next(0).getFirst()).level()).isEqualTo(Level.NONE);
  }

  @Test
  void theSendersLevelIsKnownFromItsLastWordAndIsNotAboveWhatWasAgreed() throws ProtocolException {
    begin();
    Bytes digest = Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]);
    assertBroken(new Done(ExitCode.OK, 0, 0, Level.MEDIA, digest, "", false));
    assertBroken(new Done(ExitCode.OK, 0, 0, Level.READBACK, digest, "", false));
    assertBroken(
        new Done(ExitCode.OK, 0, 0, Level.NONE, digest, "", false)
            .with(new Done.Tally(1, false, false, 0, 0)));
    assertThat(end.peerReached()).isNull();
    assertThat(end.onFrame(0, new Done(ExitCode.OK, 0, 0, Level.NONE, digest, "", false)))
        .containsExactly(new ReceiverAction.Over(ExitCode.OK, "", false));
    assertThat(end.peerReached()).isEqualTo(Level.NONE);
    end.sayGoodbye(ExitCode.OK, new Done.Tally(3, false, false, 0, 0), "", List.of());
    Done own = (Done) end.next(0).getFirst();
    assertThat(own.level()).isEqualTo(Level.WIRE);
    assertThat(own.tally().losses()).isEqualTo(3);
  }

  @Test
  void aDirectoryIsCompleteOnceAllInItIsOver() throws ProtocolException {
    begin();
    offer(entry(EntryKind.DIRECTORY, 0, "d"), entry(EntryKind.FILE, 1, "d/f"));
    said(0);
    EntryEnds ends = new EntryEnds(List.of(new Ending(0, Status.OK, 0, 0)));
    assertThat(end.onFrame(0, ends)).isEmpty();
    assertThat(end.due()).isEmpty();
    assertThat(said(0)).containsExactly(TestVerdicts.done(1));
    takeEmpty(1);
    assertThat(end.due()).containsExactly(new ReceiverAction.Complete(0));
    end.completed(0);
    Reply made = new Reply(List.of(Answer.of(0, Answer.AnswerKind.MADE)));
    assertThat(said(0)).containsExactly(made, TestVerdicts.done(1));
    end.up(1);
    end.onFrame(1, ends);
    assertThat(said(1)).containsExactly(made, TestVerdicts.done(1));
  }

  @Test
  void nothingIsTakenInADirectoryThatWasEnded() throws ProtocolException {
    begin();
    offer(entry(EntryKind.DIRECTORY, 0, "d"), entry(EntryKind.FILE, 1, "d/f"));
    said(0);
    end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.OK, 0, 0))));
    end.onFrame(0, new Offer(List.of(entry(EntryKind.FILE, 2, "d/late"))));
    Answer answer = ((Reply) said(0).getFirst()).answers().getFirst();
    assertThat(answer.kind()).isEqualTo(Answer.AnswerKind.FAILED);
    assertThat(answer.exitCode()).isEqualTo(ExitCode.DESTINATION);
  }

  @Test
  void anEarlyWordIsAnsweredOnceAllIsOver() throws ProtocolException {
    begin();
    Offered file = entry(EntryKind.FILE, 0, "f");
    offer(file);
    assertThat(end.onFrame(0, early(file))).isEmpty();
    assertThat(end.due()).isEmpty();
    takeEmpty(0);
    assertThat(end.due()).containsExactly(new ReceiverAction.Over(ExitCode.OK, "", false));
    assertThat(end.due()).isEmpty();
    said(0);
    end.sayGoodbye(ExitCode.OK, Done.Tally.NONE, "", List.of());
    assertThat(said(0)).hasOnlyElementsOfType(Done.class).hasSize(1);
  }

  @Test
  void anEarlyWordThatKnowsNotOfAFailureIsNotAnswered() throws ProtocolException {
    begin();
    Offered file = entry(EntryKind.FILE, 0, "f");
    offer(file);
    end.onFrame(0, early(file));
    end.failed(0, ExitCode.DESTINATION, "no room");
    assertThat(end.due()).isEmpty();
    Bytes none = Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]);
    assertThat(end.onFrame(0, new Done(ExitCode.SOME_FAILED, 0, 0, Level.WIRE, none, "", false)))
        .containsExactly(new ReceiverAction.Over(ExitCode.SOME_FAILED, "", false));
  }

  /// The sender may offer anew what failed. As much as it had counted is well then, but other
  /// bytes.
  @Test
  void anEarlyWordIsNotAnsweredOnceSomethingFailedHoweverMuchIsWell() throws ProtocolException {
    begin();
    offer(entry(EntryKind.FILE, 0, "f"));
    end.onFrame(0, early(entry(EntryKind.FILE, 0, "f")));
    end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.CHANGED, 0, 0))));
    offer(entry(EntryKind.FILE, 1, "g"));
    takeEmpty(1);
    assertThat(end.due()).isEmpty();
  }

  @Test
  void whatWasDeclinedDoesNotKeepAnEarlyWordFromItsAnswer() throws ProtocolException {
    begin();
    Offered file = entry(EntryKind.FILE, 0, "f");
    offer(file);
    end.onFrame(0, new Offer(List.of(entry(EntryKind.LINK, 1, "l"))));
    end.answer(Answer.of(1, Answer.AnswerKind.DECLINED));
    end.onFrame(0, early(file));
    takeEmpty(0);
    assertThat(end.due()).containsExactly(new ReceiverAction.Over(ExitCode.OK, "", false));
  }

  @Test
  void anEarlyWordWithOtherSumsIsAFailureOfIntegrity() throws ProtocolException {
    begin();
    offer(entry(EntryKind.FILE, 0, "f"));
    end.onFrame(0, early(entry(EntryKind.FILE, 0, "g")));
    takeEmpty(0);
    List<ReceiverAction> due = end.due();
    assertThat(((ReceiverAction.GaveUp) due.getFirst()).exitCode()).isEqualTo(ExitCode.INTEGRITY);
  }

  private static Offered entry(EntryKind kind, long id, String path) {
    Node node = new Node(kind, path, null, false, null);
    node.set(Cells.ofZeros(1, 0));
    return node.offered(id, 0);
  }

  /// As if only this were sent.
  private static Done early(Offered file) {
    TreeDigest digest = new TreeDigest();
    digest.add(file, 0, 0);
    return digest.done(ExitCode.OK, Level.WIRE, "", true);
  }

  private void takeEmpty(long id) throws ProtocolException {
    EntryEnds said = new EntryEnds(List.of(new Ending(id, Status.OK, 0, 0)));
    ReceiverAction.Publish action = (ReceiverAction.Publish) end.onFrame(0, said).getFirst();
    end.published(id, Level.WIRE);
    end.unitDone(0, action.unit());
  }

  @Test
  void whatBothCountMustAgreeAtTheEnd() throws ProtocolException {
    begin();
    offer(file(0, 20));
    Bytes digest = Bytes.of(new byte[Limits.TREE_DIGEST_BYTES]);
    assertBroken(new Done(ExitCode.OK, 0, 0, Level.WIRE, digest, "", false));
    block(0, 0, new Span(0, 20));
    end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.OK, 20, CELLS.crc32c()))));
    end.published(0, Level.WIRE);
    end.unitDone(0, 1);
    said(0);
    List<ReceiverAction> actions =
        end.onFrame(0, new Done(ExitCode.OK, 1, 20, Level.WIRE, digest, "", false));
    assertThat(((ReceiverAction.GaveUp) actions.getFirst()).exitCode())
        .isEqualTo(ExitCode.INTEGRITY);
    assertThat(((Done) end.next(0).getFirst()).exitCode()).isEqualTo(ExitCode.INTEGRITY);
  }

  private static Offered directory(long id) {
    return new Node(EntryKind.DIRECTORY, "d" + id, null, false, null).offered(id, 0);
  }

  /// A file of ten bytes in each of these directories, in one part.
  private static Part part(long firstId, boolean isRepeated, long... directoryIds) {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 0, 0);
    for (int i = 0; i < directoryIds.length; i++) {
      byte[] name = {(byte) ('a' + i)};
      builder.add(directoryIds[i], name, 10, 7, List.of());
    }
    return builder.build(firstId, isRepeated, false, Digest.NONE);
  }

  private ReceiverAction.TakePart take(int connection, Part part) throws ProtocolException {
    return (ReceiverAction.TakePart) end.onFrame(connection, part).getFirst();
  }

  @Test
  void aSenderHasSoManyPartsUnderWayAndNoMoreWhateverBecomesOfItsConnections()
      throws ProtocolException {
    beginInDirectory();
    for (int i = 0; i < Limits.PARTS_UNDER_WAY_MAX; i++) {
      end.up(i + 1);
      take(i + 1, part(i + 1, false, 0));
      end.down(i + 1);
    }
    assertBroken(part(Limits.PARTS_UNDER_WAY_MAX + 1, false, 0));
    // One of those that were lost may come again.
    assertThat(take(0, part(1, true, 0)).wanted()).isTrue();
  }

  private void beginInDirectory() throws ProtocolException {
    begin();
    end.onFrame(0, new Offer(List.of(directory(0))));
    end.answer(Answer.of(0, Answer.AnswerKind.NEW));
    said(0);
  }

  private static PartResult published(int files) {
    PartResult result = new PartResult();
    for (int i = 0; i < files; i++) {
      result.published(i, 10, Level.WIRE);
    }
    return result;
  }

  @Test
  void theFilesOfAPartAreOverWithItsUnitAndTheirDirectoryAfterThat() throws ProtocolException {
    beginInDirectory();
    ReceiverAction.TakePart first = take(0, part(5, false, 0, 0));
    assertThat(first.wanted()).isTrue();
    assertThat(first.directories()).extracting(EntryPath::toString).containsExactly("d0");
    end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.OK, 0, 0))));
    assertThat(end.due()).isEmpty();
    PartResult result = published(1);
    result.failed(6, ExitCode.DESTINATION, "no room");
    end.partDone(0, first.unit(), result);
    assertThat(end.due()).containsExactly(new ReceiverAction.Complete(0));
    Refused refused = new Refused(6, ExitCode.DESTINATION, "no room");
    assertThat(said(0)).containsExactly(new Verdicts(2, List.of(refused)));
  }

  @Test
  void aPartInWhatIsNoDirectoryUnderWayBreaksTheProtocol() throws ProtocolException {
    beginInDirectory();
    assertBroken(part(5, false, 0, 3));
    offer(file(1, 20));
    assertBroken(part(5, false, 1));
    take(0, part(5, false, 0));
    end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.OK, 0, 0))));
    assertBroken(part(7, false, 0));
  }

  @Test
  void filesOfAPartWhoseDirectoryWasNotTakenHaveNone() throws ProtocolException {
    beginInDirectory();
    end.onFrame(0, new Offer(List.of(directory(1))));
    end.answer(Answer.failed(1, ExitCode.EXISTS, "is a file"));
    assertThat(take(0, part(5, false, 0, 1)).directories())
        .extracting(each -> each == null)
        .containsExactly(false, true);
  }

  @Test
  void anIdIsUsedOnceAlsoByAPart() throws ProtocolException {
    beginInDirectory();
    assertBroken(part(0, false, 0));
    take(0, part(5, false, 0, 0));
    assertBroken(part(5, false, 0, 0));
    assertBroken(part(6, false, 0, 0));
    assertBroken(part(6, true, 0, 0));
    assertThat(take(0, part(4, false, 0)).wanted()).as("out of order").isTrue();
    assertThat(end.onFrame(0, new Offer(List.of(file(2, 20))))).hasSize(1);
  }

  @Test
  void aPartWhoseConnectionIsLostIsTakenUpOnlyAsItWas() throws ProtocolException {
    beginInDirectory();
    end.onFrame(0, new Offer(List.of(directory(1))));
    end.answer(Answer.of(1, Answer.AnswerKind.NEW));
    take(0, part(5, false, 0, 0, 1));
    end.up(1);
    end.down(0);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> end.onFrame(1, part(5, true, 0, 1, 1)));
  }

  @Test
  void aPartThatIsRepeatedIsTakenUpOnceAndThenOnlyItsVerdictsAreSaidAgain()
      throws ProtocolException {
    beginInDirectory();
    take(0, part(5, false, 0, 0, 0));
    end.up(1);
    end.down(0);
    ReceiverAction.TakePart again = take(1, part(5, true, 0, 0, 0));
    assertThat(again.wanted()).isTrue();
    PartResult result = published(1);
    result.failed(6, ExitCode.DESTINATION, "no room");
    result.kept(7);
    end.partDone(1, again.unit(), result);
    end.up(2);
    end.down(1);
    ReceiverAction.TakePart late = take(2, part(5, true, 0, 0, 0));
    assertThat(late.wanted()).isFalse();
    end.partDone(2, late.unit(), new PartResult());
    Refused refused = new Refused(6, ExitCode.DESTINATION, "no room");
    assertThat(said(2)).containsExactly(new Verdicts(1, List.of(refused, new Kept(7))));
  }

  private static Part look(long number, long directoryId) {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.addToLook(directoryId, new byte[] {'a'}, 10);
    return builder.buildLook(number);
  }

  @Test
  void aLookIsAnsweredAndAskedAgainFromMemory() throws ProtocolException {
    end.up(0);
    assertBroken(look(0, Part.OWN_DIRECTORY));
    end.onFrame(0, MANIFEST);
    for (int i = 0; i < Limits.LOOKS_UNDER_WAY_MAX; i++) {
      assertThat(end.onFrame(0, look(i, Part.OWN_DIRECTORY)))
          .containsExactly(
              new ReceiverAction.Look(look(i, Part.OWN_DIRECTORY), List.of(EntryPath.TOP)));
    }
    assertBroken(look(Limits.LOOKS_UNDER_WAY_MAX, Part.OWN_DIRECTORY));
    end.accept(TERMS);
    Wants wants = Wants.of(3, new Want[] {Want.BYTES});
    end.wants(0, wants);
    assertThat(said(0)).containsExactly(TERMS, wants);
    assertThat(end.onFrame(0, look(3, Part.OWN_DIRECTORY))).isEmpty();
    assertThat(said(0)).containsExactly(wants);
    assertBroken(look(3, 5));
  }

  @Test
  void twoLooksOfOneNumberBreakTheProtocol() throws ProtocolException {
    beginInDirectory();
    end.onFrame(0, look(0, 0));
    assertBroken(look(0, 0));
  }

  @Test
  void whatIsWantedAfterAllIsToldAgainIfItsPartIsRepeated() throws ProtocolException {
    beginInDirectory();
    ReceiverAction.TakePart taken = take(0, part(5, false, 0));
    PartResult result = new PartResult();
    result.wanted(5);
    end.partDone(0, taken.unit(), result);
    assertThat(said(0)).containsExactly(new Verdicts(1, List.of(new Wanted(5))));
    end.up(1);
    end.down(0);
    ReceiverAction.TakePart again = take(1, part(5, true, 0));
    assertThat(again.wanted()).isFalse();
    end.partDone(1, again.unit(), new PartResult());
    assertThat(said(1)).containsExactly(new Verdicts(1, List.of(new Wanted(5))));
  }

  @Test
  void aRepeatedPartThatNeverCameIsANewOne() throws ProtocolException {
    beginInDirectory();
    assertThat(take(0, part(5, true, 0, 0)).wanted()).isTrue();
  }

  @Test
  void aPartOverMoreThanTheWindowBreaksTheProtocol() throws ProtocolException {
    beginInDirectory();
    ReceiverAction.TakePart alone = take(0, part(5, false, new long[11]));
    assertThat(alone.part().rawBytes()).isGreaterThan((int) TERMS.windowBytes());
    assertBroken(part(20, false, 0));
  }

  @Test
  void aPartWithoutTheDigestThatWasAgreedBreaksTheProtocol() throws ProtocolException {
    end.up(0);
    end.onFrame(0, MANIFEST);
    assertBroken(part(5, false, 0));
    end.accept(new Accept(Level.WIRE, Digest.Algorithm.SHA256, 0, false, 4, 100, 2));
    offer(directory(0));
    assertBroken(part(5, false, 0));
  }

  @Test
  void whatGoesInOrderHasNoParts() throws ProtocolException {
    end.up(0);
    end.onFrame(0, MANIFEST);
    end.accept(TestFrames.accept(Level.WIRE, 0, true, 1, 100, 1));
    offer(directory(0));
    assertBroken(part(5, false, 0));
  }

  @Test
  void aKeptFileOfAPartLeavesAnEarlyLastWordWithoutItsAnswer() throws ProtocolException {
    beginInDirectory();
    ReceiverAction.TakePart taken = take(0, part(5, false, 0));
    end.onFrame(0, new EntryEnds(List.of(new Ending(0, Status.OK, 0, 0))));
    end.onFrame(0, new Done(ExitCode.OK, 2, 10, Level.WIRE, DIGEST, "", true));
    PartResult result = new PartResult();
    result.kept(5);
    end.partDone(0, taken.unit(), result);
    assertThat(end.due()).containsExactly(new ReceiverAction.Complete(0));
    end.completed(0);
    assertThat(end.due()).isEmpty();
  }
}
