package dev.zcp.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SimulatedTree.Node;
import dev.zcp.testing.TestFrames;
import dev.zcp.testing.TestVerdicts;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Frame;
import dev.zcp.wire.Held;
import dev.zcp.wire.Keep;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Lost;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
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

/// What a sender does next, and what it lets its receiver say.
class SendingEndTest {

  private static final Manifest MANIFEST = TestFrames.manifest(-1, -1, -1, Level.WIRE, 0);
  private static final Node DIRECTORY = new Node(EntryKind.DIRECTORY, "d", null, false, null);
  private static final long BLOCK_BYTES = 100;

  private final SendingEnd end = new SendingEnd().begin(MANIFEST);

  /// What was offered, but for small files, by their ids.
  private final List<SentEntry> entries = new ArrayList<>();

  private void offer(Offered draft, List<Span> holes) {
    entries.add(new TestEntry(draft));
    end.offer(entries.getLast(), holes);
  }

  private static Offered file(long id, int size) {
    Node node = new Node(EntryKind.FILE, "f" + id, null, false, null);
    node.set(Cells.random(new Random(id), 1, size));
    return node.offered(id, 0);
  }

  /// Offers files of these sizes; the receiver wants all of them.
  private void begin(boolean inOrder, long windowBytes, int... sizes) throws ProtocolException {
    for (int size : sizes) {
      offer(file(entries.size(), size), List.of());
    }
    end.allOffered();
    end.up(0, false);
    assertThat(next(0)).isEqualTo(new SenderAction.Say(MANIFEST));
    Offer offer = (Offer) ((SenderAction.Say) next(0)).frame();
    assertThat(offer.entries().size()).isEqualTo(entries.size());
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, inOrder, 4, windowBytes, 4));
    for (Offered each : offer.entries()) {
      end.onFrame(0, new Reply(List.of(Answer.of(each.fileId(), Answer.AnswerKind.ALL))));
    }
  }

  private SenderAction next(int connection) {
    return end.next(connection, BLOCK_BYTES);
  }

  private SenderAction.SendBlock sendBlock(int connection) {
    SenderAction.SendBlock block = (SenderAction.SendBlock) next(connection);
    Trailer trailer = Trailer.ok(block.entry().fileId(), block.span(), Digest.crc32c(0));
    end.saying(connection, trailer, 0);
    return block;
  }

  /// As [#begin], without any file.
  private void beginWithoutFiles() throws ProtocolException {
    end.up(0, false);
    assertThat(next(0)).isEqualTo(new SenderAction.Say(MANIFEST));
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
  }

  /// Says a part of files of these sizes in the receiver's own directory, all of them wanted.
  private TestPart sayPart(int connection, int... sizes) {
    TestPart part = new TestPart(Part.OWN_DIRECTORY);
    part.wantAll();
    end.queue(part);
    sayAgain(connection, part, sizes);
    return part;
  }

  private void sayAgain(int connection, TestPart part, int... sizes) {
    assertThat(next(connection)).isEqualTo(new SenderAction.SendPart(part));
    end.saying(connection, part, 10, new long[sizes.length], sizes);
  }

  @Test
  void whatGoesInOrderHasNoHoles() throws ProtocolException {
    offer(file(0, 300), List.of(new Span(100, 100)));
    begin(true, 1000, 5);
    for (int i = 0; i < 3; i++) {
      assertThat(sendBlock(0).span()).isEqualTo(new Span(100L * i, 100));
    }
  }

  @Test
  void aHoleThatIsTooLongForOneFrameGoesInSeveral() throws ProtocolException {
    long max = Limits.DATA_BYTES_MAX;
    Node sparse = new Node(EntryKind.FILE, "sparse", null, false, null);
    sparse.set(Cells.ofZeros(Limits.DATA_BYTES_MAX, 3 * max));
    offer(sparse.offered(0, 0), List.of(new Span(0, 2 * max + 5)));
    begin(false, 1000, 5);
    assertThat(next(0)).isEqualTo(new SenderAction.Say(Data.hole(0, new Span(0, max))));
    assertThat(next(0)).isEqualTo(new SenderAction.Say(Data.hole(0, new Span(max, max))));
    assertThat(next(0)).isEqualTo(new SenderAction.Say(Data.hole(0, new Span(2 * max, 5))));
    assertThat(sendBlock(0).span()).isEqualTo(new Span(2 * max + 5, 100));
  }

  @Test
  void aFileThatWasGivenUpAndSentAnewIsNoFailure() throws ProtocolException {
    offer(file(0, 5), List.of());
    end.up(0, false);
    next(0);
    next(0);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    end.onFrame(0, new Reply(List.of(Answer.of(0, Answer.AnswerKind.ALL))));
    sendChanged(5);
    assertThat(end.onFrame(0, TestVerdicts.rejected(new Refused(0, ExitCode.SOURCE, ""))))
        .containsExactly(new SenderEvent.GivenUp(entries.get(0)));
    end.onFrame(0, TestVerdicts.done(1));
    offer(file(1, 6), List.of());
    end.allOffered();
    next(0);
    end.onFrame(0, new Reply(List.of(Answer.of(1, Answer.AnswerKind.ALL))));
    sendBlock(0);
    end.onFrame(0, TestVerdicts.done(1));
    end.end(entries.get(1), Status.OK);
    next(0);
    end.onFrame(0, TestVerdicts.done(1));
    assertThat(lastWord().exitCode()).isEqualTo(ExitCode.OK);
  }

  /// Sends the file 0 of so many bytes, whose source has changed.
  private void sendChanged(int size) {
    assertThat(next(0)).isInstanceOf(SenderAction.SendBlock.class);
    Trailer trailer = new Trailer(0, new Span(0, size), Status.CHANGED, Digest.crc32c(0));
    end.saying(0, trailer, 0);
  }

  @Test
  void theLastWordTellsOfWhatFailedForGood() throws ProtocolException {
    end.allOffered();
    end.up(0, false);
    next(0);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    end.note(ExitCode.SOURCE, "no such file");
    Done done = lastWord();
    assertThat(done.exitCode()).isEqualTo(ExitCode.SOURCE);
    assertThat(done.text()).isEqualTo("no such file");
  }

  @Test
  void nothingFollowsTheLastWordOnItsConnection() throws ProtocolException {
    end.allOffered();
    end.up(0, false);
    end.up(1, false);
    next(0);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    assertThat(lastWord().exitCode()).isEqualTo(ExitCode.OK);
    end.down(1);
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    end.up(2, false);
    end.down(0);
    assertThat(next(2)).isEqualTo(new SenderAction.Say(new Lost(List.of(1, 0))));
    assertThat(((SenderAction.Say) next(2)).frame()).isInstanceOf(Done.class);
  }

  private Done lastWord() {
    return (Done) ((SenderAction.Say) next(0)).frame();
  }

  @Test
  void theReceiversLevelIsKnownFromItsLastWordAndIsNotAboveWhatItPromised()
      throws ProtocolException {
    beginWithoutFiles();
    end.allOffered();
    sayPart(0, 10);
    end.onFrame(0, TestVerdicts.done(1));
    Done own = lastWord();
    assertThat(own.level()).isEqualTo(Level.WIRE);
    assertThat(end.peerReached()).isNull();
    assertThat(own.tally().losses()).isZero();
    assertThat(end.peersLastWord()).isNull();
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> end.onFrame(0, saidBack(own, Level.READBACK)))
        .withMessage("proved to READBACK, promised WIRE");
    assertThat(end.onFrame(0, saidBack(own, Level.NONE))).containsExactly(new SenderEvent.Over());
    assertThat(end.peerReached()).isEqualTo(Level.NONE);
    assertThat(end.peersLastWord().tally().losses()).isEqualTo(3);
  }

  @Test
  void theLastWordFollowsTheLastBytesAndItsAnswerEndsAll() throws ProtocolException {
    end.walked();
    beginWithoutFiles();
    TestPart part = sayPart(0, 6, 4);
    Done early = lastWord();
    assertThat(early.isEarly()).isTrue();
    assertThat(early.entries()).isEqualTo(2);
    assertThat(early.bytes()).isEqualTo(10);
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    assertThat(end.onFrame(0, saidBack(early, Level.WIRE)))
        .containsExactly(
            new SenderEvent.PartOver(part), new SenderEvent.Progress(10), new SenderEvent.Over());
  }

  @Test
  void ifSomethingFailsAfterTheEarlyWordThereIsAnother() throws ProtocolException {
    end.walked();
    end.allOffered();
    beginWithoutFiles();
    sayPart(0, 6, 4);
    assertThat(lastWord().isEarly()).isTrue();
    end.onFrame(0, TestVerdicts.doneBut(new Refused(1, ExitCode.DESTINATION, "no room")));
    end.note(ExitCode.DESTINATION, "no room");
    Done done = lastWord();
    assertThat(done.isEarly()).isFalse();
    assertThat(done.entries()).isEqualTo(1);
    assertThat(done.exitCode()).isEqualTo(ExitCode.SOME_FAILED);
  }

  /// It may be offered anew, and the receiver must not be done before.
  @Test
  void whoKnowsOfAFailureSaysNoEarlyWord() throws ProtocolException {
    end.walked();
    begin(false, 1000, 10);
    sendChanged(10);
    assertThat(((SenderAction.Say) next(0)).frame()).isInstanceOf(EntryEnds.class);
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
  }

  @Test
  void anEarlyWordThatIsLostWithItsConnectionIsSaidAgain() throws ProtocolException {
    end.walked();
    beginWithoutFiles();
    TestPart part = sayPart(0, 10);
    Done early = lastWord();
    end.down(0);
    end.up(1, false);
    assertThat(next(1)).isEqualTo(new SenderAction.Say(new Lost(List.of(0))));
    sayAgain(1, part, 10);
    assertThat(next(1)).isEqualTo(new SenderAction.Say(early));
  }

  @Test
  void theEndOfADirectoryIsSaidAgainUntilItIsAnswered() throws ProtocolException {
    offer(DIRECTORY.offered(0, 0), List.of());
    begin(false, 1000);
    end.end(entries.get(0), Status.OK);
    SenderAction said = next(0);
    assertThat(((EntryEnds) ((SenderAction.Say) said).frame()).endings()).hasSize(1);
    assertThat(end.onFrame(0, TestVerdicts.done(1))).isEmpty();
    end.down(0);
    end.up(1, false);
    next(1);
    assertThat(next(1)).isEqualTo(said);
    assertThat(end.onFrame(1, new Reply(List.of(Answer.of(0, Answer.AnswerKind.MADE)))))
        .containsExactly(new SenderEvent.Done(entries.get(0), 0));
  }

  /// Else it could overtake the offer, and the receiver would know no such directory any more.
  @Test
  void theEndOfADirectoryStaysBehindTheOffersInItWhicheverConnectionTheyAreOn()
      throws ProtocolException {
    offer(DIRECTORY.offered(0, 0), List.of());
    begin(false, 1000);
    end.up(1, false);
    offer(new Node(EntryKind.DIRECTORY, "e", DIRECTORY, false, null).offered(1, 0), List.of());
    end.end(entries.get(0), Status.OK);
    assertThat(((SenderAction.Say) next(0)).frame()).isInstanceOf(Offer.class);
    assertThat(next(1)).isEqualTo(new SenderAction.Wait());
    end.onFrame(0, new Reply(List.of(Answer.of(1, Answer.AnswerKind.ALL))));
    assertThat(((SenderAction.Say) next(1)).frame()).isInstanceOf(EntryEnds.class);
  }

  private static Done saidBack(Done own, Level level) {
    return new Done(own.exitCode(), own.entries(), own.bytes(), level, own.digest(), "", false)
        .with(new Done.Tally(3, false, false, 0, 0));
  }

  @Test
  void whatIsTakenOnTrustLowersTheLevelOfTheLastWordOnceItHasArrived() throws ProtocolException {
    for (Status status : List.of(Status.OK, Status.CHANGED)) {
      SendingEnd sending = new SendingEnd().begin(MANIFEST);
      SentEntry entry = new TestEntry(file(0, 30));
      sending.offer(entry, List.of());
      sending.allOffered();
      sending.up(0, false);
      sending.next(0, BLOCK_BYTES);
      sending.next(0, BLOCK_BYTES);
      sending.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
      Held all = new Held(new Span(0, 30), 7);
      sending.onFrame(0, new Reply(List.of(Answer.rest(0, List.of(all)))));
      sending.believed(entry);
      sending.claimed(entry, List.of(all.span()));
      sending.end(entry, status);
      sending.next(0, BLOCK_BYTES);
      sending.onFrame(0, TestVerdicts.done(1));
      Done own = (Done) ((SenderAction.Say) sending.next(0, BLOCK_BYTES)).frame();
      assertThat(own.level()).isEqualTo(status == Status.OK ? Level.NONE : Level.WIRE);
    }
  }

  @Test
  void theLargestFileGoesFirstAndEndsWithTheSumOfItsBlocks() throws ProtocolException {
    begin(false, 1000, 60, 150);
    assertThat(sendBlock(0))
        .isEqualTo(new SenderAction.SendBlock(entries.get(1), new Span(0, 100), false));
    assertThat(sendBlock(0))
        .isEqualTo(new SenderAction.SendBlock(entries.get(1), new Span(100, 50), false));
    assertThat(sendBlock(0))
        .isEqualTo(new SenderAction.SendBlock(entries.get(0), new Span(0, 60), false));
    assertThat(end.onFrame(0, TestVerdicts.done(1))).containsExactly(new SenderEvent.Progress(100));
    assertThat(end.onFrame(0, TestVerdicts.done(1)))
        .contains(new SenderEvent.AllArrived(entries.get(1)));
    end.end(entries.get(1), Status.OK);
    EntryEnds ends = (EntryEnds) ((SenderAction.Say) next(0)).frame();
    int sum = Crc32c.combined(0, 0, 50);
    assertThat(ends.endings()).containsExactly(new Ending(1, Status.OK, 150, sum));
  }

  @Test
  void neitherSmallFilesNorLargeOnesKeepTheOthersWaiting() throws ProtocolException {
    begin(false, 1000, 300);
    sayPart(0, 5, 5);
    TestPart second = new TestPart(Part.OWN_DIRECTORY);
    second.wantAll();
    end.queue(second);
    assertThat(sendBlock(0).entry().fileId()).isZero();
    sayAgain(0, second, 5, 5);
    assertThat(sendBlock(0).entry().fileId()).isZero();
  }

  @Test
  void noMoreGoesOutThanTheWindowHolds() throws ProtocolException {
    begin(false, 150, 300);
    sendBlock(0);
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    end.onFrame(0, TestVerdicts.done(1));
    sendBlock(0);
  }

  @Test
  void inOrderTheNextFileWaitsForTheEndOfTheOneBefore() throws ProtocolException {
    begin(true, 1000, 5, 150);
    end.up(1, false);
    assertThat(sendBlock(0).entry().fileId()).isZero();
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    assertThat(next(1)).isEqualTo(new SenderAction.Wait());
    end.onFrame(0, TestVerdicts.done(1));
    end.end(entries.get(0), Status.OK);
    assertThat(next(0)).isInstanceOf(SenderAction.Say.class);
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    end.onFrame(0, TestVerdicts.done(1));
    assertThat(sendBlock(0).entry().fileId()).isEqualTo(1);
  }

  @Test
  void aBlockOfALostConnectionGoesOverAnotherAsItWas() throws ProtocolException {
    begin(false, 1000, 150);
    end.up(1, false);
    SenderAction.SendBlock first = sendBlock(0);
    end.down(0);
    assertThat(end.next(1, 10)).isEqualTo(new SenderAction.Say(new Lost(List.of(0))));
    assertThat(end.next(1, 10))
        .isEqualTo(new SenderAction.SendBlock(first.entry(), first.span(), true));
    assertThat(next(0)).isEqualTo(new SenderAction.Leave());
    end.up(2, false);
    assertThat(next(2)).isEqualTo(new SenderAction.Say(new Lost(List.of(0))));
  }

  /// If there is another one, bytes go there. The control connection then does not wait for the
  /// window.
  @Test
  void aControlConnectionCarriesBytesWhileThereIsNoOther() throws ProtocolException {
    offer(file(0, 300), List.of());
    end.allOffered();
    end.up(0, true);
    next(0);
    next(0);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    end.onFrame(0, new Reply(List.of(Answer.of(0, Answer.AnswerKind.ALL))));
    assertThat(sendBlock(0).span()).isEqualTo(new Span(0, 100));
    end.up(1, false);
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    assertThat(end.isTooMuchUnderWay()).isFalse();
    assertThat(sendBlock(1).span()).isEqualTo(new Span(100, 100));
    end.down(1);
    assertThat(next(0)).isEqualTo(new SenderAction.Say(new Lost(List.of(1))));
    assertThat(sendBlock(0).span()).isEqualTo(new Span(100, 100));
    assertThat(sendBlock(0).span()).isEqualTo(new Span(200, 100));
  }

  /// A connection that owes something and says nothing but beats is taken for stuck. One that
  /// others leave nothing to do must not be: with a control connection the session would be lost.
  @Test
  void nothingIsOwedOnAConnectionForWhatIsUnderWayOnOthers() throws ProtocolException {
    end.walked();
    offer(file(0, 10), List.of());
    end.up(0, false);
    assertThat(end.isOwed(0)).as("before the manifest").isFalse();
    next(0);
    assertThat(end.isOwed(0)).as("its terms").isTrue();
    next(0);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    end.up(1, true);
    assertThat(end.isOwed(0)).as("an answer").isTrue();
    assertThat(end.isOwed(1)).isFalse();
    end.onFrame(0, new Reply(List.of(Answer.of(0, Answer.AnswerKind.ALL))));
    assertThat(end.isOwed(0)).isFalse();
    SenderAction.SendBlock block = (SenderAction.SendBlock) next(0);
    assertThat(end.isOwed(0)).as("while it is read").isFalse();
    end.saying(0, Trailer.ok(block.entry().fileId(), block.span(), Digest.crc32c(0)), 0);
    assertThat(end.isOwed(0)).as("an acknowledgement").isTrue();
    end.onFrame(0, TestVerdicts.done(1));
    end.end(entries.get(0), Status.OK);
    next(0);
    assertThat(lastWord().isEarly()).isTrue();
    end.onFrame(0, TestVerdicts.done(1));
    assertThat(end.isOwed(0)).as("an answer to the early word").isTrue();
    assertThat(end.isOwed(1)).isFalse();
    end.giveUp(ExitCode.NETWORK, "enough");
    assertThat(end.isOwed(1)).as("the last word").isTrue();
  }

  @Test
  void aBlockThatArrivesDamagedFourTimesFailsItsFile() throws ProtocolException {
    begin(false, 1000, 50);
    Span span = new Span(0, 50);
    for (int i = 1; i < SendingEnd.TRIES_MAX; i++) {
      sendBlock(0);
      assertThat(end.onFrame(0, TestVerdicts.rejected(new Again(0, span))))
          .containsExactly(new SenderEvent.Damaged(entries.get(0), span));
      end.onFrame(0, TestVerdicts.done(1));
    }
    sendBlock(0);
    List<SenderEvent> events = end.onFrame(0, TestVerdicts.rejected(new Again(0, span)));
    assertThat(((SenderEvent.Spoilt) events.getFirst()).exitCode()).isEqualTo(ExitCode.INTEGRITY);
    EntryEnds ends = (EntryEnds) ((SenderAction.Say) next(0)).frame();
    assertThat(ends.endings()).containsExactly(new Ending(0, Status.DAMAGED, 0, 0));
    end.onFrame(0, TestVerdicts.done(1));
    assertThat(end.onFrame(0, TestVerdicts.done(1)))
        .containsExactly(new SenderEvent.GivenUp(entries.get(0)));
  }

  @Test
  void whatTheReceiverHoldsIsNotSent() throws ProtocolException {
    offer(file(0, 50), List.of());
    end.up(0, false);
    next(0);
    next(0);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    Held held = new Held(new Span(10, 30), 9);
    assertThat(end.onFrame(0, new Reply(List.of(Answer.rest(0, List.of(held))))))
        .containsExactly(new SenderEvent.Claimed(entries.get(0), List.of(held)));
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    assertThat(end.claimed(entries.get(0), List.of(held.span()))).isEmpty();
    assertThat(sendBlock(0).span()).isEqualTo(new Span(0, 10));
    assertThat(sendBlock(0).span()).isEqualTo(new Span(40, 10));
    assertThat(end.onFrame(0, TestVerdicts.done(2)))
        .contains(new SenderEvent.AllArrived(entries.get(0)));
    end.end(entries.get(0), Status.OK);
    next(0);
    assertThat(end.onFrame(0, TestVerdicts.done(1)))
        .containsExactly(new SenderEvent.Done(entries.get(0), 30));
  }

  private static final Show SHOWN = new Show(0, 7, Digest.NONE);

  /// Shows a file of 50 bytes that is there, on the connection 0.
  private void show() throws ProtocolException {
    offer(file(0, 50), List.of());
    end.walked();
    end.up(0, false);
    next(0);
    next(0);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    Reply whole = new Reply(List.of(Answer.of(0, Answer.AnswerKind.WHOLE)));
    assertThat(end.onFrame(0, whole)).containsExactly(new SenderEvent.Whole(entries.get(0)));
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    end.shown(entries.getFirst(), SHOWN);
    assertThat(next(0)).isEqualTo(new SenderAction.Say(SHOWN));
  }

  @Test
  void whatIsThereAndIsWhatWasShownIsNotSent() throws ProtocolException {
    show();
    assertThat(lastWord().isEarly()).isTrue();
    assertThat(end.onFrame(0, TestVerdicts.done(1)))
        .containsExactly(new SenderEvent.Done(entries.get(0), 50));
  }

  @Test
  void whatIsThereAndIsSomethingElseIsSentAndUndoesAnEarlyLastWord() throws ProtocolException {
    show();
    assertThat(lastWord().isEarly()).isTrue();
    end.onFrame(0, TestVerdicts.doneBut(new Wanted(0)));
    assertThat(sendBlock(0).span()).isEqualTo(new Span(0, 50));
    assertThat(end.onFrame(0, TestVerdicts.done(1)))
        .contains(new SenderEvent.AllArrived(entries.get(0)));
    end.end(entries.get(0), Status.OK);
    next(0);
    assertThat(end.onFrame(0, TestVerdicts.done(1)))
        .containsExactly(new SenderEvent.Done(entries.get(0), 0));
    end.allOffered();
    assertThat(lastWord().isEarly()).isFalse();
  }

  /// It may not say that all is there after it has asked for more.
  @Test
  void whoWantsWhatWasShownDoesNotAnswerTheEarlyLastWord() throws ProtocolException {
    show();
    Done early = lastWord();
    end.onFrame(0, TestVerdicts.doneBut(new Wanted(0)));
    assertBroken(saidBack(early, Level.WIRE));
  }

  @Test
  void whatWasShownOverALostConnectionIsShownAgain() throws ProtocolException {
    show();
    end.onFrame(0, TestVerdicts.rejected(new Wanted(0)));
    end.up(1, false);
    end.down(0);
    assertThat(next(1)).isEqualTo(new SenderAction.Say(new Lost(List.of(0))));
    assertThat(next(1)).isEqualTo(new SenderAction.Say(SHOWN));
    assertThat(end.onFrame(1, TestVerdicts.done(1)))
        .containsExactly(new SenderEvent.Done(entries.get(0), 50));
  }

  @Test
  void onlyWhatWasShownIsWanted() throws ProtocolException {
    begin(false, 1000, 50);
    assertBroken(TestVerdicts.rejected(new Wanted(0)));
  }

  @Test
  void aTurnThatWasNotCarriedOutIsAMistakeOfTheCaller() throws ProtocolException {
    begin(false, 1000, 50);
    next(0);
    assertThatIllegalStateException().isThrownBy(() -> next(0));
  }

  @Test
  void whatWasNotAnsweredIsOfferedAgainBeforeWhatCameLater() throws ProtocolException {
    begin(false, 1000, 5);
    for (int i = 0; i < 3; i++) {
      offer(file(entries.size(), 5), List.of());
    }
    end.up(1, false);
    assertThat(offered(1)).containsExactly(1L, 2L, 3L);
    end.onFrame(1, new Reply(List.of(Answer.of(2, Answer.AnswerKind.ALL))));
    offer(file(entries.size(), 5), List.of());
    end.down(1);
    assertThat(next(0)).isEqualTo(new SenderAction.Say(new Lost(List.of(1))));
    assertThat(offered(0)).containsExactly(1L, 3L, 4L);
  }

  private List<Long> offered(int connection) {
    Offer offer = (Offer) ((SenderAction.Say) next(connection)).frame();
    return offer.entries().stream().map(Offered::fileId).toList();
  }

  @Test
  void aBoundedNumberOfFilesIsUnderWayWhateverTheDirectoriesAreThatTheyAreIn()
      throws ProtocolException {
    begin(false, 1000, 5);
    for (int i = 0; i < 500; i++) {
      offer(DIRECTORY.offered(entries.size(), 0), List.of());
    }
    // One is under way from the beginning.
    assertThat(fill()).isEqualTo(8191);
    assertThat(offered(0)).startsWith(1L, 2L);
    for (long id = 1; id <= 500; id++) {
      end.onFrame(0, new Reply(List.of(Answer.declined(id, "no"))));
    }
    assertThat(fill()).isZero();
    assertThat(next(0)).isInstanceOf(SenderAction.Say.class);
    end.onFrame(0, new Reply(List.of(Answer.failed(501, ExitCode.DESTINATION, "no"))));
    assertThat(fill()).isEqualTo(1);
  }

  /// Offers files as long as there is room, and says how many there were.
  private int fill() {
    int files = 0;
    while (end.hasRoom(EntryKind.FILE)) {
      offer(file(entries.size(), 0), List.of());
      files++;
    }
    return files;
  }

  @Test
  void howeverManyDirectoriesThereAreWhatIsInThemHasRoom() {
    int directories = 0;
    while (end.hasRoom(EntryKind.DIRECTORY)) {
      offer(DIRECTORY.offered(entries.size(), 0), List.of());
      directories++;
    }
    assertThat(directories + fill()).isEqualTo(Limits.ENTRIES_UNDER_WAY_MAX);
  }

  @Test
  void termsWithAWeakerDigestThanWasAskedForBreakTheProtocol() throws ProtocolException {
    Manifest manifest =
        new Manifest(
            1, 1, 1, Level.WIRE, Digest.Algorithm.SHA256, KeepExisting.NONE, false, false, 0);
    SendingEnd asking = new SendingEnd().begin(manifest);
    asking.up(0, false);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> asking.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4)))
        .withMessage("accepted with level WIRE by CRC32C");
    Accept stronger = new Accept(Level.WIRE, Digest.Algorithm.SHA256, 0, false, 4, 1000, 4);
    assertThat(asking.onFrame(0, stronger)).containsExactly(new SenderEvent.Accepted(stronger));
  }

  @Test
  void otherTermsThanBeforeBreakTheProtocolAndTheSameAreIgnored() throws ProtocolException {
    beginWithoutFiles();
    assertThat(end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4))).isEmpty();
    assertBroken(TestFrames.accept(Level.WIRE, 0, false, 4, 1001, 4));
    assertBroken(TestFrames.accept(Level.READBACK, 0, false, 4, 1000, 4));
  }

  @Test
  void aReceiverKeepsNoMoreThanItWasAskedFor() throws ProtocolException {
    SendingEnd asking =
        new SendingEnd().begin(TestFrames.manifest(1, 1, 1, Level.WIRE, Keep.OWNER.bit()));
    asking.up(0, false);
    int more = Keep.OWNER.bit() | Keep.ACL.bit();
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> asking.onFrame(0, TestFrames.accept(Level.WIRE, more, false, 4, 1000, 4)))
        .withMessage("keeps what was not asked for: 0x40");
    assertThat(asking.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4))).hasSize(1);
  }

  @Test
  void aReceiverMayOnlySayWhatIsDue() throws ProtocolException {
    begin(false, 1000, 50);
    assertBroken(TestVerdicts.done(1));
    assertBroken(TestVerdicts.rejected(new Again(0, new Span(0, 50))));
    assertBroken(new Reply(List.of(Answer.of(0, Answer.AnswerKind.ALL))));
    assertBroken(new Reply(List.of(Answer.of(9, Answer.AnswerKind.ALL))));
    assertBroken(MANIFEST);
  }

  @Test
  void whatExistsIsKeptOnlyIfThatWasAskedFor() throws ProtocolException {
    Reply kept = new Reply(List.of(Answer.of(0, Answer.AnswerKind.KEPT)));
    assertThat(offeringOne(KeepExisting.SAME).onFrame(0, kept))
        .singleElement()
        .isInstanceOf(SenderEvent.Kept.class);
    SendingEnd asksForNothing = offeringOne(KeepExisting.NONE);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> asksForNothing.onFrame(0, kept))
        .withMessage("KEPT for 0, which is another");
  }

  private static SendingEnd offeringOne(KeepExisting keepExisting) throws ProtocolException {
    SendingEnd offering =
        new SendingEnd()
            .begin(
                new Manifest(
                    1, 1, 1, Level.WIRE, Digest.Algorithm.CRC32C, keepExisting, false, false, 0));
    offering.offer(new TestEntry(file(0, 50)), List.of());
    offering.allOffered();
    offering.up(0, false);
    offering.next(0, BLOCK_BYTES);
    offering.next(0, BLOCK_BYTES);
    offering.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    return offering;
  }

  private void assertBroken(Frame frame) {
    assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> end.onFrame(0, frame));
  }

  /// Small files of one directory.
  private static final class TestPart extends SentPart {

    private final long directoryId;

    TestPart(long directoryId) {
      this.directoryId = directoryId;
    }

    @Override
    protected long[] directoryIds() {
      return new long[] {directoryId};
    }

    @Override
    protected boolean mayBeKept(int index) {
      return index == 0;
    }

    @Override
    protected long bytes() {
      return 10;
    }
  }

  private SendingEnd inDirectory(KeepExisting existing, Answer.AnswerKind answer)
      throws ProtocolException {
    Manifest asked =
        new Manifest(-1, -1, -1, Level.WIRE, Digest.Algorithm.CRC32C, existing, false, false, 0);
    SendingEnd sending = new SendingEnd().begin(asked);
    entries.add(new TestEntry(DIRECTORY.offered(0, 0)));
    sending.offer(entries.getLast(), List.of());
    sending.up(0, false);
    sending.next(0, BLOCK_BYTES);
    sending.next(0, BLOCK_BYTES);
    sending.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    sending.onFrame(0, new Reply(List.of(Answer.of(0, answer))));
    return sending;
  }

  private static TestPart say(SendingEnd sending) {
    TestPart part = new TestPart(0);
    sending.queue(part);
    assertThat(sending.next(0, BLOCK_BYTES)).isEqualTo(new SenderAction.SendPart(part));
    assertThat(sending.saying(0, part, 10, new long[] {3, 4}, new int[] {5, 5})).isEqualTo(1);
    assertThat(part.fileId(1)).isEqualTo(2);
    return part;
  }

  @Test
  void aVerdictThatDoesNotFitAFileOfAPartBreaksTheProtocol() throws ProtocolException {
    Rejection again = new Again(2, new Span(0, 5));
    for (Rejection each : List.of(new Kept(1), again, new Kept(3), new Wanted(1))) {
      SendingEnd sending = inDirectory(KeepExisting.NONE, Answer.AnswerKind.NEW);
      say(sending);
      assertThatExceptionOfType(ProtocolException.class)
          .as("%s", each)
          .isThrownBy(() -> sending.onFrame(0, new Verdicts(1, List.of(each))));
    }
    SendingEnd sending = inDirectory(KeepExisting.ALL, Answer.AnswerKind.NEW);
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> sending.onFrame(0, new Verdicts(0, List.of(new Kept(1)))));
  }

  @Test
  void onlyADirectoryIsNew() throws ProtocolException {
    offer(file(0, 5), List.of());
    end.up(0, false);
    next(0);
    next(0);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    Reply reply = new Reply(List.of(Answer.of(0, Answer.AnswerKind.NEW)));
    assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> end.onFrame(0, reply));
  }

  /// Asks about two files in a directory that existed.
  private static TestPart look(SendingEnd sending) {
    TestPart part = new TestPart(0);
    sending.queue(part);
    assertThat(sending.next(0, BLOCK_BYTES)).isEqualTo(new SenderAction.Look(part));
    assertThat(sending.looking(0, part, 2)).isZero();
    assertThat(sending.isOwed(0)).isTrue();
    return part;
  }

  private static void sayLooked(SendingEnd sending, int connection, TestPart part) {
    assertThat(sending.next(connection, BLOCK_BYTES)).isEqualTo(new SenderAction.SendPart(part));
    sending.saying(connection, part, 5, new long[] {3, 4}, new int[] {5, 5});
  }

  @Test
  void whatMayBeThereIsAskedAboutAndThenComesAsItIsWanted() throws ProtocolException {
    SendingEnd sending = inDirectory(KeepExisting.NONE, Answer.AnswerKind.ALL);
    TestPart part = look(sending);
    assertThat(sending.next(0, BLOCK_BYTES)).isEqualTo(new SenderAction.Wait());
    sending.onFrame(0, Wants.of(0, new Want[] {Want.BYTES, Want.DIGEST}));
    sayLooked(sending, 0, part);
    assertThat(part.want(1)).isEqualTo(Want.DIGEST);
    assertThat(sending.onFrame(0, new Verdicts(1, List.of(new Wanted(2)))))
        .contains(new SenderEvent.PartOver(part));
    assertThat(part.rejection(0)).isNull();
    assertThat(part.rejection(1)).isEqualTo(new Wanted(2));
  }

  @Test
  void whatIsKeptAtALookBreaksTheProtocolIfNobodyAskedForItOrItIsToComeInAnyCase()
      throws ProtocolException {
    Wants first = Wants.of(0, new Want[] {Want.KEPT, Want.BYTES});
    Wants second = Wants.of(0, new Want[] {Want.BYTES, Want.KEPT});
    SendingEnd unasked = inDirectory(KeepExisting.NONE, Answer.AnswerKind.ALL);
    look(unasked);
    assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> unasked.onFrame(0, first));
    SendingEnd asked = inDirectory(KeepExisting.SAME, Answer.AnswerKind.ALL);
    look(asked);
    assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> asked.onFrame(0, second));
    SendingEnd sending = inDirectory(KeepExisting.SAME, Answer.AnswerKind.ALL);
    TestPart part = look(sending);
    sending.onFrame(0, first);
    assertThat(part.want(0)).isEqualTo(Want.KEPT);
  }

  /// The receiver may have to make it writable before.
  @Test
  void whatWasAskedAboutStillWaitsForTheAnswerOfItsDirectory() throws ProtocolException {
    offer(DIRECTORY.offered(0, 0), List.of());
    TestPart part = new TestPart(0);
    end.queue(part);
    end.up(0, false);
    next(0);
    next(0);
    assertThat(next(0)).isEqualTo(new SenderAction.Look(part));
    end.looking(0, part, 2);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, false, 4, 1000, 4));
    end.onFrame(0, Wants.of(0, new Want[] {Want.BYTES, Want.BYTES}));
    assertThat(next(0)).isEqualTo(new SenderAction.Wait());
    end.onFrame(0, new Reply(List.of(Answer.of(0, Answer.AnswerKind.ALL))));
    sayLooked(end, 0, part);
  }

  @Test
  void aLookWhoseConnectionIsLostIsSaidOverAnother() throws ProtocolException {
    SendingEnd sending = inDirectory(KeepExisting.NONE, Answer.AnswerKind.ALL);
    TestPart part = look(sending);
    sending.up(1, false);
    sending.down(0);
    assertThat(sending.next(1, BLOCK_BYTES)).isEqualTo(new SenderAction.Say(new Lost(List.of(0))));
    assertThat(sending.next(1, BLOCK_BYTES)).isEqualTo(new SenderAction.Look(part));
    long number = sending.looking(1, part, 2);
    assertThat(number).as("the same again").isZero();
    sending.onFrame(1, Wants.of(number, new Want[] {Want.BYTES, Want.BYTES}));
    sayLooked(sending, 1, part);
  }

  @Test
  void anAnswerToAnotherLookOrForOtherFilesBreaksTheProtocol() throws ProtocolException {
    for (Wants each :
        List.of(
            Wants.of(1, new Want[] {Want.BYTES, Want.BYTES}),
            Wants.of(0, new Want[] {Want.BYTES}))) {
      SendingEnd sending = inDirectory(KeepExisting.NONE, Answer.AnswerKind.ALL);
      look(sending);
      assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> sending.onFrame(0, each));
    }
  }

  @Test
  void theReceiversOwnDirectoryIsAskedAboutBeforeTheTerms() throws ProtocolException {
    TestPart part = new TestPart(Part.OWN_DIRECTORY);
    end.queue(part);
    end.up(0, false);
    assertThat(next(0)).isEqualTo(new SenderAction.Say(MANIFEST));
    assertThat(next(0)).isEqualTo(new SenderAction.Look(part));
    end.looking(0, part, 1);
    end.onFrame(0, TestFrames.accept(Level.WIRE, 0, true, 4, 1000, 4));
    end.onFrame(0, Wants.of(0, new Want[] {Want.BYTES}));
    assertThat(next(0))
        .as("a receiver in order takes none")
        .isEqualTo(new SenderAction.GiveBack(part));
  }

  /// Says two files of which the receiver wants one, and the early last word.
  private Done sayHalf(SendingEnd sending, TestPart part) throws ProtocolException {
    sending.onFrame(0, Wants.of(0, new Want[] {Want.BYTES, Want.NOTHING}));
    sayLooked(sending, 0, part);
    sending.end(entries.getLast(), Status.OK);
    sending.walked();
    sending.next(0, BLOCK_BYTES);
    return (Done) ((SenderAction.Say) sending.next(0, BLOCK_BYTES)).frame();
  }

  @Test
  void whatIsNotWantedIsKeptIfThatWasAskedFor() throws ProtocolException {
    SendingEnd sending = inDirectory(KeepExisting.SAME, Answer.AnswerKind.ALL);
    TestPart part = look(sending);
    Done early = sayHalf(sending, part);
    assertThat(early.entries()).as("one is not sent").isEqualTo(2);
    assertThat(sending.onFrame(0, saidBack(early, Level.WIRE)))
        .contains(new SenderEvent.PartOver(part), new SenderEvent.Over());
  }

  /// Else who asked that nothing stays would be told that all is well.
  @Test
  void whatIsKeptThoughNobodyAskedForItBreaksTheProtocol() throws ProtocolException {
    SendingEnd first = inDirectory(KeepExisting.NONE, Answer.AnswerKind.ALL);
    sayHalf(first, look(first));
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> first.onFrame(0, new Verdicts(1, List.of())));
    SendingEnd second = inDirectory(KeepExisting.NONE, Answer.AnswerKind.ALL);
    Done early = sayHalf(second, look(second));
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> second.onFrame(0, saidBack(early, Level.WIRE)));
  }

  @Test
  void aPartWhoseConnectionIsLostGoesOverAnotherOneByTheSameIds() throws ProtocolException {
    SendingEnd sending = inDirectory(KeepExisting.NONE, Answer.AnswerKind.NEW);
    TestPart part = say(sending);
    sending.up(1, false);
    sending.down(0);
    sending.end(entries.getLast(), Status.OK);
    assertThat(sending.next(1, BLOCK_BYTES)).isEqualTo(new SenderAction.Say(new Lost(List.of(0))));
    assertThat(sending.next(1, BLOCK_BYTES)).isEqualTo(new SenderAction.SendPart(part));
    assertThat(part.wasSaid()).isTrue();
    assertThat(sending.saying(1, part, 5, new long[] {3, 4}, new int[] {5, 5})).isEqualTo(1);
    assertThat(sending.next(1, BLOCK_BYTES))
        .as("behind the part")
        .isEqualTo(new SenderAction.Say(new EntryEnds(List.of(new Ending(0, Status.OK, 0, 0)))));
  }

  @Test
  void theEndOfADirectoryComesOverAnotherConnectionOnlyAfterItsPartsAreAcknowledged()
      throws ProtocolException {
    SendingEnd sending = inDirectory(KeepExisting.NONE, Answer.AnswerKind.NEW);
    say(sending);
    sending.up(1, false);
    sending.end(entries.getLast(), Status.OK);
    assertThat(sending.next(1, BLOCK_BYTES)).isInstanceOf(SenderAction.Wait.class);
    sending.onFrame(0, new Verdicts(1, List.of()));
    assertThat(sending.next(1, BLOCK_BYTES))
        .isEqualTo(new SenderAction.Say(new EntryEnds(List.of(new Ending(0, Status.OK, 0, 0)))));
  }

  /// The receiver does not answer the early last word then: both would wait for each other.
  @Test
  void aFileOfAPartThatIsKeptOrRefusedUndoesAnEarlyLastWord() throws ProtocolException {
    Rejection refused = new Refused(1, ExitCode.DESTINATION, "");
    for (Rejection each : List.of(new Kept(1), refused)) {
      SendingEnd sending = inDirectory(KeepExisting.ALL, Answer.AnswerKind.NEW);
      say(sending);
      sending.end(entries.getLast(), Status.OK);
      sending.walked();
      sending.allOffered();
      assertThat(sending.next(0, BLOCK_BYTES)).isInstanceOf(SenderAction.Say.class);
      Done early = (Done) ((SenderAction.Say) sending.next(0, BLOCK_BYTES)).frame();
      assertThat(early.isEarly()).isTrue();
      assertThat(early.entries()).isEqualTo(3);
      sending.onFrame(0, new Verdicts(2, List.of(each)));
      sending.onFrame(0, new Reply(List.of(Answer.of(0, Answer.AnswerKind.MADE))));
      Done last = (Done) ((SenderAction.Say) sending.next(0, BLOCK_BYTES)).frame();
      assertThat(last.isEarly()).isFalse();
      assertThat(last.entries()).isEqualTo(2);
      assertThat(last.bytes()).isEqualTo(5);
    }
  }
}
