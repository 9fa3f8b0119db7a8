package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Level;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import java.nio.ByteBuffer;
import java.util.List;

/// Where what one session receives comes to be. It refuses to know of connections and frames, of
/// whose turn it is, and of how bytes are moved.
///
/// Any thread may call any method, and several at once for different entries. No method may be
/// called before [#admit], nor while [#close] is at work, nor after it.
///
/// A file that was answered by ALL or REST is this session's until it was [put][#put] or [given
/// up][#forget], or its [Landing] is over: no other session gets at its name meanwhile.
interface Place extends AutoCloseable {

  /// Takes what is to come, as far as that can be told before it comes. May be called again.
  ///
  /// @return bits of [dev.zcp.wire.Keep]: what of `manifest.keeps()` entries will have here
  /// @throws Failure DESTINATION if there is not the room for it, or the user allowed less; it says
  ///   what is missing
  int admit(Manifest manifest) throws Failure;

  /// How far what arrives here can be proved, and no further than to `wanted`.
  ///
  /// @throws Failure DESTINATION if nobody can tell
  Level provable(Level wanted) throws Failure;

  /// How many files may be under way at a time that do not fit a batch: [dev.zcp.wire.Accept].
  int filesMax();

  /// What could not be kept of entries, up to now.
  List<Loss> losses();

  /// How often something that [#admit] told of as kept could not be, up to now.
  long notKept();

  /// What is wanted of an entry. What has no bytes is made by this; of a file that is there
  /// already, all may be read.
  ///
  /// Asked again of an entry that is not over, it gives the same answer. What cannot be taken is
  /// FAILED with the reason.
  ///
  /// @throws java.util.concurrent.CancellationException where the session is over; it throws
  ///   nothing else
  Answer consider(Offered entry);

  /// Takes and publishes a whole file of which nothing came before.
  ///
  /// @param bytes all of it: from the position to the limit, to which the position moves
  /// @param crc32c of these bytes
  /// @param level how far the arrival is to be proved
  /// @return how far it was
  /// @throws Failure if it cannot be had; nothing is left of it, and it is over
  Level put(Offered entry, ByteBuffer bytes, int crc32c, Level level) throws Failure;

  /// Where the bytes of a file come down: the same each time until it is over. Those of one that
  /// was answered by WHOLE replace what is there.
  ///
  /// @throws Failure if there can be none; the file is over then
  Landing landing(Offered entry) throws Failure;

  /// What ends a file of which no byte came: [#landing], but of one that was answered by WHOLE what
  /// is there.
  ///
  /// @throws Failure as [#landing]
  default Landing ending(Offered entry) throws Failure {
    return landing(entry);
  }

  /// Completes a directory of which all is over: what it was offered with is given to it.
  ///
  /// @throws Failure DESTINATION if that cannot be done
  void complete(Offered directory) throws Failure;

  /// Gives an entry up, whatever was answered. Of a file with a landing this is [Landing#keep].
  void forget(Offered entry);

  /// Ends the session: what can be gone on with is kept, all else that was not published is
  /// deleted, and no name is this session's any more.
  @Override
  void close();
}
