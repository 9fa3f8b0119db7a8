package dev.zcp.exchange;

import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Offered;
import java.util.ArrayList;
import java.util.List;

/// What a receiver knows of an entry that was offered and is not over.
final class ReceivedEntry {

  final Offered offered;
  final long weight;

  /// What the sender is told, once that is known.
  Answer answer;

  /// The connections to answer on: mostly one.
  private final List<ReceivingConnection> askers = new ArrayList<>(1);

  /// The connection whose thread looks for the answer, or null.
  ReceivingConnection consideredOn;

  /// Whether bytes come for a whole file that is there.
  boolean isReplaced;

  /// Whether it counts for [dev.zcp.wire.Accept#filesMax].
  boolean isCounted;

  final Coverage coverage = new Coverage();
  int piecesCounted;

  /// How many spans the sender was told are here from before.
  int claimed;

  /// Blocks and holes that are being written.
  int inHand;

  /// Where bytes must come in order: the first that was not announced yet.
  long nextOffset;

  /// The batch or the end that it is being published by, or null.
  ReceivedUnit publishing;

  /// Whether that is a batch.
  boolean isPiece;

  long size;
  int crc32c;

  ReceivedEntry(Offered offered) {
    this.offered = offered;
    this.weight = Weight.of(offered);
  }

  long id() {
    return offered.fileId();
  }

  boolean isFile() {
    return offered.kind() == EntryKind.FILE;
  }

  /// Whoever asks is answered on this connection, too.
  void askedOn(ReceivingConnection asker) {
    if (!askers.contains(asker)) {
      askers.add(asker);
    }
  }

  /// Says the answer wherever it is due.
  ///
  /// @return whether it was due anywhere
  boolean tellAskers(Answer said) {
    boolean isAny = !askers.isEmpty();
    for (ReceivingConnection asker : askers) {
      asker.say(said);
    }
    askers.clear();
    return isAny;
  }

  /// Whether `again` is this entry, repeated.
  boolean isSame(Offered again) {
    return again.kind() == offered.kind()
        && again.size() == offered.size()
        && again.path().equals(offered.path());
  }

  /// Whether its bytes may come.
  boolean wantsBytes() {
    return isFile() && answer != null && !answer.mustStay();
  }

  /// Whether it is ended as it was found here.
  boolean isWhole() {
    return answer.kind() == Answer.Kind.WHOLE && !isReplaced;
  }

  /// Bytes of it come.
  void begin() {
    isReplaced = answer.kind() == Answer.Kind.WHOLE;
  }
}
