package dev.zcp.bench.tune;

import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.Surroundings;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import dev.zcp.session.SendRequest;
import dev.zcp.session.send.Sender;
import java.io.InputStream;
import java.io.OutputStream;

/// A file sent to a receiver that keeps nothing, by `zcp send` itself. The protocol's digest proves
/// that the right bytes arrived.
final class SendTrial implements Trial {

  private static final long CONNECT_NS_MAX = 3_000_000_000L;
  private static final long STALL_NS_MAX = 30_000_000_000L;

  private final RawPath source;
  private final Address address;
  private final KeySource key;
  private final Strategies strategies;

  SendTrial(RawPath source, Address address, KeySource key, Strategies strategies) {
    this.source = source;
    this.address = address;
    this.key = key;
    this.strategies = strategies;
  }

  @Override
  public Outcome run(Choice choice) throws Failure {
    TrialEar ear = new TrialEar();
    SendRequest request =
        SendRequest.trial(address, source, choice, key, Flow.of(CONNECT_NS_MAX, STALL_NS_MAX));
    Sender.send(
        request,
        new Surroundings(
            strategies, InputStream.nullInputStream(), OutputStream.nullOutputStream(), ear));
    return ear.outcome();
  }
}
