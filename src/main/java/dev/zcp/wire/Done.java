package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;

/// The last word of a side in its session, said on one connection. A session that ends without the
/// peer's has failed, whatever TCP says. The sender's comes when everything is over, or early, when
/// all was sent; the receiver's answers it. Who gives up says it at any time, with the code.
///
/// @param exitCode what this end tells its shell
/// @param entries how many entries are over, and well
/// @param bytes the sum of the sizes of the regular files among them
/// @param level how far this end has proved the arrival of all files among them: what was agreed
///   on, or less. Neither end may tell its user of more than the other says here
/// @param digest over all of these, the same at both ends: [Limits#TREE_DIGEST_BYTES] bytes
/// @param text the first cause of a failure, in words for the user; cut if it is longer than
///   [Limits#TEXT_BYTES_MAX]. From a peer it may hold any character
/// @param isEarly whether it counts all that is under way as over and well. The receiver answers it
///   if that comes true
/// @param lacksNames whether entries of this end, the sender, vanished before they were offered:
///   what has their names at the receiver is not surplus
/// @param tally what this end, the receiver, did besides; [Tally#NONE] from a sender
/// @param timings what this end has measured so far
public record Done(
    ExitCode exitCode,
    long entries,
    long bytes,
    Level level,
    Bytes digest,
    String text,
    boolean isEarly,
    boolean lacksNames,
    Tally tally,
    Timings timings)
    implements Frame {

  /// What a receiver did besides taking bytes.
  ///
  /// @param losses how often it could not keep what it took of an entry besides its bytes
  /// @param losesOwners whether it did not take owners, and some were not its own
  /// @param losesAsUser whether all losses are owners, which only root can give
  /// @param deletions how many entries it has deleted since the sender did not have them
  /// @param corrections how many entries were there, stayed, and got metadata
  public record Tally(
      long losses, boolean losesOwners, boolean losesAsUser, long deletions, long corrections) {

    public static final Tally NONE = new Tally(0, false, false, 0, 0);

    public Tally {
      Limits.requireSize(losses);
      Limits.requireSize(deletions);
      Limits.requireSize(corrections);
    }

    public boolean isNone() {
      return losses + deletions + corrections == 0 && !losesOwners && !losesAsUser;
    }
  }

  static final int EARLY = 1;

  static final int OWNERS = 2;

  static final int AS_USER = 4;

  static final int LACKS_NAMES = 8;

  /// The payload before the text.
  static final int FIXED_BYTES = 44 + Limits.TREE_DIGEST_BYTES;

  public Done {
    Limits.requireSize(entries);
    Limits.requireSize(bytes);
    digest.require(Limits.TREE_DIGEST_BYTES, "the digest");
    text = Text.capped(text);
  }

  /// One of an end that lost and deleted nothing, without timings.
  public Done(
      ExitCode exitCode,
      long entries,
      long bytes,
      Level level,
      Bytes digest,
      String text,
      boolean isEarly) {
    this(exitCode, entries, bytes, level, digest, text, isEarly, false, Tally.NONE, Timings.NONE);
  }

  /// Whether the session ends by it without that this end gives up.
  public boolean isWell() {
    return exitCode == ExitCode.OK
        || exitCode == ExitCode.SOME_FAILED
        || exitCode == ExitCode.VANISHED;
  }

  public Done with(Timings measured) {
    return new Done(
        exitCode, entries, bytes, level, digest, text, isEarly, lacksNames, tally, measured);
  }

  /// The same word of a receiver.
  public Done with(Tally ofReceiver) {
    return new Done(
        exitCode, entries, bytes, level, digest, text, isEarly, lacksNames, ofReceiver, timings);
  }

  /// The same word of a sender that could not offer all by name.
  public Done lackingNames() {
    return new Done(exitCode, entries, bytes, level, digest, text, isEarly, true, tally, timings);
  }
}
