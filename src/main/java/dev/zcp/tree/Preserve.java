package dev.zcp.tree;

/// What of a source besides its bytes its copy is to have.
///
/// @param mode the permission bits with setuid, setgid and sticky; else the permissions less the
///   umask
/// @param owner the owner and the group
/// @param times when it was accessed and modified, to the nanosecond
/// @param xattr the extended attributes: those of `user.`, and as root `trusted.` and `security.`
/// @param acl the POSIX access control lists
/// @param links which names are names of one file
/// @param sparse holes, if the source has them
/// @param newMode whether a new entry has the mode of one that is made anew, 0666 or 0777 less the
///   umask, and nothing of its source's
public record Preserve(
    boolean mode,
    boolean owner,
    boolean times,
    boolean xattr,
    boolean acl,
    boolean links,
    boolean sparse,
    boolean newMode) {

  public Preserve(
      boolean mode,
      boolean owner,
      boolean times,
      boolean xattr,
      boolean acl,
      boolean links,
      boolean sparse) {
    this(mode, owner, times, xattr, acl, links, sparse, false);
  }

  public static final Preserve EVERYTHING = new Preserve(true, true, true, true, true, true, true);

  /// What a copy keeps unasked, as with cp(1).
  public static final Preserve USUAL = new Preserve(false, false, false, false, false, false, true);
}
