package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Name;
import dev.zcp.core.Span;
import org.junit.jupiter.api.Test;

/// Every rule is tried on the receiver's end, which hears the frame, and on the sender's, which is
/// about to say it; for the receiver's frames the other way round.
class ConversationTest {

  private static final Digest DIGEST = Digest.crc32c(7);
  private static final int GIB = 1 << 30;

  private final Conversation sender = new Conversation(Side.SENDER, false);
  private final Conversation receiver = new Conversation(Side.RECEIVER, false);

  @Test
  void aSessionOfSeveralFilesRunsToItsEnd() throws ProtocolException {
    send(meta(0, 0));
    send(trailer(0, 0, 0, true)); // an empty file has no block
    send(meta(1, 10));
    send(new Beat(0));
    send(data(1, 0, 6));
    send(new Beat(0));
    send(trailer(1, 0, 6, false));
    answer(new Ack(0, 0, true)); // while the next file is on its way
    send(data(1, 6, 4));
    send(trailer(1, 6, 4, true));
    send(meta(2, Meta.SIZE_UNKNOWN));
    send(data(2, 0, 5));
    send(trailer(2, 0, 5, false));
    send(trailer(2, 5, 0, true)); // a pipe knows its end only once it is there
    answer(new Ack(2, 5, false)); // in any order
    assertThat(sender.unansweredFiles()).isEqualTo(1);
    assertThat(sender.done(ExitCode.OK, "")).isEqualTo(new Done(ExitCode.OK, 3, 15, ""));
    send(sender.done(ExitCode.OK, ""));
    assertThat(receiver.peerIsDone()).isTrue();
    assertThat(sender.peerIsDone()).isFalse();
    answer(new Beat(0));
    answer(new Ack(1, 10, true));
    assertThat(receiver.done(ExitCode.OK, "")).isEqualTo(new Done(ExitCode.OK, 3, 15, ""));
    answer(receiver.done(ExitCode.OK, ""));
    assertThat(sender.peerIsDone()).isTrue();
    refuseToSend(new Beat(0));
    refuseToAnswer(new Beat(0));
  }

  @Test
  void whatAReceiverDiscardsItHasNotPublished() throws ProtocolException {
    Conversation discarding = new Conversation(Side.SENDER, true);
    discarding.said(meta(0, 0));
    discarding.said(trailer(0, 0, 0, true));
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> discarding.heard(new Ack(0, 0, true)))
        .withMessage("ACK of a file as published that is to be discarded");
    discarding.heard(new Ack(0, 0, false));
    assertThat(discarding.unansweredFiles()).isZero();
  }

  @Test
  void aSessionWithoutAFileIsOne() throws ProtocolException {
    send(sender.done(ExitCode.SOURCE, "nothing could be read"));
    answer(receiver.done(ExitCode.OK, ""));
    assertThat(sender.peerIsDone() && receiver.peerIsDone()).isTrue();
  }

  @Test
  void filesAreNumberedFromZeroWithoutAGap() throws ProtocolException {
    refuseToSend(meta(1, 0));
    send(meta(0, 0));
    send(trailer(0, 0, 0, true));
    assertThat(sender.nextFileId()).isEqualTo(1);
    refuseToSend(meta(0, 0));
    refuseToSend(meta(2, 0));
    send(meta(1, 0));
  }

  @Test
  void aBlockBelongsToTheFileAndBeginsWhereTheLastOneEnded() throws ProtocolException {
    send(meta(0, 10));
    refuseToSend(data(1, 0, 4));
    refuseToSend(data(0, 1, 4));
    send(data(0, 0, 4));
    send(trailer(0, 0, 4, false));
    refuseToSend(data(0, 3, 4));
    refuseToSend(data(0, 5, 4));
    refuseToSend(data(0, 0, 4));
    send(data(0, 4, 4));
  }

  @Test
  void aBlockEndsWithinTheSizeThatWasAnnounced() throws ProtocolException {
    send(meta(0, 10));
    refuseToSend(data(0, 0, 11));
    refuseToSend(data(0, 0, GIB));
    send(data(0, 0, 10));
    send(trailer(0, 0, 10, false));
    refuseToSend(data(0, 10, 1));
    send(trailer(0, 10, 0, true));
  }

  @Test
  void aFileOfUnknownSizeHasAnySize() throws ProtocolException {
    send(meta(0, Meta.SIZE_UNKNOWN));
    send(data(0, 0, GIB));
    send(trailer(0, 0, GIB, true));
    answer(new Ack(0, GIB, true));
  }

  @Test
  void aTrailerIsOfTheVeryBlock() throws ProtocolException {
    send(meta(0, 10));
    send(data(0, 0, 6));
    refuseToSend(trailer(1, 0, 6, false));
    refuseToSend(trailer(0, 1, 6, false));
    refuseToSend(trailer(0, 0, 5, false));
    refuseToSend(trailer(0, 0, 7, false));
    refuseToSend(trailer(0, 0, 0, true));
    send(trailer(0, 0, 6, false));
    refuseToSend(trailer(0, 0, 6, false));
    refuseToSend(ended(0, 5, 0, 0, Trailer.Status.SHORT));
    refuseToSend(ended(0, 7, 0, 0, Trailer.Status.SHORT));
    send(ended(0, 6, 0, 0, Trailer.Status.SHORT));
  }

  @Test
  void aFileIsWholeOnlyAtTheSizeThatWasAnnounced() throws ProtocolException {
    send(meta(0, 10));
    refuseToSend(trailer(0, 0, 0, true));
    send(data(0, 0, 9));
    refuseToSend(trailer(0, 0, 9, true));
    send(trailer(0, 0, 9, false));
    send(data(0, 9, 1));
    send(trailer(0, 9, 1, true));
    answer(new Ack(0, 10, true));
  }

  @Test
  void aFileThatCameToNothingMayEndAnywhereAndIsNeverAcknowledged() throws ProtocolException {
    Trailer.Status[] statuses = {
      Trailer.Status.SHORT, Trailer.Status.CHANGED, Trailer.Status.FAILED
    };
    for (int id = 0; id < statuses.length; id++) {
      send(meta(id, 10));
      send(data(id, 0, 4));
      send(ended(id, 0, 4, 4, statuses[id]));
      refuseToAnswer(new Ack(id, 4, true));
      refuseToAnswer(new Ack(id, 10, true));
      answer(nack(id));
    }
  }

  @Test
  void anAnswerIsForAFileThatWaitsForOne() throws ProtocolException {
    refuseToAnswer(nack(0));
    refuseToAnswer(new Ack(0, 0, true));
    send(meta(0, 4));
    refuseToAnswer(new Ack(0, 4, true)); // before its end
    refuseToAnswer(nack(1));
    send(data(0, 0, 4));
    refuseToAnswer(new Ack(0, 4, true));
    send(trailer(0, 0, 4, true));
    refuseToAnswer(new Ack(0, 3, true));
    refuseToAnswer(new Ack(0, 5, true));
    answer(new Ack(0, 4, true));
    refuseToAnswer(new Ack(0, 4, true)); // twice
    refuseToAnswer(nack(0));
  }

  @Test
  void aRefusedFileIsCancelledAtTheNextEdgeOrEndsAsItWould() throws ProtocolException {
    send(meta(0, 10));
    send(data(0, 0, 4));
    refuseToSend(ended(0, 0, 4, 4, Trailer.Status.CANCELLED)); // nobody refused
    assertThat(sender.isRefused()).isFalse();
    answer(nack(0));
    assertThat(sender.isRefused()).isTrue();
    send(ended(0, 0, 4, 4, Trailer.Status.CANCELLED));
    assertThat(sender.isRefused()).isFalse();
    refuseToAnswer(nack(0));

    send(meta(1, 4));
    answer(nack(1));
    send(data(1, 0, 4)); // the refusal was on its way
    send(trailer(1, 0, 4, true));
    refuseToAnswer(new Ack(1, 4, true));
  }

  @Test
  void framesThatCrossOnTheWayBreakNothing() throws ProtocolException {
    Frame meta = meta(0, 4);
    Frame nack = nack(0);
    Frame data = data(0, 0, 4);
    Frame trailer = trailer(0, 0, 4, true);
    sender.said(meta);
    receiver.heard(meta);
    receiver.said(nack);
    sender.said(data);
    sender.said(trailer);
    sender.heard(nack);
    receiver.heard(data);
    receiver.heard(trailer);
    send(sender.done(ExitCode.DESTINATION, ""));
    answer(receiver.done(ExitCode.DESTINATION, ""));
  }

  @Test
  void theReceiverEndsWithoutAFailureOnlyOnceAllIsAnswered() throws ProtocolException {
    send(meta(0, 0));
    send(trailer(0, 0, 0, true));
    refuseToAnswer(new Done(ExitCode.OK, 0, 0, "")); // the sender has not ended
    send(sender.done(ExitCode.OK, ""));
    refuseToAnswer(new Done(ExitCode.OK, 0, 0, ""));
    answer(new Ack(0, 0, true));
    answer(new Done(ExitCode.OK, 1, 0, ""));
  }

  @Test
  void aReceiverThatGivesUpMaySaySoAtAnyTime() throws ProtocolException {
    send(meta(0, 10));
    send(data(0, 0, 4));
    answer(new Done(ExitCode.INTERNAL, 0, 0, "out of memory"));
    assertThat(sender.peerIsDone()).isTrue();
    refuseToAnswer(nack(0));
    send(trailer(0, 0, 4, false)); // what was on its way
  }

  @Test
  void theTotalsOfDoneAreThoseThatWereSent() throws ProtocolException {
    send(meta(0, 4));
    send(data(0, 0, 4));
    send(trailer(0, 0, 4, true));
    refuseToSend(new Done(ExitCode.OK, 0, 4, ""));
    refuseToSend(new Done(ExitCode.OK, 1, 5, ""));
    send(new Done(ExitCode.OK, 1, 4, ""));
    answer(new Ack(0, 4, true));
    refuseToAnswer(new Done(ExitCode.OK, 1, 3, ""));
    refuseToAnswer(new Done(ExitCode.OK, 2, 4, ""));
    answer(new Done(ExitCode.OK, 1, 4, ""));
  }

  @Test
  void asManyFilesWaitForAnAnswerAsTheLimitAllowsAndNotOneMore() throws ProtocolException {
    for (int id = 0; id < Limits.UNANSWERED_FILES_MAX; id++) {
      assertThat(sender.mayAnnounce()).isTrue();
      send(meta(id, 0));
      send(trailer(id, 0, 0, true));
    }
    assertThat(sender.mayAnnounce()).isFalse();
    refuseToSend(meta(Limits.UNANSWERED_FILES_MAX, 0));
    answer(new Ack(17, 0, true));
    assertThat(sender.mayAnnounce()).isTrue();
    send(meta(Limits.UNANSWERED_FILES_MAX, 0));
  }

  private void send(Frame frame) throws ProtocolException {
    sender.said(frame);
    receiver.heard(frame);
  }

  private void answer(Frame frame) throws ProtocolException {
    receiver.said(frame);
    sender.heard(frame);
  }

  private void refuseToSend(Frame frame) {
    assertRefused(sender, receiver, frame);
  }

  private void refuseToAnswer(Frame frame) {
    assertRefused(receiver, sender, frame);
  }

  private static void assertRefused(Conversation speaker, Conversation listener, Frame frame) {
    assertThatIllegalStateException()
        .isThrownBy(() -> speaker.said(frame))
        .withMessageStartingWith("about to break the protocol: " + frame.type());
    assertThatExceptionOfType(ProtocolException.class)
        .isThrownBy(() -> listener.heard(frame))
        .withMessageStartingWith(frame.type().name())
        .matches(violation -> violation.exitCode() == ExitCode.PROTOCOL);
  }

  private static Meta meta(long id, long size) {
    return new Meta(id, size, 0644, 0, 0, Name.of(new byte[] {'a'}));
  }

  private static Data data(long id, long offset, long length) {
    return new Data(id, new Span(offset, length));
  }

  private static Trailer trailer(long id, long offset, long length, boolean last) {
    return Trailer.ok(id, new Span(offset, length), last, DIGEST);
  }

  private static Trailer ended(
      long id, long offset, long length, long validBytes, Trailer.Status status) {
    return new Trailer(id, new Span(offset, length), true, status, validBytes, DIGEST);
  }

  private static Nack nack(long id) {
    return new Nack(id, ExitCode.DESTINATION, "no space left");
  }
}
