package dev.zcp.tree;

/// Something that a target could not keep of its sources.
///
/// @param kind what it is
/// @param files of how many entries
/// @param firstName the first of them, printable
/// @param reason why, of the first: a phrase without a full stop
public record Loss(Kind kind, long files, String firstName, String reason) {

  /// Of each kind a user is told once.
  public enum Kind {
    MODE("permissions"),
    OWNER("owner and group"),
    TIMES("times"),
    XATTR("extended attributes"),
    ACL("access control lists"),
    HARD_LINK("hard links");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /// What is lost, as a message names it.
    public String label() {
      return label;
    }
  }
}
