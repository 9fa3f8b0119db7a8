package dev.zcp.tree;

/// What is done where something is in the way or goes wrong.
///
/// @param existing what to do where the target exists
/// @param backup what becomes of a file that is replaced, or null where it is gone
/// @param writeThroughLinks whether a target that is a link is followed, and not replaced
/// @param onChange what to do about a source that changes while it is read
/// @param strict whether what a target cannot keep of its source is a failure
/// @param inPlace whether a file that exists is written into, and not replaced
public record Policy(
    Existing existing,
    Backup backup,
    boolean writeThroughLinks,
    OnChange onChange,
    boolean strict,
    boolean inPlace) {

  /// Replacing what exists by a new file.
  public Policy(
      Existing existing,
      Backup backup,
      boolean writeThroughLinks,
      OnChange onChange,
      boolean strict) {
    this(existing, backup, writeThroughLinks, onChange, strict, false);
  }

  public static final Policy USUAL =
      new Policy(Existing.REPLACE, null, false, OnChange.RETRY, false);

  /// Whether the user is asked before anything is replaced.
  public boolean asks() {
    return existing == Existing.ASK || existing == Existing.ASK_IF_OLDER;
  }

  public Policy withExisting(Existing other) {
    return new Policy(other, backup, writeThroughLinks, onChange, strict, inPlace);
  }
}
