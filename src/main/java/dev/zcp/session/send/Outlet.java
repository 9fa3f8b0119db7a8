package dev.zcp.session.send;

import dev.zcp.core.Failure;
import dev.zcp.wire.EntryKind;
import java.util.function.BooleanSupplier;

/// What a walk of the sources gives its entries to. One thread walks; it calls all of these, and
/// others call only those that say so.
interface Outlet {

  boolean isAgreed();

  /// What the receiver keeps: bits of [dev.zcp.wire.Keep]. Waits until that is known. Any thread
  /// may call it, once an entry is over.
  ///
  /// @return 0 if the session is over
  int keeps();

  /// How many entries were offered and are not over, or are to be offered anew.
  int underWay();

  /// Whether there is room for an entry of this kind. For one that is no directory there is room
  /// again once others are over, whatever the walk does; for a directory perhaps only once what
  /// others of them wait for was offered.
  boolean hasRoom(EntryKind kind);

  /// Offers an entry, by [Outgoing#offered] with the next id, once there is room for it.
  ///
  /// @return false if the session is over, and the entry was not offered
  boolean offer(Outgoing entry);

  /// Files up to this size may go in parts; -1 for none.
  int partFileBytesMax();

  /// What a part holds, if it has more than one file.
  long partBytesMax();

  /// Sends small files, once there is room for them.
  void queue(OutgoingPart part);

  /// Has a file offered that was in a part, as it is now. Any thread may call it.
  void offerAnew(Outgoing file);

  /// Something cannot be offered, for good: the receiver is to know that not all arrives. Any
  /// thread may call it.
  void note(Failure failure);

  /// Everything in a directory was sent: it may be ended. That may be said before the receiver has
  /// answered for it, and by any thread that calls [Outgoing#over].
  void ended(Outgoing directory);

  /// Waits until `goOn` says so, or the session is over. Meanwhile entries may be offered
  /// [anew][Outgoing#anew]: it may be one of them that the walk waits for.
  ///
  /// @param goOn asked again after each [#wake]; it may be asked with any monitor held
  void await(BooleanSupplier goOn);

  /// What the walk waits for may have come. Any thread that calls [Outgoing#over] may call it.
  void wake();
}
