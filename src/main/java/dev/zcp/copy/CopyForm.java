package dev.zcp.copy;

/// What the copies are, and under which names.
///
/// @param kind what a file becomes in the target
/// @param parents whether a source goes into the target under its whole path, not its last name
/// @param zerosToHoles whether blocks of zeros become holes, even if the source has none there
public record CopyForm(CopyKind kind, boolean parents, boolean zerosToHoles) {

  public static final CopyForm USUAL = new CopyForm(CopyKind.COPY, false, false);

  /// What an entry that is no directory becomes in the target.
  public enum CopyKind {
    /// A file of its own, with the same bytes.
    COPY,
    /// Another name of the same file: `-l`.
    HARD_LINK,
    /// A symbolic link to the source: `-s`.
    SYMLINK,
    /// The file that is there, or an empty one, with the attributes of the source:
    /// `--attributes-only`.
    ATTRIBUTES;

    public boolean isLink() {
      return this == HARD_LINK || this == SYMLINK;
    }
  }
}
