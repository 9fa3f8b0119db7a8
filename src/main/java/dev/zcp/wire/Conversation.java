package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import java.util.HashMap;
import java.util.Map;

/// The whole course of one session after the handshake, as one end sees it: checks what the peer
/// says against all that was said before, and what this end says as well.
///
/// Both ends use the same rules. That works although frames cross on the way, because a frame only
/// ever depends on what its speaker had heard: an answer on its file's frames, and CANCELLED on a
/// NACK.
///
/// Assumes that
/// 1. a frame is told to [#said] before its first byte goes out, and to [#heard] once it was
///    decoded;
/// 2. the frames of each direction come in the order of the wire.
///
/// Guarantees that
/// 1. it may be told of one direction by one thread and of the other by another;
/// 2. a frame that is refused leaves it as it was;
/// 3. its memory is bounded by [Limits#UNANSWERED_FILES_MAX], whatever the peer says.
public final class Conversation {

  /// A file without an answer yet.
  ///
  /// @param whole whether it has ended, with status OK
  /// @param size its bytes, where it is whole
  private record Unanswered(boolean whole, long size) {
    static final Unanswered INCOMPLETE = new Unanswered(false, 0);
  }

  private final Side self;
  private final boolean discarding;
  private final Map<Long, Unanswered> unanswered = new HashMap<>();

  private ReceivingState fromSender = ReceivingState.WAIT_FILE;
  private SendingState fromReceiver = SendingState.ANSWERING;

  private Meta file;
  private Data block;
  private long position;

  private long announcedFiles;
  private long sentBytes;
  private long acknowledgedFiles;
  private long acknowledgedBytes;

  /// @param discarding whether the receiver's hello said [Hello#DISCARD]
  public Conversation(Side self, boolean discarding) {
    this.self = self;
    this.discarding = discarding;
  }

  /// Takes what the peer said.
  ///
  /// @throws ProtocolException where it may not say that now
  public synchronized void heard(Frame frame) throws ProtocolException {
    take(self.other(), frame);
  }

  /// Takes what this end is about to say.
  ///
  /// @throws IllegalStateException where it may not say that now
  public synchronized void said(Frame frame) {
    try {
      take(self, frame);
    } catch (ProtocolException e) {
      throw new IllegalStateException("about to break the protocol: " + e.getMessage(), e);
    }
  }

  /// Whether the sender may announce another file already; else it must wait for an answer.
  public synchronized boolean mayAnnounce() {
    return unanswered.size() < Limits.UNANSWERED_FILES_MAX && announcedFiles < Limits.FILES_MAX;
  }

  /// The id of the next file.
  public synchronized long nextFileId() {
    return announcedFiles;
  }

  /// How many files have no answer yet.
  public synchronized int unansweredFiles() {
    return unanswered.size();
  }

  /// Whether the file that is being sent was refused, so that its next trailer should be its last.
  public synchronized boolean isRefused() {
    return file != null && !unanswered.containsKey(file.fileId());
  }

  /// The last frame of this end, with the numbers that the peer will check.
  public synchronized Done done(ExitCode exitCode, String text) {
    return self == Side.SENDER
        ? new Done(exitCode, announcedFiles, sentBytes, text)
        : new Done(exitCode, acknowledgedFiles, acknowledgedBytes, text);
  }

  /// Whether the peer has said DONE. Until then the end of its bytes is a failure.
  public synchronized boolean peerIsDone() {
    return self == Side.SENDER
        ? fromReceiver == SendingState.ENDED
        : fromSender == ReceivingState.ENDED;
  }

  public synchronized ReceivingState receivingState() {
    return fromSender;
  }

  public synchronized SendingState sendingState() {
    return fromReceiver;
  }

  private void take(Side speaker, Frame frame) throws ProtocolException {
    if (speaker == Side.SENDER) {
      takeFromSender(frame);
    } else {
      takeFromReceiver(frame);
    }
  }

  private void takeFromSender(Frame frame) throws ProtocolException {
    ReceivingState next = fromSender.after(frame);
    switch (frame.type()) {
      case META -> begin((Meta) frame);
      case DATA -> open((Data) frame);
      case TRAILER -> close((Trailer) frame);
      case DONE -> {
        requireTotals((Done) frame, announcedFiles, sentBytes);
        fromReceiver = fromReceiver.afterOwnDone();
      }
      case ACK, NACK, BEAT -> {}
    }
    fromSender = next;
  }

  private void takeFromReceiver(Frame frame) throws ProtocolException {
    SendingState next = fromReceiver.after(frame);
    switch (frame.type()) {
      case ACK -> acknowledge((Ack) frame);
      case NACK -> refuse((Nack) frame);
      case DONE -> {
        Done done = (Done) frame;
        requireTotals(done, acknowledgedFiles, acknowledgedBytes);
        require(
            done.exitCode() != ExitCode.OK || unanswered.isEmpty(),
            "DONE without a failure, and files without an answer");
      }
      case META, DATA, TRAILER, BEAT -> {}
    }
    fromReceiver = next;
  }

  private void begin(Meta meta) throws ProtocolException {
    require(meta.fileId() == announcedFiles, "META of a file out of turn");
    require(mayAnnounce(), "META of one file too many");
    file = meta;
    position = 0;
    announcedFiles++;
    unanswered.put(meta.fileId(), Unanswered.INCOMPLETE);
  }

  private void open(Data data) throws ProtocolException {
    require(data.fileId() == file.fileId(), "DATA of another file");
    require(data.block().offset() == position, "DATA that leaves a gap or overlaps");
    require(!file.hasSize() || data.block().end() <= file.size(), "DATA past the size of its file");
    sentBytes = sum(sentBytes, data.block().length());
    block = data;
  }

  private void close(Trailer trailer) throws ProtocolException {
    require(trailer.fileId() == file.fileId(), "TRAILER of another file");
    if (trailer.block().isEmpty()) {
      require(
          trailer.block().offset() == position, "TRAILER at another offset than its file's end");
    } else {
      require(trailer.block().equals(block.block()), "TRAILER of another block");
    }
    boolean refused = isRefused();
    boolean ok = trailer.status() == Trailer.Status.OK;
    long end = trailer.block().end();
    require(
        trailer.status() != Trailer.Status.CANCELLED || refused,
        "TRAILER with status CANCELLED, and nobody refused");
    require(
        !trailer.last() || !ok || !file.hasSize() || end == file.size(),
        "TRAILER that ends the file before its size, with status OK");
    position = end;
    block = null;
    if (trailer.last()) {
      if (ok && !refused) {
        unanswered.put(file.fileId(), new Unanswered(true, end));
      }
      file = null;
    }
  }

  private void acknowledge(Ack ack) throws ProtocolException {
    Unanswered entry = unanswered.get(ack.fileId());
    require(entry != null && entry.whole(), "ACK of a file that is not there to be acknowledged");
    require(ack.size() == entry.size(), "ACK of another size than was sent");
    require(!ack.published() || !discarding, "ACK of a file as published that is to be discarded");
    acknowledgedBytes = sum(acknowledgedBytes, ack.size());
    acknowledgedFiles++;
    unanswered.remove(ack.fileId());
  }

  private void refuse(Nack nack) throws ProtocolException {
    require(
        unanswered.remove(nack.fileId()) != null, "NACK of a file that is not there to be refused");
  }

  private static void requireTotals(Done done, long files, long bytes) throws ProtocolException {
    require(
        done.files() == files && done.bytes() == bytes, "DONE with other totals than were sent");
  }

  private static long sum(long total, long bytes) throws ProtocolException {
    require(bytes <= Long.MAX_VALUE - total, "more than 2^63-1 bytes in one session");
    return total + bytes;
  }

  private static void require(boolean kept, String violation) throws ProtocolException {
    if (!kept) {
      throw new ProtocolException(violation);
    }
  }
}
