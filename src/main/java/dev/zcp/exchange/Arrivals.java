package dev.zcp.exchange;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.exchange.ReceivedEntry.EntryEvent;
import dev.zcp.exchange.ReceivedEntry.EntryStage;
import dev.zcp.wire.Accept;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Ending;
import dev.zcp.wire.EntryEnds;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Offer;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Rejection;
import dev.zcp.wire.Show;
import dev.zcp.wire.Status;
import dev.zcp.wire.Trailer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// What arrives of entries at a receiver: offers, bytes and ends; and how entries come to be over
/// by that. A directory is complete when it was ended and all in it is over, whichever connection
/// brings that.
final class Arrivals {

  static final String NO_DIRECTORY = "its directory was not offered, or not taken";

  /// What every receiver grants before it has said its terms.
  private static final Accept NO_TERMS =
      new Accept(Level.NONE, Digest.Algorithm.NONE, 0, false, 1, 1, Offers.FILES_BEFORE_TERMS);

  private final ReceivedEntries entries;
  private final TreeMap<Integer, ReceivingConnection> connections;
  private Accept terms = NO_TERMS;

  Arrivals(ReceivedEntries entries, TreeMap<Integer, ReceivingConnection> connections) {
    this.entries = entries;
    this.connections = connections;
  }

  void accept(Accept accepted) {
    terms = accepted;
  }

  boolean isAccepted() {
    return terms != NO_TERMS;
  }

  Accept terms() {
    return terms;
  }

  void offer(ReceivingConnection from, Offer offer) throws ProtocolException {
    List<Offered> added = new ArrayList<>();
    for (Offered entry : offer.entries()) {
      if (entries.isNew(entry.fileId())) {
        requireFirst(entry);
        ReceivedEntry more = entries.add(entry);
        if (more == null) {
          refuse(from, entry);
          continue;
        }
        more.askedOn(from);
        more.go(EntryEvent.CONSIDER, from);
        if (Offers.isLarge(entry)) {
          entries.count(more, terms.filesMax());
        }
        added.add(more.offered);
      } else {
        repeated(from, entry, added);
      }
    }
    if (!added.isEmpty()) {
      entries.toDo(new ReceiverAction.Consider(added));
    }
  }

  /// Only directories that were offered are made. What is in one that failed fails with it, and
  /// only the sender hears of that.
  private void refuse(ReceivingConnection from, Offered entry) throws ProtocolException {
    Answer why = Answer.failed(entry.fileId(), ExitCode.DESTINATION, NO_DIRECTORY);
    entries.refuse(why);
    from.say(why);
  }

  /// A hard link is one to what is there.
  private void requireFirst(Offered entry) throws ProtocolException {
    if (entry.kind() == EntryKind.HARD_LINK
        && (entries.isNew(entry.firstId())
            || entries.find(entry.firstId()) != null
            || entries.failures().failure(entry.firstId()) != null)) {
      throw new ProtocolException("a link to " + entry.firstId() + ", which is not there");
    }
  }

  private void repeated(ReceivingConnection from, Offered offered, List<Offered> added)
      throws ProtocolException {
    ReceivedEntry entry = entries.find(offered.fileId());
    if (entry == null) {
      repeatedAfterItsEnd(from, offered);
    } else if (!entry.isSame(offered)) {
      throw new ProtocolException("another entry with the id " + offered.fileId());
    } else if (!entry.stage().isAnswered()) {
      entry.askedOn(from);
      if (entry.stage() == EntryStage.OFFERED) {
        entry.go(EntryEvent.CONSIDER, from);
        added.add(entry.offered);
      }
    } else {
      from.say(entry.answer);
    }
  }

  private void repeatedAfterItsEnd(ReceivingConnection from, Offered offered)
      throws ProtocolException {
    Answer answer = entries.failures().answer(offered.fileId());
    boolean isMade = offered.kind() != EntryKind.FILE && !offered.kind().isDirectory();
    if (answer != null) {
      from.say(answer);
    } else if (isMade) {
      from.say(Answer.of(offered.fileId(), Answer.AnswerKind.MADE));
    } else {
      // It comes late, over a connection that was given up: nobody waits for the answer.
      from.say(Answer.of(offered.fileId(), Answer.AnswerKind.ALL));
    }
  }

  void part(ReceivingConnection from, Part part, boolean isClosed) throws ProtocolException {
    from.requireRoom(part.rawBytes(), terms.windowBytes());
    if (part.digest().isSha256() != (terms.digest() == Digest.Algorithm.SHA256)) {
      throw new ProtocolException(
          "a part by " + part.digest().algorithm() + ", agreed was " + terms.digest());
    }
    if (terms.level() == Level.NONE && part.isAnySummed()) {
      throw new ProtocolException("a part with a CRC32C, agreed was level NONE");
    }
    if (terms.inOrder()) {
      throw new ProtocolException("a part where bytes must come in order");
    }
    ReceivedUnit unit = from.arrived(part.rawBytes(), null);
    boolean isWanted = !isClosed && entries.begin(unit, part);
    List<EntryPath> directories = isWanted ? ReceivedEntries.paths(unit.directories) : List.of();
    if (!isWanted) {
      for (int i = 0; i < part.count(); i++) {
        tellMissing(from, entries.failures().answer(part.firstId() + i));
      }
    }
    entries.toDo(new ReceiverAction.TakePart(unit.number, part, directories, isWanted));
  }

  void partDone(ReceivedUnit unit, PartResult result) {
    if (unit.partId >= 0) {
      entries.finish(unit, result);
      for (Answer why : result.missing()) {
        tellMissing(unit.connection, why);
      }
    }
    unit.finish();
    unit.connection.advance();
  }

  /// @param why null if the file has arrived
  private static void tellMissing(ReceivingConnection connection, Answer why) {
    if (why == null) {
      return;
    }
    switch (why.kind()) {
      case KEPT -> connection.reject(new Rejection.Kept(why.fileId()));
      case ALL -> connection.reject(new Rejection.Wanted(why.fileId()));
      default -> tellAgain(connection, why);
    }
  }

  void show(ReceivingConnection from, Show shown) throws ProtocolException {
    boolean isBySha256 = terms.digest() == Digest.Algorithm.SHA256;
    if (isBySha256 != (shown.digest().algorithm() == Digest.Algorithm.SHA256)) {
      throw new ProtocolException("a file shown by another digest than was agreed");
    }
    ReceivedUnit unit = from.arrived(0, null);
    ReceivedEntry entry = entries.get(shown.fileId());
    if (entry != null && entry.stage() == EntryStage.PRESENT) {
      entry.go(EntryEvent.SHOW, from);
      entry.size = entry.offered.size();
      entry.crc32c = shown.crc32c();
      entries.toDo(new ReceiverAction.Compare(unit.number, shown));
      return;
    }
    if (entry == null) {
      tellAgain(from, shown.fileId());
    } else if (entry.hasDiffered) {
      from.reject(new Rejection.Wanted(entry.id()));
    } else {
      throw new ProtocolException("file " + entry.id() + " shown, of which none was there");
    }
    unit.finish();
    from.advance();
  }

  void chunks(ReceivingConnection from, Chunks chunks, boolean isClosed) throws ProtocolException {
    ReceivedEntry entry = isClosed ? null : entries.get(chunks.fileId());
    if (entry != null) {
      entry.tellChunks(from, chunks);
      if (chunks.isLast()) {
        entry.askedOn(from);
        entry.go(EntryEvent.CONSIDER, from);
      }
      entries.toDo(new ReceiverAction.TakeChunks(chunks));
    } else if (!isClosed && chunks.isLast()) {
      // It has failed here meanwhile.
      Answer why = entries.failures().answer(chunks.fileId());
      from.say(why == null ? Answer.of(chunks.fileId(), Answer.AnswerKind.ALL) : why);
    }
  }

  void data(ReceivingConnection from, Data data, boolean isClosed) throws ProtocolException {
    from.requireRoom(data.block().length(), terms.windowBytes());
    from.block = data.block();
    from.blockFileId = data.fileId();
    from.blockOf = isClosed ? null : wanting(data.fileId(), data.block());
    if (from.blockOf != null) {
      from.blockOf.inHand++;
    }
    entries.toDo(new ReceiverAction.TakeBlock(data, from.blockOf != null));
  }

  private ReceivedEntry wanting(long fileId, Span span) throws ProtocolException {
    ReceivedEntry entry = entries.get(fileId);
    // Where all is there, or just this, it comes late or again: over a connection that was given
    // up, or since its acknowledgement was lost.
    if (entry == null || entry.stage().isPublishing() || entry.coverage.contains(span)) {
      return null;
    }
    boolean fits =
        entry.wantsBytes()
            && (!entry.offered.hasSize() || span.end() <= entry.offered.size())
            && !entry.coverage.straddles(span);
    if (!fits) {
      throw new ProtocolException("bytes for " + fileId + " that do not belong there: " + span);
    }
    entries.requireRoomForPieces();
    requireNotInHand(entry, span);
    entry.go(EntryEvent.BLOCK);
    if (terms.inOrder()) {
      return isNextInOrder(entry, span) ? entry : null;
    }
    if (!entry.offered.hasSize()) {
      requireNext(entry, span);
    }
    entries.count(entry, terms.filesMax());
    entry.coverage.drop(span);
    entries.recount(entry);
    return entry;
  }

  /// Two threads must not write the same bytes.
  private void requireNotInHand(ReceivedEntry entry, Span span) throws ProtocolException {
    for (ReceivingConnection each : connections.values()) {
      if (entry.inHand > 0 && each.hasInHand(entry, span)) {
        throw new ProtocolException("bytes of " + entry.id() + " twice at a time: " + span);
      }
    }
  }

  private boolean isNextInOrder(ReceivedEntry entry, Span span) throws ProtocolException {
    for (ReceivedEntry first : entries.all()) {
      if (first.isFile() && first != entry) {
        throw new ProtocolException("bytes for " + entry.id() + " before those of " + first.id());
      } else if (first.isFile()) {
        break;
      }
    }
    if (span.end() <= entry.nextOffset) {
      return false;
    }
    requireNext(entry, span);
    return true;
  }

  private static void requireNext(ReceivedEntry entry, Span span) throws ProtocolException {
    if (span.offset() != entry.nextOffset) {
      throw new ProtocolException("bytes out of order for " + entry.id() + ": " + span);
    }
    entry.nextOffset = span.end();
  }

  void trailer(ReceivingConnection from, Trailer trailer) throws ProtocolException {
    boolean fits =
        from.block != null
            && from.blockFileId == trailer.fileId()
            && from.block.equals(trailer.block());
    if (!fits) {
      throw new ProtocolException("a trailer for a block that was not sent");
    }
    if (trailer.digest().algorithm() != terms.digest()) {
      throw new ProtocolException(
          "a digest by " + trailer.digest().algorithm() + ", agreed was " + terms.digest());
    }
    ReceivedUnit unit = from.arrived(from.block.length(), from.block);
    ReceivedEntry entry = from.blockOf;
    from.block = null;
    from.blockOf = null;
    boolean isLive = entries.find(trailer.fileId()) != null;
    if (!isLive) {
      tellAgain(from, trailer.fileId());
    }
    boolean isWanted = entry != null && isLive && trailer.status() == Status.OK;
    if (isWanted) {
      unit.take(entry, false);
    } else if (entry != null) {
      entry.inHand--;
    }
    entries.toDo(new ReceiverAction.CheckBlock(unit.number, trailer, isWanted));
  }

  void hole(ReceivingConnection from, Data hole, boolean isClosed) throws ProtocolException {
    ReceivedUnit unit = from.arrived(0, hole.block());
    ReceivedEntry entry = isClosed ? null : wanting(hole.fileId(), hole.block());
    if (entry == null) {
      tellAgain(from, hole.fileId());
      unit.finish();
      from.advance();
      return;
    }
    if (!entry.offered.hasSize() || terms.inOrder()) {
      throw new ProtocolException("a hole in a stream");
    }
    entry.inHand++;
    unit.take(entry, true);
    entries.toDo(new ReceiverAction.MakeHole(unit.number, hole.fileId(), hole.block()));
  }

  void blockDone(ReceivedUnit unit, boolean fits, int crc32c) {
    Span span = unit.span;
    ReceivedEntry entry = unit.judge();
    if (entries.find(entry.id()) != entry) {
      return;
    }
    if (fits && !entry.coverage.straddles(span)) {
      entry.coverage.add(span, unit.isHole() ? Crc32c.ofZeros(span.length()) : crc32c);
      entries.recount(entry);
    } else if (fits || terms.inOrder()) {
      fail(entry, ExitCode.INTEGRITY, "arrived damaged");
    } else {
      unit.connection.reject(new Rejection.Again(entry.id(), span));
    }
  }

  /// A connection is lost, and nothing of it is under way any more.
  void down(ReceivingConnection lost) {
    if (lost.blockOf != null) {
      lost.blockOf.inHand--;
      failInOrder(lost.blockOf);
    }
    for (ReceivedUnit unit : lost.units()) {
      if (unit.inHandOf() != null) {
        failInOrder(unit.judge());
      }
      entries.lose(unit);
    }
    for (ReceivedEntry entry : entries.all()) {
      if (entry.worker() == lost) {
        entry.go(EntryEvent.LOSE);
      }
    }
  }

  private void failInOrder(ReceivedEntry entry) {
    if (terms.inOrder() && entries.find(entry.id()) == entry) {
      fail(entry, ExitCode.NETWORK, "its connection was lost in the middle");
    }
  }

  void end(ReceivingConnection from, EntryEnds end) throws ProtocolException {
    ReceivedUnit unit = from.arrived(0, null);
    List<Ending> toPublish = new ArrayList<>();
    for (Ending ending : end.endings()) {
      ReceivedEntry entry = entries.get(ending.fileId());
      if (entry == null) {
        // It may be a directory, and the sender waits for the answer.
        if (!tellAgain(from, ending.fileId())) {
          from.say(Answer.of(ending.fileId(), Answer.AnswerKind.MADE));
        }
      } else if (entry.isDirectory() && entry.stage() == EntryStage.ENDING) {
        entry.askedOn(from);
      } else if (entry.stage().isPublishing()) {
        throw new ProtocolException("two ends of " + entry.id());
      } else if (!entry.stage().isAnswered()) {
        throw new ProtocolException("an end of " + entry.id() + " before its answer");
      } else {
        end(from, entry, ending, toPublish);
      }
    }
    if (toPublish.isEmpty()) {
      unit.finish();
      from.advance();
      return;
    }
    entries.toDo(new ReceiverAction.Publish(unit.number, toPublish));
  }

  private void end(
      ReceivingConnection from, ReceivedEntry entry, Ending ending, List<Ending> toPublish)
      throws ProtocolException {
    boolean hasCrc32c = entry.isFile() && terms.level() != Level.NONE;
    if (!entry.isFile() && ending.size() != 0 || !hasCrc32c && ending.crc32c() != 0) {
      throw new ProtocolException("an end of " + entry.id() + " with what it has not");
    }
    if (entry.isDirectory() && ending.status() == Status.OK) {
      entry.askedOn(from);
      entries.end(entry);
      entry.go(EntryEvent.END);
      return;
    }
    boolean isUnshown = entry.stage() == EntryStage.PRESENT;
    if (isUnshown && ending.status() == Status.OK) {
      throw new ProtocolException("an end of " + entry.id() + ", which was not shown");
    }
    if (!entry.isDirectory() && !isUnshown) {
      entry.go(EntryEvent.END, from);
    }
    if (isWell(entry, ending)) {
      toPublish.add(ending);
    }
  }

  /// Whether the file can be published; else it is over.
  private boolean isWell(ReceivedEntry entry, Ending ending) throws ProtocolException {
    if (ending.status() != Status.OK) {
      drop(entry, ending.status());
      return false;
    }
    if (!entry.isFile()) {
      throw new ProtocolException("an end of " + entry.id() + ", which has none");
    }
    if (entry.inHand > 0) {
      throw new ProtocolException("an end of " + entry.id() + " before all its bytes");
    }
    boolean isAll = entry.coverage.isWhole(ending.size());
    boolean hasSize = !entry.offered.hasSize() || entry.offered.size() == ending.size();
    entry.size = ending.size();
    entry.crc32c = ending.crc32c();
    boolean fits =
        terms.level() == Level.NONE || isAll && entry.coverage.crc32c() == ending.crc32c();
    if (!isAll || !hasSize || !fits) {
      drop(entry, ExitCode.INTEGRITY, "is not what was sent");
      return false;
    }
    return true;
  }

  void fail(ReceivedEntry entry, ExitCode exitCode, String text) {
    Answer why = Answer.failed(entry.id(), exitCode, text);
    ReceivingConnection publisher = entry.stage().isPublishing() ? entry.worker() : null;
    boolean isTold = entry.tellAskers(why);
    entries.fail(entry, why);
    if (publisher != null) {
      tellAgain(publisher, why);
      isTold = true;
    }
    if (!isTold && !connections.isEmpty()) {
      tellAgain(connections.firstEntry().getValue(), why);
    }
  }

  /// The entry failed, and what there is of it is thrown away.
  private void drop(ReceivedEntry entry, ExitCode exitCode, String text) {
    fail(entry, exitCode, text);
    entries.toDo(new ReceiverAction.Drop(entry.id(), exitCode, text));
  }

  /// The same, since the source came to this.
  private void drop(ReceivedEntry entry, Status status) {
    switch (status) {
      case SHORT -> drop(entry, ExitCode.SOURCE, "the source is shorter than it was");
      case CHANGED -> drop(entry, ExitCode.SOURCE, "the source changed while it was read");
      case DAMAGED -> drop(entry, ExitCode.INTEGRITY, "arrived damaged too often");
      case VANISHED -> drop(entry, ExitCode.VANISHED, "vanished before it was sent");
      case OK, FAILED -> drop(entry, ExitCode.SOURCE, "the sender could not read it");
    }
  }

  /// What is there is not what was shown, and may be replaced.
  void differs(ReceivedEntry entry) {
    entry.worker().reject(new Rejection.Wanted(entry.id()));
    entry.hasDiffered = true;
    entry.go(EntryEvent.DIFFER);
    // Its sender has counted it, if it has said its last word early.
    entries.anyFailed();
  }

  /// Tells on `connection` why an entry failed; nothing of others.
  ///
  /// @return whether it had
  private boolean tellAgain(ReceivingConnection connection, long fileId) {
    Answer why = entries.failures().failure(fileId);
    if (why != null) {
      tellAgain(connection, why);
    }
    return why != null;
  }

  private static void tellAgain(ReceivingConnection connection, Answer why) {
    // What was declined has no bytes and no end, so a sender that keeps to the rules is not told.
    ExitCode exitCode = why.exitCode() == ExitCode.OK ? ExitCode.DESTINATION : why.exitCode();
    connection.reject(new Rejection.Refused(why.fileId(), exitCode, why.text()));
  }
}
