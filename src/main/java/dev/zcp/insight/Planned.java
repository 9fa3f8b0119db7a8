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

  public String label() {
    return label;
  }
}
