package dev.zcp.engine;

/// The strategy asked for cannot serve the route, or will not go on.
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String strategy;
  private final String reason;
  private final String alternative;
  private final long offset;

  /// A refusal before the first byte.
  RefusedException(String strategy, String reason, String alternative) {
    this(strategy, reason, alternative, 0);
  }

  RefusedException(String strategy, String reason, String alternative, long offset) {
    super(strategy + ": " + reason);
    this.strategy = strategy;
    this.reason = reason;
    this.alternative = alternative;
    this.offset = offset;
  }

  public String strategy() {
    return strategy;
  }

  /// Why, in words for the user.
  public String reason() {
    return reason;
  }

  /// The name of a strategy that could serve the route, [Choice#AUTO] if only trying tells which
  /// one can, or empty if none is left.
  public String alternative() {
    return alternative;
  }

  /// The offset of the first byte that did not arrive, in bytes; 0 if nothing was moved.
  public long offset() {
    return offset;
  }
}
