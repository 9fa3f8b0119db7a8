package dev.zcp.session;

import dev.zcp.carrier.Connection;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.Event.Link;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A session that nobody works for: a connection is lost as soon as it is served.
final class IdleSession implements PeerSession {

  private final SessionConnections<Integer> connections = new SessionConnections<>(CONNECTIONS_MAX);

  private final List<String> notes = new CopyOnWriteArrayList<>();

  private volatile long idleNs;

  @Override
  public SessionConnections<?> connections() {
    return connections;
  }

  @Override
  public long idleNs() {
    return idleNs;
  }

  void idle(long ns) {
    idleNs = ns;
  }

  @Override
  public boolean giveWay() {
    return connections.end(null);
  }

  @Override
  public Failure serve(int number, Connection connection, Link link) {
    connections.up(number);
    Failure loss = Failure.of(ExitCode.NETWORK, "peer", "a loss");
    connections.down(number, loss);
    return loss;
  }

  @Override
  public void leave() {
    connections.leave();
  }

  @Override
  public void note(String message) {
    notes.add(message);
  }

  @Override
  public void fail(Failure cause) {
    connections.end(cause);
  }

  @Override
  public void lose(Failure cause) {
    fail(cause);
  }

  @Override
  public void forget(Failure cause) {
    fail(cause);
  }

  @Override
  public int connectionsMax() {
    return CONNECTIONS_MAX;
  }

  @Override
  public boolean isAgreed() {
    return true;
  }

  @Override
  public long bytesDone() {
    return 0;
  }

  @Override
  public long bytesAll() {
    return -1;
  }

  @Override
  public long progress() {
    return 0;
  }

  @Override
  public String whatIsKept() {
    return "nothing is kept";
  }
}
