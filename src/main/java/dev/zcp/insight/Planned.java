package dev.zcp.insight;

/// What a dry run says of an entry.
public enum Planned {
  COPY("copy"),
  REPLACE("replace"),
  KEEP("keep"),
  SKIP("skip"),
  MAKE_DIRECTORY("make directory"),
  MAKE_SYMLINK("make symbolic link"),
  MAKE_HARD_LINK("make hard link"),
  MAKE_SPECIAL("make special file");

  private final String label;

  Planned(String label) {
    this.label = label;
  }

  /// As a dry run's lines begin: they are stable, so that scripts may look for them.
  public String label() {
    return label;
  }

  /// As programs read it, in `--json`: one word.
  public String word() {
    return switch (this) {
      case MAKE_DIRECTORY -> "makeDirectory";
      case MAKE_SYMLINK -> "makeSymlink";
      case MAKE_HARD_LINK -> "makeHardLink";
      case MAKE_SPECIAL -> "makeSpecial";
      case COPY, REPLACE, KEEP, SKIP -> label;
    };
  }
}
