package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import dev.zcp.place.Durability;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Show;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;

/// Where the bytes of one file come down, in blocks, over any number of connections. Or where one
/// is that is the source's already.
///
/// [#begin], [#verified], [#bytesToKeep] and [#withKept] are called under the lock of its
/// [IncomingEntry]. Several threads may write to [#sink], make a [#hole] and read from [#written]
/// at once, for different spans. The others end it: nobody may be using it then, and the first of
/// them counts.
interface Landing extends Closeable {

  /// Told once what became of a file that was [published][#publish], or found [there][#isThere].
  interface PublishOutcome {

    /// @param reached how far the arrival was proved
    void arrived(Level reached);

    /// It has not got its name and is over; or it has its name, and that could not be forced.
    void failed(Failure failure);
  }

  /// Where a byte of the file is written, once it was [begun][#begin]: at its own offset. To be
  /// left open.
  Sink sink();

  /// What was written, to be read again for its digest. To be left open.
  ///
  /// @return null if nothing can be read again
  Source written();

  /// To be called before the bytes of a block come: what was known of its place before is known no
  /// more.
  ///
  /// @throws Failure DESTINATION if they cannot come
  void begin(Span span) throws Failure;

  /// Makes a hole that was [begun][#begin], or zeros if there can be none, which may take long. It
  /// is [verified][#verified] after that. A stream has none.
  default void hole(Span span) throws IOException {
    throw new IllegalStateException("a hole in a stream");
  }

  /// Bytes are in the file and are what the sender said: should it be interrupted, they need not
  /// come again. Of a stream this writes them.
  ///
  /// @throws IOException if they cannot be written
  void verified(Span span, int crc32c) throws IOException;

  /// Gives the file, of which all bytes are there and fit, what it was offered with, and its name.
  ///
  /// @param ending with status OK
  /// @param level how far the arrival is to be proved. The file fails with INTEGRITY if what was
  ///   written is not what is read again
  /// @param queue publishes it. If it forces files, this one stays in use until that has
  ///   [flushed][Durability.PublicationQueue#flush]
  /// @param outcome told from this thread, before this returns or while the queue is flushed
  void publish(
      Ending ending, Level level, Durability.PublicationQueue queue, PublishOutcome outcome);

  /// Publishes what is there in place of the file, if that is what was shown.
  ///
  /// @param level as of [#publish]
  /// @param outcome told before this returns, unless it returns false
  /// @return false if it is something else, and may be replaced
  default boolean isThere(Show shown, Level level, PublishOutcome outcome) {
    throw new IllegalStateException("nothing is there");
  }

  /// Opens the file to be [put together][#take] from the other version that its answer, BASE, was
  /// about.
  ///
  /// @param again as in [OpenFileCount#enterHeld]
  /// @return false if too many are open, and `again` will be run
  /// @throws Failure as [#begin]
  default boolean openToRebuild(Consumer<Runnable> again) throws IOException, Failure {
    throw new IllegalStateException("no other version is there");
  }

  /// Takes from that version, if it is still there, what it has of these chunks of the file.
  ///
  /// @param room as of [Rebuilding]
  /// @return what is wanted of the file now; null if more chunks are to come
  default Answer take(Chunks chunks, Budget.Share room) throws IOException, Failure {
    throw new IllegalStateException("no other version is there");
  }

  /// How many of its bytes were there from before and were not read again; to be asked once it is
  /// [published][#publish].
  default long bytesBelieved() {
    return 0;
  }

  /// What stays beside the file once it is [published][#publish], and why; null if nothing does.
  default String leftBehind() {
    return null;
  }

  /// How many bytes would be [kept][#keep] now.
  default long bytesToKeep() {
    return 0;
  }

  /// A failure to write it, with what is [kept][#keep] and what it lacked.
  default Failure withKept(Failure failure) {
    return failure;
  }

  /// Ends it without a name. What was [verified][#verified] of it is kept if another session can go
  /// on with it, else nothing is.
  ///
  /// @return how many bytes are kept
  long keep();

  /// Ends it without a name, and nothing is kept.
  void drop();

  /// Frees what it holds, which may take its time if bytes are thrown away: to be called once the
  /// sender was answered. Where it was not ended it is [kept][#keep].
  @Override
  void close();
}
