package dev.zcp.wire;

/// What a sender may have besides the bytes, the permissions and the modification times of regular
/// files and directories, and a receiver takes only if its user said so. A set of them travels as
/// the sum of their bits.
public enum Keep {
  LINKS("links", "symbolic links"),
  HARD_LINKS("hardlinks", "hard links"),
  SPECIALS("specials", "FIFOs and devices"),
  MODE("mode", "setuid, setgid and sticky, and modes past the umask"),
  OWNER("owner", "owner and group"),
  XATTR("xattr", "extended attributes"),
  ACL("acl", "access control lists");

  public static final int ALL = (1 << values().length) - 1;

  private final String word;
  private final String label;

  Keep(String word, String label) {
    this.word = word;
    this.label = label;
  }

  /// As the command line has it.
  public String word() {
    return word;
  }

  /// As a message names it.
  public String label() {
    return label;
  }

  public int bit() {
    return 1 << ordinal();
  }

  public boolean isIn(int bits) {
    return (bits & bit()) != 0;
  }

  static void require(int bits) {
    if ((bits & ~ALL) != 0) {
      throw new IllegalArgumentException("unknown kinds 0x" + Integer.toHexString(bits));
    }
  }
}
