package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.exchange.PartResult;
import dev.zcp.place.Durability;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.wire.Answer;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Part;
import dev.zcp.wire.Wants.Want;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/// Where what one session receives comes to be. It refuses to know of connections and frames, of
/// whose turn it is, and of how bytes are moved.
///
/// Any thread may call any method, and several at once for different entries. No method may be
/// called before [#admit], nor while [#close] is at work, nor after it.
///
/// A file that has a [Landing] is this session's until that is over: no other session gets at its
/// name meanwhile.
interface Place extends AutoCloseable {

  /// Takes what is to come, as far as that can be told before it comes. May be called again.
  ///
  /// @return bits of [dev.zcp.wire.Keep]: what of `manifest.keeps()` entries will have here
  /// @throws Failure DESTINATION if there is not the room for it; it says what is missing
  int admit(Manifest manifest) throws Failure;

  /// How far what arrives here can be proved, and no further than to `wanted`.
  ///
  /// @throws Failure DESTINATION if nobody can tell
  Level provable(Level wanted) throws Failure;

  /// How many files may be under way at a time that do not fit a part: [dev.zcp.wire.Accept].
  int filesMax();

  /// What could not be kept of entries, up to now.
  default List<Loss> losses() {
    return List.of();
  }

  /// What of it [#admit] told of as kept, and could not be, up to now.
  default List<Loss> notKept() {
    return List.of();
  }

  /// Whether owners are not taken, and some were not this process's own, up to now.
  default boolean losesOwners() {
    return false;
  }

  /// Whether what keeps an entry from being written keeps every other one, too.
  ///
  /// @param cause of a [full][dev.zcp.tree.Reasons#isOfFullTarget] file system
  default boolean isOfAll(EntryPath path, Throwable cause) {
    return true;
  }

  /// How many entries that were there, and stay, got metadata, up to now.
  default long corrections() {
    return 0;
  }

  /// What is wanted of an entry. What has no bytes is made by this; of a file that is there
  /// already, all may be read. A file whose bytes may come, or that is there,
  /// [lands][IncomingEntry#land] by this.
  ///
  /// Asked again of an entry that is not over, it gives the same answer. What cannot be taken is
  /// FAILED with the reason.
  ///
  /// @throws java.util.concurrent.CancellationException if the session is over; it throws nothing
  ///   else
  Answer consider(IncomingEntry entry);

  /// What is wanted of the files of a look, in their order. What stays gets the metadata that it
  /// was offered with; nothing else is changed.
  ///
  /// @param directories as in [dev.zcp.exchange.ReceiverAction.Look]
  default Want[] look(Part look, List<EntryPath> directories, PartWriter events) {
    Want[] wants = new Want[look.count()];
    Arrays.fill(wants, Want.BYTES);
    return wants;
  }

  /// Writes the files of a part, whose bytes are as they were sent.
  ///
  /// @param directories as in [dev.zcp.exchange.ReceiverAction.TakePart]
  /// @param level how far the arrival is to be proved
  default PartResult write(
      Part part, List<EntryPath> directories, ByteBuffer bytes, Level level, PartWriter events) {
    throw new IllegalStateException("there are no directories");
  }

  /// What publishes its files, each before another thread may be at it.
  Durability durability();

  /// Completes a directory of which all is over: what it was offered with is given to it.
  ///
  /// @return whether it was made for this session
  /// @throws Failure DESTINATION if that cannot be done
  boolean complete(Offered directory) throws Failure;

  /// Whether [#deleteSurplus] is to be called when all is over and nothing has failed.
  default boolean deletes() {
    return false;
  }

  /// Deletes what the sender does not have of the directories that it has sent.
  ///
  /// @throws Failure if nothing is deleted
  default void deleteSurplus() throws Failure {
    throw new IllegalStateException("there are no directories");
  }

  /// Ends the session, whose landings must all be closed.
  @Override
  void close();
}
