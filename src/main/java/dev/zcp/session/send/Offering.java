package dev.zcp.session.send;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Status;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Offers to a session what the walk finds, and anew what had changed. One thread offers: the one
/// that walks.
final class Offering implements Outlet {

  private final SendingSession session;

  Offering(SendingSession session) {
    this.session = session;
  }

  /// Waits until all that was offered is over; to be called once the walk is through.
  void finish() {
    session.walked();
    await(() -> session.underWay() == 0);
  }

  @Override
  public boolean isAgreed() {
    return session.agreement().isReached();
  }

  @Override
  public int keeps() {
    return session.keeps();
  }

  @Override
  public boolean offer(Outgoing entry) {
    List<Span> holes = holesOf(entry);
    // Nearly always, and without what waiting takes.
    if (session.offerAtOnce(entry, holes)) {
      return true;
    }
    await(() -> hasRoom(entry.kind()));
    return session.offer(entry, holes);
  }

  @Override
  public int underWay() {
    return session.underWay();
  }

  @Override
  public boolean hasRoom(EntryKind kind) {
    return session.end().hasRoom(kind);
  }

  @Override
  public int partFileBytesMax() {
    return session.terms().partFileBytesMax();
  }

  @Override
  public long partBytesMax() {
    return session.terms().partBytesMax();
  }

  @Override
  public void queue(OutgoingPart part) {
    await(session.end()::hasRoomForPart);
    session.queue(part);
  }

  @Override
  public void offerAnew(Outgoing entry) {
    session.offerAnew(entry);
  }

  @Override
  public void await(BooleanSupplier goOn) {
    UnderWay.ToOffer next = session.nextToOffer(goOn);
    while (next != null) {
      if (next.part() == null) {
        offerNow(next.changed());
      } else {
        next.part().visitor.offerEach(next.part());
      }
      next = session.nextToOffer(goOn);
    }
  }

  @Override
  public void note(Failure failure) {
    // A file system may say of something that is there that it has vanished.
    session.end().noteUnnamed(failure.exitCode(), failure.getMessage());
  }

  @Override
  public void ended(Outgoing directory) {
    session.end(directory, Status.OK);
  }

  @Override
  public void wake() {
    session.wake();
  }

  private void offerNow(Outgoing changed) {
    try {
      Outgoing again = changed.anew();
      session.offer(again, holesOf(again));
    } catch (Failure cause) {
      session.outcomes().over(changed, cause);
    }
  }

  /// Whether the receiver reads all that it got; waited for.
  private boolean readsBack() {
    session.keeps();
    Level agreed = session.agreement().level();
    return agreed != null && agreed.compareTo(Level.READBACK) >= 0;
  }

  /// A file that cannot be opened has none: that it cannot is told when its bytes are due.
  private List<Span> holesOf(Outgoing outgoing) {
    try {
      return outgoing.isFile() ? outgoing.findHoles(this::readsBack) : List.of();
    } catch (Failure e) {
      // See above.
      return List.of();
    }
  }
}
