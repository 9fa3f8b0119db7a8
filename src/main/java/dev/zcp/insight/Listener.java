package dev.zcp.insight;

/// Hears the events of a command, one at a time, in order. Must not throw.
@FunctionalInterface
public interface Listener {
  void on(Event event);
}
