package dev.zcp.insight;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Prose;
import dev.zcp.insight.Result.Ran;
import java.util.List;
import java.util.function.Supplier;

/// Something worth telling while a command runs. Names are printable.
public sealed interface Event {

  /// The command begins.
  ///
  /// @param command `copy`, `send` or `receive`
  /// @param strategy the strategy asked for
  /// @param files how many files, or -1 if only the peer knows
  /// @param bytes how many bytes in all, or -1 if that is not known
  /// @param live tells any thread how far it is, at any later moment
  record Started(String command, String strategy, int files, long bytes, Supplier<Live> live)
      implements Event {}

  /// This end waits at `url`, which holds the key.
  ///
  /// @param command what to type at the other end
  /// @param hosts the addresses by which this end can be reached, the one in `url` first
  /// @param isLocal whether only this machine can reach it
  /// @param details what else a person must know to use the URL, a line each
  record Listening(
      String url, String command, List<String> hosts, boolean isLocal, List<String> details)
      implements Event {

    public Listening(String url, String command, List<String> hosts, boolean isLocal) {
      this(url, command, hosts, isLocal, List.of());
    }
  }

  /// A peer has proved that it knows the key.
  record Connected(Link link) implements Event {}

  /// One of very many, only for those who hear [each file][Listener#hearsEachFile].
  sealed interface OfEntry extends Event {
    String name();
  }

  /// A file begins.
  ///
  /// @param bytes the size, or -1 if it is not known
  record FileStarted(String name, long bytes) implements OfEntry {}

  /// A file is complete and, if it has a name, published.
  record FileDone(String name, long bytes, long elapsedNs, List<Ran> ran, Level verified)
      implements OfEntry {}

  /// A file failed; others may go on. The failure's message names the file.
  record FileFailed(String name, Failure failure) implements Event {}

  /// It is known now how much there is to do.
  record Counted(long files, long bytes) implements Event {}

  /// A target that was there is left as it is, since that was asked for.
  ///
  /// @param reason a phrase without a full stop
  record Kept(String name, String reason) implements OfEntry {}

  /// A file, a directory or a link of a copy on this machine is there under its name.
  record Placed(String name, String target) implements OfEntry {}

  /// An entry of the target was deleted, since the source does not have it.
  record Deleted(String name) implements OfEntry {}

  /// An entry is left out.
  ///
  /// @param reason why: a phrase without a full stop
  /// @param summedUp whether a [Declined] counts it too; then it is told only to those who hear
  ///   [each file][Listener#hearsEachFile]
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
  /// @param isUsual whether it is so in every run of this user, who need not hear it each time
  record Lost(String what, long entries, String firstName, String reason, boolean isUsual)
      implements Event {

    /// One that a user should hear of.
    public Lost(String what, long entries, String firstName, String reason) {
      this(what, entries, firstName, reason, false);
    }

    /// `owner and group of 123 entries not kept: not permitted (the first: a/b)`.
    public String sentence() {
      return entries == 1
          ? firstName + ": " + what + " not kept: " + reason
          : what
              + " of "
              + Prose.grouped(entries)
              + " entries not kept: "
              + reason
              + " (the first: "
              + firstName
              + ")";
    }
  }

  /// The command as a whole failed, for a cause that no [FileFailed] has told.
  record Failed(Failure failure) implements Event {}

  /// Something a user should know that ends nothing: a refused connection, a fall-back.
  ///
  /// @param isUsual as [Lost] has it
  record Noted(String message, boolean isUsual) implements Event {

    /// One that a user should hear of.
    public Noted(String message) {
      this(message, false);
    }
  }

  /// A signal ends the command.
  ///
  /// @param message what is kept, and what to do
  record Interrupted(String message) implements Event {}

  /// The last event.
  ///
  /// @param endedMs when it ended, in milliseconds since 1970
  record Finished(Result result, long endedMs) implements Event {

    /// One that ends now.
    public Finished(Result result) {
      this(result, System.currentTimeMillis());
    }
  }

  /// Which session an event is of.
  ///
  /// @param number from 1 on, in the order in which the sessions of this process began
  /// @param peer the other end, printable
  record SessionName(int number, String peer) {}

  /// How far a command is. It would cost too much to tell of each file, so it is asked for, ten
  /// times a second at most.
  ///
  /// @param bytesMoved so far; if there is a peer, those that arrived for good
  /// @param bytesDurable how many of them are known to be on the device, or -1 if nobody sees to
  ///   that
  /// @param bytesCarried if there is a peer, what this end sent or received so far; else -1
  /// @param filesEnded those that are done or have failed
  /// @param filesAll how many files there are, or -1 as long as that is not known
  /// @param bytesAll how many bytes there are to move, those that the peer had from before apart,
  ///   or -1 as long as that is not known
  /// @param current the name of the file that has been under way for longest, printable; empty if
  ///   there is none
  public record Live(
      long bytesMoved,
      long bytesDurable,
      long bytesCarried,
      long filesEnded,
      long filesAll,
      long bytesAll,
      String current) {}

  /// What a dry run says of an entry.
  public enum Planned {
    COPY("copy"),
    REPLACE("replace"),
    COPY_ATTRIBUTES("copy attributes", "copyAttributes"),
    CORRECT_ATTRIBUTES("correct attributes", "correctAttributes"),
    KEEP("keep"),
    SKIP("skip"),
    MAKE_DIRECTORY("make directory", "makeDirectory"),
    MAKE_SYMLINK("make symbolic link", "makeSymlink"),
    MAKE_HARD_LINK("make hard link", "makeHardLink"),
    MAKE_SPECIAL("make special file", "makeSpecial"),
    DELETE("delete");

    private final String label;
    private final String word;

    Planned(String label) {
      this(label, label);
    }

    Planned(String label, String word) {
      this.label = label;
      this.word = word;
    }

    /// As a dry run's lines begin: they are stable, so that scripts may look for them.
    public String label() {
      return label;
    }

    /// As programs read it, in `--json`: one word.
    public String word() {
      return word;
    }
  }

  /// Hears the events of a command, one at a time, in order. Must not throw.
  @FunctionalInterface
  public interface Listener {

    void on(Event event);

    /// As [#on(Event)]. To whom sessions are all alike, as to a person whom messages tell the peer,
    /// it need not be heard.
    ///
    /// @param session null if the event is of none
    default void on(Event event, SessionName session) {
      on(event);
    }

    /// Makes sure that what it was told has been written.
    ///
    /// @throws Failure DESTINATION if it could not be
    default void requireHeard() throws Failure {}

    /// Whether it wants each [Event.OfEntry]: a tree has a million of them, and if nobody listens
    /// they are not made. Must not change.
    default boolean hearsEachFile() {
      return true;
    }

    /// Of how many of the slowest operations it wants to know what they were. Must not change.
    default int worstWanted() {
      return 0;
    }

    /// Whether to count early how much there is to do, which takes some work: only a person who
    /// watches wants that. Must not change.
    default boolean wantsTotals() {
      return false;
    }
  }

  /// A connection to a peer that has proved the key.
  ///
  /// @param peer the other end, printable
  /// @param discards whether the receiving end throws away what it takes
  /// @param encryptedBy what encrypts what is said, such as `ssh`; empty if nothing does
  /// @param buffer the kernel's buffer on this end, as the connection began
  public record Link(String peer, boolean discards, String encryptedBy, SocketBuffer buffer) {

    public boolean isEncrypted() {
      return !encryptedBy.isEmpty();
    }

    /// The kernel's buffer of a socket, on the way that data takes: socket(7).
    ///
    /// @param option `SO_SNDBUF` or `SO_RCVBUF`
    /// @param askedBytes what was asked for, or 0 if the kernel tunes the buffer by itself
    /// @param givenBytes what getsockopt(2) says of it, which is twice what the kernel took: the
    ///   other half is for its own bookkeeping
    /// @param sysctl the setting that limits what the kernel takes
    public record SocketBuffer(String option, int askedBytes, long givenBytes, String sysctl) {

      public boolean isAsked() {
        return askedBytes > 0;
      }

      public boolean isCapped() {
        return isAsked() && takenBytes() < askedBytes;
      }

      String whyCapped() {
        return "--socket-buffer: the kernel took "
            + new ByteSize(takenBytes())
            + " of the "
            + new ByteSize(askedBytes)
            + " asked for ("
            + sysctl
            + " is its limit)";
      }

      private long takenBytes() {
        return givenBytes / 2;
      }
    }
  }
}
