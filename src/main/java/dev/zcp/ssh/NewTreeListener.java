package dev.zcp.ssh;

import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.SessionName;

/// Hears of a copy of a directory to a new name, which the same command again would copy into that:
/// so whoever interrupts it is told what to add.
record NewTreeListener(Listener listener) implements Listener {

  private static Event withAdvice(Event event) {
    return event instanceof Event.Interrupted interrupted
        ? new Event.Interrupted(interrupted.message() + " (add -T: the target exists now)")
        : event;
  }

  @Override
  public void on(Event event) {
    listener.on(withAdvice(event));
  }

  @Override
  public void on(Event event, SessionName session) {
    listener.on(withAdvice(event), session);
  }

  @Override
  public void requireHeard() throws Failure {
    listener.requireHeard();
  }

  @Override
  public boolean hearsEachFile() {
    return listener.hearsEachFile();
  }

  @Override
  public int worstWanted() {
    return listener.worstWanted();
  }

  @Override
  public boolean wantsTotals() {
    return listener.wantsTotals();
  }
}
