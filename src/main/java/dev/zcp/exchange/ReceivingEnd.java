package dev.zcp.exchange;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.exchange.ReceivedEntry.EntryEvent;
import dev.zcp.exchange.ReceivedEntry.EntryStage;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Data;
import dev.zcp.wire.Done;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Lost;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Part;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Show;
import dev.zcp.wire.SurplusNames;
import dev.zcp.wire.Trailer;
import dev.zcp.wire.Wants;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/// The receiver's end of one session. Checks all that the sender says against all that was said
/// before, over any of its connections, and bounds what it can make this end remember.
///
/// A sender may give a connection up long before this end learns of it. It says so before it
/// repeats over another what it had sent there, and this end lets go of the old one first: two
/// threads must never write the same bytes. What is over stays over, and every repetition is
/// answered where it came from.
///
/// Any thread may call any method. Frames of a connection come in the order of the wire.
public final class ReceivingEnd {

  /// Answers that are remembered: more than a few connections wait for.
  private static final int ANSWERS_MAX = 4 * Limits.LOOKS_UNDER_WAY_MAX;

  private final TreeMap<Integer, ReceivingConnection> connections = new TreeMap<>();

  /// The last answers to looks, by their numbers. One whose connection was lost is asked again by
  /// its number, and what it has kept is neither kept nor told twice.
  private final TreeMap<Long, Wants> answers = new TreeMap<>();

  private final ReceivedEntries entries = new ReceivedEntries();
  private final Arrivals arrivals = new Arrivals(entries, connections);

  /// The connections that the sender gave up: one of them may come up here after that.
  private final BitSet lost = new BitSet();

  private Manifest manifest;

  /// The connection whose thread decides about the manifest, or about the last word; or null.
  private ReceivingConnection admittingOn;

  private ReceivingConnection endingOn;

  private boolean isOver;

  /// The last word of this end, and whether it gives up by it.
  private Done lastWord;

  /// What is said before that.
  private List<SurplusNames> surplus = List.of();

  private boolean hasGivenUp;

  /// The sender's early last word, and the connection that it came on; null if there was none, or
  /// its connection is lost.
  private Done earlyWord;

  private ReceivingConnection earlyOn;

  /// What the sender's last word says of its end; null before.
  private Level peerReached;

  /// A connection has proved the key. Numbers are never used again.
  public synchronized void up(int connection) {
    if (!lost.get(connection)) {
      connections.put(connection, new ReceivingConnection(connection));
    }
  }

  /// A connection is lost, and nothing that it brought is being worked at any more: nothing is
  /// considered, written or published. What was told of it stays; what was not, the sender repeats.
  public synchronized void down(int connection) {
    ReceivingConnection lost = connections.remove(connection);
    if (lost != null) {
      arrivals.down(lost);
      if (lost == admittingOn) {
        admittingOn = null;
      }
      if (lost == endingOn && lastWord == null) {
        isOver = false;
      }
      if (lost == earlyOn) {
        earlyWord = null;
      }
    }
  }

  /// Lets go of what is under way, once nobody is left in the session: of some there is so much
  /// that others want the memory.
  public synchronized void forget() {
    entries.forget();
  }

  /// Whether a connection is up: neither lost nor unknown.
  public synchronized boolean isUp(int connection) {
    return connections.containsKey(connection);
  }

  /// Takes what the sender said; the caller does what comes back, in that order.
  ///
  /// Once the session is over, or given up, bytes are still to be taken off the wire, and thrown
  /// away.
  ///
  /// @throws ProtocolException if it may not say that now
  public synchronized List<ReceiverAction> onFrame(int connection, Frame frame)
      throws ProtocolException {
    ReceivingConnection from = connections.get(connection);
    List<ReceiverAction> actions = entries.collect();
    if (from == null) {
      entries.toDo(new ReceiverAction.Abandon(connection));
      return actions;
    }
    boolean isClosed = isOver || hasGivenUp;
    if (from.block != null && frame.type() != FrameType.TRAILER && frame.type() != FrameType.BEAT) {
      throw new ProtocolException(frame.type() + " before the trailer of a block");
    }
    requireInTurn(frame, isClosed);
    // A sender that has not heard the last word may still end entries, which all are over here.
    boolean isEndHeard = !isClosed || entries.isEmpty();
    switch (frame.type()) {
      case MANIFEST -> manifest(from, (Manifest) frame);
      case OFFER -> {
        if (!isClosed) {
          arrivals.offer(from, (Offer) frame);
        }
      }
      case PART -> {
        Part part = (Part) frame;
        if (part.isLook()) {
          look(from, part, isClosed);
        } else {
          arrivals.part(from, part, isClosed);
        }
      }
      case SHOW -> {
        if (isEndHeard) {
          arrivals.show(from, (Show) frame);
        }
      }
      case CHUNKS -> arrivals.chunks(from, (Chunks) frame, isClosed);
      case DATA -> {
        Data data = (Data) frame;
        if (data.isHole()) {
          arrivals.hole(from, data, isClosed);
        } else {
          arrivals.data(from, data, isClosed);
        }
      }
      case TRAILER -> arrivals.trailer(from, (Trailer) frame);
      case END -> {
        if (isEndHeard) {
          arrivals.end(from, (EntryEnds) frame);
        }
      }
      case LOST -> {
        if (!isClosed) {
          lost(from, (Lost) frame);
        }
      }
      case DONE -> done(from, (Done) frame);
      case BEAT, LIMITED -> {}
      case ACCEPT, REPLY, WANTS, VERDICTS, SURPLUS ->
          throw new ProtocolException("the sender said " + frame.type());
    }
    return actions;
  }

  /// What is to come is said first, and no bytes come before the terms, nor in a dry run.
  private void requireInTurn(Frame frame, boolean isClosed) throws ProtocolException {
    FrameType type = frame.type();
    boolean isLook = frame instanceof Part part && part.isLook();
    boolean isOfBytes = type == FrameType.PART || type == FrameType.SHOW || type == FrameType.DATA;
    if (isOfBytes && manifest != null && manifest.dryRun()) {
      throw new ProtocolException(type + " in a dry run");
    }
    if ((type == FrameType.OFFER || isLook) && !isClosed && manifest == null) {
      throw new ProtocolException("an offer or a look before the manifest");
    }
    boolean isAfterTerms = isOfBytes || type == FrameType.CHUNKS || type == FrameType.END;
    if (isAfterTerms && !isLook && !isClosed && !arrivals.isAccepted()) {
      throw new ProtocolException("data before the terms");
    }
  }

  private void lost(ReceivingConnection from, Lost said) throws ProtocolException {
    for (int number : said.connections()) {
      if (number == from.number) {
        throw new ProtocolException("connection " + number + ", lost by its own word");
      }
      lost.set(number);
      if (connections.containsKey(number)) {
        entries.toDo(new ReceiverAction.Abandon(number));
      }
    }
  }

  private void look(ReceivingConnection from, Part look, boolean isClosed)
      throws ProtocolException {
    if (isClosed) {
      return;
    }
    from.looking(look.firstId());
    List<EntryPath> directories = ReceivedEntries.paths(entries.directories(look));
    Wants known = answers.get(look.firstId());
    if (known != null && known.wants().length() == look.count()) {
      from.say(known);
    } else {
      entries.toDo(new ReceiverAction.Look(look, directories));
    }
  }

  private void manifest(ReceivingConnection from, Manifest said) throws ProtocolException {
    from.isTermsDue = true;
    if (manifest == null) {
      manifest = said;
    } else if (!manifest.equals(said)) {
      throw new ProtocolException("another manifest than before");
    }
    if (admittingOn == null && !arrivals.isAccepted() && lastWord == null) {
      admittingOn = from;
      entries.toDo(new ReceiverAction.Admit(said));
    }
  }

  private void done(ReceivingConnection from, Done done) throws ProtocolException {
    if (isOver || !done.isEarly()) {
      from.isLastWordDue = true;
      endingOn = endingOn == null || !isOver ? from : endingOn;
    }
    if (isOver || hasGivenUp) {
      return;
    }
    if (done.level().compareTo(arrivals.terms().level()) > 0) {
      throw new ProtocolException(
          "proved to " + done.level() + ", agreed was " + arrivals.terms().level());
    }
    if (!done.tally().isNone()) {
      throw new ProtocolException("a tally that the sender tells of");
    }
    if (done.isEarly()) {
      earlyWord = done;
      earlyOn = from;
      return;
    }
    peerReached = done.level();
    boolean isWell = done.isWell();
    if (!isWell && !(entries.isEmpty() && entries.agreesWith(done))) {
      isOver = true;
      String why = done.text().isEmpty() ? "" : ": " + done.text();
      entries.toDo(new ReceiverAction.GaveUp(done.exitCode(), "the sender gave up" + why));
    } else if (entries.isEmpty()) {
      compare(done);
    } else {
      throw new ProtocolException("the last word before all is over");
    }
  }

  private void compare(Done done) {
    if (entries.agreesWith(done)) {
      isOver = true;
      entries.toDo(new ReceiverAction.Over(done.exitCode(), done.text(), done.lacksNames()));
    } else {
      String text = "what arrived is not what was sent: the counts of both ends differ";
      giveUp(ExitCode.INTEGRITY, text);
      entries.toDo(new ReceiverAction.GaveUp(ExitCode.INTEGRITY, text));
    }
  }

  /// What has become due: directories that are complete, and the answer to an early last word. Ask
  /// after every call of the methods below, and after what [#onFrame] gave is done.
  public synchronized List<ReceiverAction> due() {
    List<ReceiverAction> actions = entries.collect();
    for (ReceivedEntry directory : entries.takeComplete()) {
      entries.toDo(new ReceiverAction.Complete(directory.id()));
    }
    boolean isDone = !isOver && !hasGivenUp && earlyWord != null && entries.isEmpty();
    // If something failed, the sender did not know of it then, and says another word.
    if (isDone && !entries.isAnyFailed()) {
      endingOn = earlyOn;
      earlyOn.isLastWordDue = true;
      peerReached = earlyWord.level();
      compare(earlyWord);
    }
    return actions;
  }

  /// How far the sender says that the arrival of all files is proved, as to its end; null before
  /// its last word. Never above what was agreed.
  public synchronized Level peerReached() {
    return peerReached;
  }

  public synchronized void accept(Accept accepted) {
    arrivals.accept(accepted);
  }

  /// What is wanted of an entry that was offered. After BASE, another answer is due once the last
  /// of its [chunks][ReceiverAction.TakeChunks] is told. An entry that is over by this, and well,
  /// is counted in the digest of the whole. Of two answers the first counts.
  ///
  /// Of what is held, less may be told if there is too much: the sender then sends the rest, too.
  public synchronized void answer(Answer given) {
    ReceivedEntry entry = entries.find(given.fileId());
    if (entry == null || entry.stage().isAnswered()) {
      return;
    }
    Answer answer = given.kind() == Answer.AnswerKind.REST ? entries.claim(entry, given) : given;
    entry.answer = answer;
    entry.tellAskers(answer);
    switch (answer.kind()) {
      case ALL, NEW, REST -> entry.go(EntryEvent.WANT);
      case BASE -> entry.ask();
      case WHOLE -> entry.go(EntryEvent.FIND);
      case CREATE, REPLACE, CORRECT -> {
        if (entry.isDirectory()) {
          entry.go(EntryEvent.WANT);
        } else {
          entries.fail(entry, answer);
        }
      }
      case MADE -> entries.finish(entry, arrivals.terms().level());
      case DECLINED, FAILED, KEPT -> entries.fail(entry, answer);
    }
  }

  public synchronized boolean isOver(long fileId) {
    return !entries.isNew(fileId) && entries.find(fileId) == null;
  }

  /// The bytes of a block are in the file, or it is a hole now.
  ///
  /// @param fits whether they are what the trailer says; else the sender is asked for them again
  /// @param crc32c of the bytes; of a hole, anything
  public synchronized void blockDone(int connection, long unit, boolean fits, int crc32c) {
    ReceivedUnit done = unit(connection, unit);
    if (done != null && done.inHandOf() != null) {
      arrivals.blockDone(done, fits, crc32c);
    }
  }

  /// Answers a [look][ReceiverAction.Look].
  public synchronized void wants(int connection, Wants answer) {
    answers.put(answer.number(), answer);
    if (answers.size() > ANSWERS_MAX) {
      answers.pollFirstEntry();
    }
    ReceivingConnection to = connections.get(connection);
    if (to != null) {
      to.say(answer);
    }
  }

  /// What is there is not what was [shown][ReceiverAction.Compare], and may be replaced: its bytes
  /// are to come.
  public synchronized void differs(long fileId) {
    ReceivedEntry entry = entries.find(fileId);
    if (entry != null && entry.stage() == EntryStage.COMPARED) {
      arrivals.differs(entry);
    }
  }

  /// The files of a part are over.
  ///
  /// @param result what became of them; nothing, if it was not wanted
  public synchronized void partDone(int connection, long unit, PartResult result) {
    ReceivedUnit done = unit(connection, unit);
    if (done != null) {
      arrivals.partDone(done, result);
    }
  }

  /// A file is published: it is over, and well.
  ///
  /// @param reached how far its arrival is proved: the last word tells of the least
  public synchronized void published(long fileId, Level reached) {
    if (finish(fileId)) {
      entries.reached(reached);
    }
  }

  /// A directory is complete: it is over, and well.
  public synchronized void completed(long fileId) {
    ReceivedEntry entry = entries.find(fileId);
    if (finish(fileId)) {
      entry.tellAskers(Answer.of(fileId, Answer.AnswerKind.MADE));
    }
  }

  private boolean finish(long fileId) {
    ReceivedEntry entry = entries.find(fileId);
    if (entry == null) {
      return false;
    }
    if (!entry.stage().isPublishing()) {
      throw new IllegalStateException("published before its end: " + fileId);
    }
    entries.finish(entry, arrivals.terms().level());
    return true;
  }

  /// An entry failed here: it is over, and the sender is told.
  public synchronized void failed(long fileId, ExitCode exitCode, String text) {
    ReceivedEntry entry = entries.find(fileId);
    if (entry != null) {
      arrivals.fail(entry, exitCode, text);
    }
  }

  /// A unit was dealt with; may be told in another order than that of the wire.
  public synchronized void unitDone(int connection, long unit) {
    ReceivedUnit done = unit(connection, unit);
    if (done != null) {
      done.finish();
      done.connection.advance();
    }
  }

  /// The unit, or null if it was dealt with, or its connection is lost.
  private ReceivedUnit unit(int connection, long unit) {
    ReceivingConnection from = connections.get(connection);
    return from == null ? null : from.unit(unit);
  }

  /// All frames to say on `connection` now, in their order. Ask after every call of the methods
  /// above, for each connection.
  public synchronized List<Frame> next(int connection) {
    ReceivingConnection to = connections.get(connection);
    List<Frame> frames = new ArrayList<>();
    if (to == null || to.hasSaidLastWord) {
      return frames;
    }
    if (arrivals.isAccepted() && !hasGivenUp) {
      if (to.isTermsDue) {
        to.isTermsDue = false;
        frames.add(arrivals.terms());
      }
      to.takeFrames(frames);
    }
    if (isLastWordDue(to)) {
      frames.addAll(hasGivenUp ? List.of() : surplus);
      frames.add(lastWord);
      to.hasSaidLastWord = true;
    }
    return frames;
  }

  private boolean isLastWordDue(ReceivingConnection to) {
    return lastWord != null && (hasGivenUp || to.isLastWordDue);
  }

  /// Whether [#next] would give any.
  public synchronized boolean hasToSay(int connection) {
    ReceivingConnection to = connections.get(connection);
    if (to == null || to.hasSaidLastWord) {
      return false;
    }
    boolean isFrame = arrivals.isAccepted() && !hasGivenUp && (to.isTermsDue || to.hasFrames());
    return isFrame || isLastWordDue(to);
  }

  /// Ends the session for a reason of this end: what [#next] gives says so.
  public synchronized void giveUp(ExitCode exitCode, String text) {
    if (lastWord == null) {
      lastWord = entries.done(exitCode, arrivals.terms().level(), text);
      hasGivenUp = true;
    }
  }

  /// Ends the session well, once [ReceiverAction.Over] was told: what [#next] gives is the last
  /// word.
  ///
  /// @param exitCode the receiver's own
  /// @param tally what the receiver did besides taking bytes
  /// @param paths what would be deleted, in a dry run
  public synchronized void sayGoodbye(
      ExitCode exitCode, Done.Tally tally, String text, List<Bytes> paths) {
    if (lastWord == null) {
      surplus = SurplusNames.of(paths);
      lastWord = entries.done(exitCode, arrivals.terms().level(), text).with(tally);
    }
  }
}
