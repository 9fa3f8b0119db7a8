package dev.zcp.insight;

/// The steps of a small file that goes through one buffer, as indexes of an array that has the end
/// of each by [System#nanoTime].
public final class FileSteps {

  public static final int BEGUN = 0;
  public static final int OPENED = 1;
  public static final int CREATED = 2;
  public static final int READ = 3;
  public static final int WRITTEN = 4;

  /// The source was seen not to have changed meanwhile.
  public static final int CHECKED = 5;

  public static final int COMPLETED = 6;
  public static final int PUBLISHED = 7;
  public static final int COUNT = 8;

  /// The strategy in whose name such a file moves, and what a report calls its path.
  public static final String STRATEGY = "direct";

  public static final String PATH = "small buffer";

  private FileSteps() {}
}
