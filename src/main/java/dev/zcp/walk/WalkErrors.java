package dev.zcp.walk;

import dev.zcp.core.Failure;

/// Hears of what a walk could not do, and says when it is to end. Any thread may call it.
public interface WalkErrors {

  /// @param label the entry's name
  void tell(Object label, Failure failure);

  /// Whether nothing more is to be tried.
  boolean isOver();

  /// An entry was not tried, since it is over.
  void left();
}
