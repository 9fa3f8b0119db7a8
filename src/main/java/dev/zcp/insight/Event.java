package dev.zcp.insight;

import dev.zcp.core.Failure;
import java.util.List;

/// Something worth telling while a command runs. Names are printable.
public sealed interface Event {

  /// The command begins.
  ///
  /// @param command `copy`, `send` or `receive`
  /// @param strategy the strategy asked for
  /// @param files how many files, or -1 if only the peer knows
  /// @param bytes how many bytes in all, or -1 if that is not known
  /// @param live how far it is, at any later moment
  record Started(String command, String strategy, int files, long bytes, Live live)
      implements Event {}

  /// A receiver waits at `url`, which holds the key.
  record Listening(String url) implements Event {}

  /// A peer has proved that it knows the key.
  record Connected(Link link) implements Event {}

  /// Only for those who hear [each file][Listener#hearsEachFile].
  ///
  /// @param bytes the size, or -1 if it is not known
  record FileStarted(String name, long bytes) implements Event {}

  /// A file is complete and, if it has a name, published. Only for those who hear [each
  /// file][Listener#hearsEachFile].
  record FileDone(String name, long bytes, long elapsedNs, List<Ran> ran, Verified verified)
      implements Event {}

  /// A file failed; others may go on. The failure's message names the file.
  record FileFailed(String name, Failure failure) implements Event {}

  /// It is known now how much there is to do.
  record Counted(long files, long bytes) implements Event {}

  /// A target that was there is left as it is, since that was asked for. Those who do not hear
  /// [each file][Listener#hearsEachFile] are told of a few.
  ///
  /// @param reason a phrase without a full stop
  record Kept(String name, String reason) implements Event {

    /// Of how many at least everyone is told.
    public static final int NAMED_MAX = 5;
  }

  /// An entry is left out.
  ///
  /// @param reason why: a phrase without a full stop
  /// @param summedUp whether a [Declined] counts it too
  record Skipped(String name, String reason, boolean summedUp) implements Event {}

  /// Entries that the receiver does not take.
  ///
  /// @param what of which kind, as a message names several: `symbolic links`
  /// @param entries how many
  /// @param firstName the first of them
  /// @param reason why: a phrase without a full stop
  record Declined(String what, long entries, String firstName, String reason) implements Event {}

  /// What a real run would do.
  ///
  /// @param bytes how many would be moved, or -1 if that is not known or none would be
  record PlanLine(Planned action, String name, String target, long bytes) implements Event {}

  /// Something that targets could not keep of their sources.
  ///
  /// @param what what it is, as a message names it: `owner and group`
  /// @param entries of how many entries
  /// @param firstName the first of them
  /// @param reason why, of the first: a phrase without a full stop
  record Lost(String what, long entries, String firstName, String reason) implements Event {}

  /// The command as a whole failed, for a cause that no [FileFailed] has told.
  record Failed(Failure failure) implements Event {}

  /// Something a user should know that ends nothing: a refused connection, a fall-back.
  record Noted(String message) implements Event {}

  /// The last event.
  record Finished(Result result) implements Event {}

  /// How far a command is, at any moment and from any thread: what would cost too much to tell of
  /// each file, and is asked for ten times a second at most.
  public interface Live {

    /// The bytes that were moved so far; if there is a peer, those that arrived for good.
    long bytesMoved();

    /// How many of them are known to be on the device, or -1 if nobody sees to that.
    long bytesDurable();

    /// The files that are done or have failed so far.
    long filesEnded();

    /// How many files there are, or -1 as long as that is not known.
    long filesAll();

    /// How many bytes there are to move, those that the peer had from before apart, or -1 as long
    /// as that is not known.
    long bytesAll();

    /// The name of the file that has been under way for longest, printable; empty if there is none.
    String current();
  }
}
