package dev.zcp.cli;

/// The version of this program. A constant costs nothing at start-up, unlike a resource or the
/// jar's manifest; a test compares it with `pom.xml`.
public final class Version {

  public static final String NUMBER = "0.1.0";

  /// What `--version` prints.
  public static final String LINE = "zcp " + NUMBER;

  private Version() {}
}
