package dev.zcp.report;

import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.SessionName;
import java.util.List;

/// Passes each event to several listeners, in their order. Any thread may call it: one event is
/// passed to all before the next is.
public final class Listeners implements Listener {

  private final List<Listener> listeners;

  public Listeners(List<Listener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  @Override
  public void on(Event event) {
    on(event, null);
  }

  @Override
  public synchronized void on(Event event, SessionName session) {
    for (Listener listener : listeners) {
      listener.on(event, session);
    }
  }

  @Override
  public synchronized void requireHeard() throws Failure {
    for (Listener listener : listeners) {
      listener.requireHeard();
    }
  }

  @Override
  public boolean hearsEachFile() {
    for (Listener listener : listeners) {
      if (listener.hearsEachFile()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int worstWanted() {
    int most = 0;
    for (Listener listener : listeners) {
      most = Math.max(most, listener.worstWanted());
    }
    return most;
  }

  @Override
  public boolean wantsTotals() {
    for (Listener listener : listeners) {
      if (listener.wantsTotals()) {
        return true;
      }
    }
    return false;
  }
}
