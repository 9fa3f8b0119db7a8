package dev.zcp.engine;

/// The strategy asked for cannot serve the route, or will not go on.
public final class RefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String strategy;
  private final String reason;
  private final String alternative;

  RefusedException(String strategy, String reason, String alternative) {
    super(strategy + ": " + reason);
    this.strategy = strategy;
    this.reason = reason;
    this.alternative = alternative;
  }

  public String strategy() {
    return strategy;
  }

  /// Why, in words for the user.
  public String reason() {
    return reason;
  }

  /// The name of a strategy that could serve the route, or empty where none is known.
  public String alternative() {
    return alternative;
  }
}
