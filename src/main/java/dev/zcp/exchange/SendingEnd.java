package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.SentEntry.SentStage;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Done;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Lost;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The sender's end of one session.
///
/// Entries are [offered][#offer] in the order of the walk; the receiver answers for each what it
/// wants; files then go in blocks, the largest first, over whatever connection asks for a
/// [turn][#next]. Small files are not offered but go in [parts][#queue]; if something may have
/// their names, the receiver is asked before what it wants of them. Each block or part is a unit,
/// acknowledged in the order of its connection. What was under way on a connection that was
/// [lost][#down] goes back to the queue, and offers without an answer are repeated.
///
/// A walk must go into a directory before it goes on beside it: directories that are not over count
/// as [under way][#hasRoom], and only depth is bounded.
///
/// Any thread may call any method.
public final class SendingEnd {

  /// How often the bytes of a block, or a part, are sent in all, if they arrive damaged.
  public static final int TRIES_MAX = 4;

  /// Frames of chunks that wait to be said on a connection.
  private static final int CHUNKS_QUEUED_MAX = 64;

  private final SentEntries entries = new SentEntries();
  private final Offers offers = new Offers(entries);
  private final Delivery delivery = new Delivery(entries);
  private final DataTurns dataTurns = new DataTurns(entries, delivery);
  private final ReplyHandler replies = new ReplyHandler(entries, offers, delivery);
  private final TreeMap<Integer, SendingConnection> connections = new TreeMap<>();

  /// How many of them are not [control][#up].
  private int others;

  /// The last that were lost.
  private final ArrayDeque<Integer> lost = new ArrayDeque<>();

  private boolean isWalked;
  private boolean isAllOffered;
  private boolean isTooMuchUnderWay;

  /// The connection that the manifest, and the last word, was said on; or -1.
  private int manifestOn = -1;

  private int doneOn = -1;
  private Done lastWord;

  /// The early last word, and the connection that it was said on; null if it was not said, or that
  /// connection is lost.
  private Done earlyWord;

  private int earlyOn;

  /// Says what is to come. Nothing is said to the receiver before.
  ///
  /// @return this
  public synchronized SendingEnd begin(Manifest manifest) {
    replies.begin(manifest);
    return this;
  }

  /// Whether another entry of this kind may be offered now: else wait until something was heard. A
  /// directory waits for others that are not over, so whatever these wait for must not wait for it.
  public synchronized boolean hasRoom(EntryKind kind) {
    return entries.hasRoom(kind);
  }

  /// Queues an entry: a hard link only once the file that it is a name of is over, and well.
  ///
  /// @param holes the bytes of a file that its source keeps no room for, in ascending order,
  ///   without overlap
  public synchronized void offer(SentEntry entry, List<Span> holes) {
    entry.holes = List.copyOf(holes);
    entries.add(entry);
    offers.add(entry);
  }

  /// Whether another part may be queued now: else wait until something was heard.
  public synchronized boolean hasRoomForPart() {
    return entries.parts().hasRoom();
  }

  /// Queues small files of directories that were offered, or of the receiver's own.
  public synchronized void queue(SentPart part) {
    entries.parts().add(part);
  }

  /// As [#queue], before all others.
  public synchronized void queueNext(SentPart part) {
    entries.parts().addAgain(part);
  }

  /// No more entries will be offered, if no source changes and nothing fails on the way: the last
  /// word may be said as soon as all is sent.
  public synchronized void walked() {
    isWalked = true;
  }

  /// Something more will be offered, although the walk may be [through][#walked]: the last word
  /// must not be said early. To be called by whoever is in a turn, before that is over.
  public synchronized void moreToOffer() {
    entries.failed();
  }

  public synchronized void allOffered() {
    isAllOffered = true;
  }

  /// Something failed for good, of what was offered or not: the last word tells of the first. Each
  /// failure, [there][SenderEvent.Failed] or [on the way][SenderEvent.Spoilt], must be told so,
  /// unless the entry is offered anew, before [#allOffered].
  public synchronized void note(ExitCode exitCode, String text) {
    entries.note(exitCode, text);
  }

  /// As [#note], of what vanished before it was offered.
  public synchronized void noteUnnamed(ExitCode exitCode, String text) {
    entries.lackNames();
    entries.note(exitCode, text);
  }

  /// A connection has proved the key. Numbers are never used again.
  ///
  /// @param isControl whether bytes of files go by others, as long as there are any that are not
  ///   control connections
  public synchronized void up(int connection, boolean isControl) {
    SendingConnection more = new SendingConnection(connection, isControl);
    more.lost.addAll(lost);
    connections.put(connection, more);
    others += isControl ? 0 : 1;
  }

  /// A connection is lost.
  ///
  /// @return what failed by it: streams
  public synchronized List<SenderEvent> down(int connection) {
    List<SenderEvent> events = entries.collect();
    SendingConnection gone = connections.remove(connection);
    if (gone == null) {
      return events;
    }
    others -= gone.isControl ? 0 : 1;
    for (SentUnit unit : gone.units()) {
      delivery.lost(unit);
    }
    dataTurns.down(gone);
    entries.parts().down(gone);
    lost.addLast(connection);
    if (lost.size() > Limits.RECORDS_MAX) {
      lost.removeFirst();
    }
    for (SendingConnection left : connections.values()) {
      left.lost.add(connection);
    }
    offers.down(connection, delivery);
    if (manifestOn == connection) {
      manifestOn = -1;
    }
    if (doneOn == connection) {
      doneOn = -1;
    }
    if (earlyOn == connection) {
      earlyWord = null;
    }
    return events;
  }

  /// What to do next on `connection`.
  ///
  /// @param blockBytesMax the longest block that suits this connection now; 0 if it is to be
  ///   closed, and so gets nothing new, as soon as it is [idle][#isIdle]
  /// @throws IllegalStateException if the turn before was not carried out
  public synchronized SenderAction next(int connection, long blockBytesMax) {
    isTooMuchUnderWay = false;
    SendingConnection asking = connections.get(connection);
    if (asking == null || replies.isOver()) {
      return new SenderAction.Leave();
    }
    dataTurns.finish(asking);
    // Nothing follows the last word, and by then nothing is under way on another connection.
    if (!asking.lost.isEmpty() && doneOn != connection) {
      Lost said = new Lost(asking.lost);
      asking.lost.clear();
      return new SenderAction.Say(said);
    }
    if (lastWord != null) {
      return sayLastWord(connection);
    }
    if (delivery.terms() == null) {
      return beforeTerms(asking);
    }
    boolean isClosing = blockBytesMax == 0;
    Offer offer = isClosing ? null : offers.next(connection, delivery.terms().filesMax());
    if (offer != null) {
      return new SenderAction.Say(offer);
    }
    if (!asking.chunks.isEmpty()) {
      return new SenderAction.Say(nextChunks(asking));
    }
    if (asking.underWay() >= Limits.UNITS_UNDER_WAY_MAX) {
      isTooMuchUnderWay = delivery.isAnyQueued();
      return new SenderAction.Wait();
    }
    SentEntry shown = delivery.nextShown();
    if (shown != null) {
      asking.add(SentUnit.shown(shown));
      return new SenderAction.Say(shown.shown);
    }
    List<Ending> endings = delivery.nextEndings(connection, offers.isBehindAll(connection));
    if (!endings.isEmpty()) {
      asking.add(SentUnit.end(endings));
      return new SenderAction.Say(new EntryEnds(endings));
    }
    // If nothing failed, what was said early is true, and its answer is on its way.
    boolean isAnswerDue = earlyWord != null && !entries.isAnyFailed();
    if (isAllOffered && entries.isEmpty() && !isAnswerDue) {
      lastWord = entries.done(delivery.level());
      return sayLastWord(connection);
    }
    if (isClosing || asking.isControl && others > 0) {
      return new SenderAction.Wait();
    }
    SenderAction turn =
        dataTurns.next(asking, blockBytesMax, others > 0 ? others : connections.size());
    isTooMuchUnderWay = turn == null && delivery.isAnyQueued();
    return turn == null ? early(connection) : turn;
  }

  private Chunks nextChunks(SendingConnection asking) {
    Chunks next = asking.chunks.pollFirst();
    if (next.isLast()) {
      entries.get(next.fileId()).stage = SentStage.REBUILDING;
      asking.cutting--;
      asking.rebuilding++;
    }
    return next;
  }

  /// The last word before all is over, once, or nothing. If all that is under way goes well, no
  /// other one is needed.
  private SenderAction early(int connection) {
    // What failed may come anew, and what goes in order and came back as a part is to be offered:
    // the receiver must not be done before.
    boolean isDue =
        isWalked
            && !delivery.terms().inOrder()
            && earlyWord == null
            && !entries.isEmpty()
            && !entries.isAnyFailed()
            && offers.isAllAnswered()
            && delivery.isAllSaid()
            && entries.isAllSent()
            && entries.parts().isBehindOwn(connection);
    if (!isDue) {
      return new SenderAction.Wait();
    }
    earlyWord = entries.done(delivery.level());
    earlyOn = connection;
    return new SenderAction.Say(earlyWord);
  }

  private SenderAction sayLastWord(int connection) {
    if (doneOn == -1) {
      doneOn = connection;
      return new SenderAction.Say(lastWord);
    }
    return doneOn == connection ? new SenderAction.Wait() : new SenderAction.Leave();
  }

  private SenderAction beforeTerms(SendingConnection asking) {
    int connection = asking.number;
    Manifest manifest = replies.asked();
    if (manifest == null) {
      return new SenderAction.Wait();
    }
    if (manifestOn == -1) {
      manifestOn = connection;
      return new SenderAction.Say(manifest);
    }
    if (manifestOn != connection) {
      return new SenderAction.Wait();
    }
    Offer offer = offers.next(connection, Offers.FILES_BEFORE_TERMS);
    SenderAction turn = offer == null ? dataTurns.look(asking) : new SenderAction.Say(offer);
    return turn == null ? new SenderAction.Wait() : turn;
  }

  /// Tells that the trailer of a block is about to be said. (Of its head nothing is told.) A source
  /// that it tells of as not OK is given up by that.
  ///
  /// @param crc32c of the block's bytes, whatever digest the trailer has
  public synchronized void saying(int connection, Trailer trailer, int crc32c) {
    SendingConnection speaking = connections.get(connection);
    if (speaking != null) {
      dataTurns.saying(speaking, trailer, crc32c);
    }
  }

  /// Tells that a part is about to be said.
  ///
  /// @param hashes of each of its files: see [FileHash]. If it was said before, they are those that
  ///   it had then
  /// @param sizes of each
  /// @return the id of its first file; -1 if the connection is lost, or all is over
  public synchronized long saying(
      int connection, SentPart part, int bytes, long[] hashes, int[] sizes) {
    SendingConnection speaking = connections.get(connection);
    boolean isVain = speaking == null || replies.isOver();
    return isVain ? -1 : dataTurns.saying(speaking, part, bytes, hashes, sizes);
  }

  /// Tells that the receiver is about to be asked about a part.
  ///
  /// @param files how many it has
  /// @return the number of the look; -1 if the connection is lost, or all is over
  public synchronized long looking(int connection, SentPart part, int files) {
    SendingConnection asking = connections.get(connection);
    return asking == null || replies.isOver() ? -1 : dataTurns.looking(asking, part, files);
  }

  /// Whether a stream may go on: it may not if it was refused, or its connection is lost.
  public synchronized boolean mayStream(SentEntry entry) {
    return !entry.isGivenUp() && connections.containsKey(entry.streamOn);
  }

  /// Whether the turn that was given last was a [SenderAction.Wait] although there is something to
  /// send: too much of what was sent before is not acknowledged.
  public synchronized boolean isTooMuchUnderWay() {
    return isTooMuchUnderWay;
  }

  /// Whether the window has room for another block of a stream: else wait until something was
  /// heard.
  public synchronized boolean hasRoomFor(long bytes) {
    return delivery.hasRoomFor(bytes);
  }

  /// What of the bytes that the receiver [holds][SenderEvent.Claimed] is the source's, too.
  ///
  /// @param good some of the spans that were claimed, in their order
  /// @return [SenderEvent.AllArrived], if there is nothing left to send
  public synchronized List<SenderEvent> claimed(SentEntry entry, List<Span> good) {
    List<SenderEvent> events = entries.collect();
    if (entry.isOver || entry.stage != SentStage.CLAIMED) {
      return events;
    }
    List<Held> kept = new ArrayList<>();
    for (Held each : entry.held) {
      if (kept.size() < good.size() && good.get(kept.size()).equals(each.span())) {
        kept.add(each);
      }
    }
    delivery.goOn(entry, kept);
    return events;
  }

  /// Chunks of a file of which the receiver has [another version][SenderEvent.Based], in their
  /// order, up to the last. Does nothing if the connection that asked is lost.
  ///
  /// @param connection that it was told on
  public synchronized void chunks(int connection, SentEntry entry, Chunks chunks) {
    if (isCutting(connection, entry)) {
      connections.get(connection).chunks.addLast(chunks);
    }
  }

  /// Whether chunks of the file are still to be told on `connection`.
  public synchronized boolean isCutting(int connection, SentEntry entry) {
    return !entry.isOver
        && entry.stage == SentStage.CUTTING
        && entry.askedOn == connection
        && connections.containsKey(connection);
  }

  /// Whether `connection` has said enough of the chunks that it was given: else wait.
  public synchronized boolean hasRoomForChunks(int connection) {
    SendingConnection asked = connections.get(connection);
    return asked == null || asked.chunks.size() < CHUNKS_QUEUED_MAX;
  }

  /// What the bytes of a file are of which the receiver has a [whole][SenderEvent.Whole] one. If it
  /// was given up, nothing is shown.
  public synchronized void shown(SentEntry entry, Show what) {
    if (!entry.isOver && entry.stage == SentStage.SHOWN && entry.shown == null) {
      delivery.show(entry, what);
    }
  }

  /// Some of what the receiver holds of the file is about to be [claimed][#claimed] unread, at the
  /// user's word: how the file arrived is then not proved.
  public synchronized void believed(SentEntry entry) {
    entry.isBelieved = true;
  }

  /// Ends a directory in which all was sent, or is over, a file that [all has arrived
  /// of][SenderEvent.AllArrived], a stream; or gives a file up at any time, by any status but OK.
  /// Does nothing about what is over, or was ended before.
  public synchronized void end(SentEntry entry, Status status) {
    if (entry.isGivenUp()) {
      return;
    }
    boolean isWell = status == Status.OK;
    if (isWell && entry.isFile() && !entry.isStream() && entry.stage != SentStage.ARRIVED) {
      throw new IllegalStateException("ended well while " + entry.stage + ": " + entry.fileId());
    }
    entry.failureIsKnown |= !isWell;
    entry.ending = status;
    delivery.settle(entry);
  }

  /// Takes what the receiver said.
  ///
  /// @throws ProtocolException if it may not say that now
  public synchronized List<SenderEvent> onFrame(int connection, Frame frame)
      throws ProtocolException {
    SendingConnection speaking = connections.get(connection);
    if (speaking == null || replies.isOver()) {
      return List.of();
    }
    if (frame.type() == FrameType.DONE) {
      Done own = lastWord == null ? earlyWord : lastWord;
      return replies.done((Done) frame, own, connections.values());
    }
    return replies.onFrame(speaking, frame);
  }

  /// Ends the session for a reason of this end: the next turn of some connection says so.
  public synchronized void giveUp(ExitCode exitCode, String text) {
    if (lastWord == null) {
      lastWord = entries.done(exitCode, delivery.level(), text);
    }
  }

  /// How far the receiver says that it has proved the arrival of all files; null before its last
  /// word. Never above what was agreed.
  public synchronized Level peerReached() {
    return replies.isOver() ? replies.lastWord().level().lesser(delivery.level()) : null;
  }

  /// The receiver's last word; null before.
  public synchronized Done peersLastWord() {
    return replies.lastWord();
  }

  /// Whether nothing that was said on `connection` has to be said again if it is closed.
  public synchronized boolean isIdle(int connection) {
    SendingConnection asked = connections.get(connection);
    boolean isAnswerToEarly = earlyWord != null && earlyOn == connection && !entries.isAnyFailed();
    return asked != null
        && asked.underWay() == 0
        && asked.looks.isEmpty()
        && asked.cutting + asked.rebuilding == 0
        && !offers.awaitsAnswers(connection)
        && !isAnswerToEarly
        && lastWord == null;
  }

  /// Whether the receiver owes something on `connection`: its terms, an answer to an offer, an
  /// acknowledgement, or its last word. It owes nothing on a connection that is not needed now, for
  /// however long others are, nor for a turn while this end reads what to send.
  public synchronized boolean isOwed(int connection) {
    SendingConnection asked = connections.get(connection);
    boolean isAnyUnit =
        asked != null && (asked.isAnyUnderWay() || !asked.looks.isEmpty() || asked.rebuilding > 0);
    boolean isAnswerToManifest = delivery.terms() == null && manifestOn >= 0;
    boolean isAnswerToEarly = earlyWord != null && earlyOn == connection;
    // The last word may have to be said again on any of them.
    boolean isAnswerToLast = lastWord != null;
    return isAnyUnit
        || isAnswerToManifest
        || isAnswerToEarly
        || isAnswerToLast
        || offers.awaitsAnswers(connection);
  }
}
