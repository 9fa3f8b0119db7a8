package dev.zcp.bench.plan;

/// By how much the files of an article are made larger or smaller. The sizes of calls stay: they
/// are what an article is about.
///
/// @param factor greater than 0, at most [#FACTOR_MAX]
public record SizeScale(double factor) {

  public static final double FACTOR_MAX = 1000;

  /// No file gets smaller than this: what a run would show of a smaller one is how it begins and
  /// ends. Still small enough that the sizes of one article stay apart at a factor of 0.01.
  static final long BYTES_MIN = 64L << 10;

  /// The sizes of the articles.
  public static final SizeScale FULL = new SizeScale(1);

  public SizeScale {
    if (!isPossible(factor)) {
      throw new IllegalArgumentException("a factor of " + factor);
    }
  }

  public static boolean isPossible(double factor) {
    return factor > 0 && factor <= FACTOR_MAX;
  }

  /// The size for a file that has `articleBytes` in the article, to the nearest byte.
  long bytes(long articleBytes) {
    return Math.max(BYTES_MIN, Math.round(articleBytes * factor));
  }

  /// `note`, and what scaling does to it.
  String note(String note) {
    return factor == 1
        ? note
        : note
            + " Sizes here are "
            + factor
            + " times the article's; its figures are of its own sizes.";
  }
}
