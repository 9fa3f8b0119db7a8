package dev.zcp.engine;

/// What a user asked of the engine.
///
/// @param strategy the name of a strategy, or [#AUTO]
/// @param chunkBytes the most that one step moves; [#ADAPTIVE] lets the engine choose, [#WHOLE] is
///   one step for the whole file if the kernel allows it
public record Choice(String strategy, long chunkBytes) {

  public static final String AUTO = "auto";
  public static final long ADAPTIVE = 0;
  public static final long WHOLE = Long.MAX_VALUE;

  public static final Choice DEFAULT = new Choice(AUTO, ADAPTIVE);

  public Choice {
    if (chunkBytes < 0) {
      throw new IllegalArgumentException("a chunk of " + chunkBytes + " bytes");
    }
  }

  /// The same in steps of at most `bytesMax`.
  public Choice inPieces(long bytesMax) {
    boolean isSmall = chunkBytes != ADAPTIVE && chunkBytes <= bytesMax;
    return isSmall || bytesMax == WHOLE ? this : new Choice(strategy, bytesMax);
  }

  public boolean isAuto() {
    return strategy.equals(AUTO);
  }
}
