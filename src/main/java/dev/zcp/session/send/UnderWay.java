package dev.zcp.session.send;

import dev.zcp.core.ByteSize;
import java.util.ArrayDeque;

/// The entries of a session that were offered and are not over, at most as many as
/// [dev.zcp.exchange.SendingEnd#hasRoom] allows.
///
/// Whoever calls it must hold the session's monitor.
final class UnderWay {

  /// What the thread that walks has to offer.
  ///
  /// @param changed a file that is to be offered as it is now; or null
  /// @param part whose files are to be offered one by one; or null
  record ToOffer(Outgoing changed, OutgoingPart part) {}

  private int entries;

  private final ArrayDeque<ToOffer> toOffer = new ArrayDeque<>();

  private int parts;
  private long over;
  private long bytesAcknowledged;

  private boolean hadStream;

  void add(Outgoing outgoing) {
    outgoing.isUnderWay = true;
    entries++;
    hadStream |= outgoing.isStream();
  }

  long bytesAcknowledged() {
    return bytesAcknowledged;
  }

  /// The receiver has acknowledged so many bytes.
  ///
  /// @return how many more than were known of
  long acknowledged(long bytes) {
    // Another connection may have told of more before.
    long more = Math.max(0, bytes - bytesAcknowledged);
    bytesAcknowledged += more;
    return more;
  }

  /// What of the session stays if it ends now, and what to do, as a phrase.
  ///
  /// @param keepsNothing whether the receiver discards all, or passes it on
  String whatIsKept(boolean keepsNothing) {
    if (bytesAcknowledged == 0) {
      return "nothing new had arrived; run the same command again";
    }
    String what = new ByteSize(bytesAcknowledged) + " had arrived";
    if (keepsNothing) {
      return what + " and are not kept; all is to be sent again";
    }
    return what
        + (hadStream
            ? "; files are kept, and a stream is to be sent again from its beginning"
            : " and are kept; the same command again sends the rest");
  }

  boolean isEmpty() {
    return entries == 0 && parts == 0;
  }

  /// How many there are, with what is to be offered anew.
  int count() {
    return entries + parts + toOffer.size();
  }

  long over() {
    return over;
  }

  /// An entry is over.
  ///
  /// @return false if it was before
  boolean remove(Outgoing outgoing) {
    boolean isFirst = outgoing.isUnderWay;
    if (isFirst) {
      outgoing.isUnderWay = false;
      entries--;
      over++;
    }
    return isFirst;
  }

  /// An entry is over, and is to be offered once more.
  void removeToOfferAnew(Outgoing outgoing) {
    if (remove(outgoing)) {
      offerAnew(outgoing);
    }
  }

  void offerAnew(Outgoing outgoing) {
    toOffer.add(new ToOffer(outgoing, null));
  }

  /// Something may be there already of the files of a part.
  void offerEach(OutgoingPart part) {
    parts--;
    toOffer.add(new ToOffer(null, part));
  }

  void addPart() {
    parts++;
  }

  void partOver(int files) {
    parts--;
    over += files;
  }

  boolean hasToOffer() {
    return !toOffer.isEmpty();
  }

  ToOffer pollToOffer() {
    return toOffer.poll();
  }
}
