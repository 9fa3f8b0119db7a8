package dev.zcp.tree;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import java.util.List;

/// What to do if something is in the way or goes wrong.
///
/// @param existing what to do if the target exists
/// @param backup what becomes of a file that is replaced, or null if it is deleted
/// @param writeThroughLinks whether a target that is a link is followed, and not replaced
/// @param onChange what to do about a source that changes while it is read
/// @param strict whether what a target cannot keep of its source is a failure
/// @param inPlace whether a file that exists is written into, and not replaced
/// @param remove whether the target is replaced whatever it is: a device, a FIFO, or another name
///   of the source
/// @param force whether a file may be copied onto itself, if there is a backup of it
/// @param skipSame whether a target stays if its size and modification time are those of the source
/// @param resumes whether a large file that was interrupted is gone on with
/// @param formerCopies trees whose files an unchanged source becomes another name of: see
///   [dev.zcp.place.FormerCopies]
public record Policy(
    Existing existing,
    Backup backup,
    boolean writeThroughLinks,
    OnChange onChange,
    boolean strict,
    boolean inPlace,
    boolean remove,
    boolean force,
    boolean skipSame,
    boolean resumes,
    List<RawPath> formerCopies) {

  public Policy {
    formerCopies = List.copyOf(formerCopies);
  }

  /// Replacing what exists by a new file.
  public Policy(
      Existing existing,
      Backup backup,
      boolean writeThroughLinks,
      OnChange onChange,
      boolean strict) {
    this(
        existing,
        backup,
        writeThroughLinks,
        onChange,
        strict,
        false,
        false,
        false,
        false,
        true,
        List.of());
  }

  public static final Policy USUAL =
      new Policy(Existing.REPLACE, null, false, OnChange.RETRY, false);

  /// The same policy that also keeps what has the size and the time of its source: `--skip-same`.
  public Policy withSkipSame() {
    return withSkipSame(formerCopies);
  }

  /// The same policy with names of former copies for what has not changed. Then what has the size
  /// and the time of its source is not copied, either.
  public Policy withFormerCopies(List<RawPath> trees) {
    return trees.isEmpty() ? this : withSkipSame(trees);
  }

  private Policy withSkipSame(List<RawPath> trees) {
    return new Policy(
        existing,
        backup,
        writeThroughLinks,
        onChange,
        strict,
        inPlace,
        remove,
        force,
        true,
        resumes,
        trees);
  }

  /// Whether a file of the target may be a name of a former copy, which stays as it is.
  public boolean isFormerCopy(FileStatus existing) {
    return !formerCopies.isEmpty() && existing.links() > 1;
  }

  /// What to do with a file that already has the final name. The first three go over the wire by
  /// their ordinals.
  public enum Existing {
    /// Replace it by the complete new file.
    REPLACE,
    /// Leave it and count the source as done: `cp -n`.
    KEEP,
    /// Replace it if the source was modified later, else leave it: `cp -u`.
    OLDER,
    /// Leave it and fail: the way of `receive`.
    REFUSE,
    /// Replace it if the user consents, else leave it: `cp -i`.
    ASK,
    /// Replace it if the source was modified later and the user consents: `cp -ui`.
    ASK_IF_OLDER
  }

  /// What becomes of a file that is replaced.
  ///
  /// @param numbered when it becomes `NAME.~1~`, `NAME.~2~` and so on, and not `NAME` plus `suffix`
  /// @param suffix for its name, such as `~`
  public record Backup(Numbered numbered, String suffix) {}

  /// When a backup gets a number.
  public enum Numbered {
    NEVER,
    /// If there is a `NAME.~1~` already.
    IF_BEGUN,
    ALWAYS
  }

  /// Entries of a target directory are deleted if the source directory that is merged into it does
  /// not have them.
  ///
  /// @param entriesMax if more entries than this would be deleted, none is
  public record Deleting(long entriesMax) {

    public static final long UNLIMITED = Long.MAX_VALUE;

    /// @param found how many entries would be deleted
    /// @throws Failure SOME_FAILED if they are too many
    public void require(Object target, long found) throws Failure {
      if (found > entriesMax) {
        throw Failure.of(
                ExitCode.SOME_FAILED,
                target,
                found + " would be deleted, and --max-delete is " + entriesMax)
            .with("nothing was deleted");
      }
    }
  }

  /// What is done about a source that somebody writes to while it is read.
  public enum OnChange {
    /// The file fails.
    FAIL,
    /// It is read once more, and fails if it changes again.
    RETRY,
    /// What was read is published, and said to be no single state of the source.
    ACCEPT
  }
}
