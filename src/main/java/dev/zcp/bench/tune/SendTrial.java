package dev.zcp.bench.tune;

import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sender;
import dev.zcp.session.Surroundings;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/// A file sent to a receiver that keeps nothing, by `zcp send` itself. The protocol's digest proves
/// that the right bytes arrived.
final class SendTrial implements Trial {

  private final RawPath source;
  private final TuneRequest.Target.Peer peer;
  private final Strategies strategies;

  SendTrial(RawPath source, TuneRequest.Target.Peer peer, Strategies strategies) {
    this.source = source;
    this.peer = peer;
    this.strategies = strategies;
  }

  @Override
  public Outcome run(Choice choice) throws Failure {
    TrialEar ear = new TrialEar();
    SendRequest request =
        new SendRequest(
            peer.address(),
            List.of(source),
            choice,
            peer.key(),
            peer.plain(),
            peer.connectTimeoutNs(),
            peer.stallTimeoutNs(),
            true,
            0);
    Sender.send(
        request,
        new Surroundings(
            strategies, InputStream.nullInputStream(), OutputStream.nullOutputStream(), ear));
    return ear.outcome();
  }
}
