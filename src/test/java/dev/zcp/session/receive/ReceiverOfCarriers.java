package dev.zcp.session.receive;

import dev.zcp.carrier.Acceptor;
import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Address;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.secure.Key;
import dev.zcp.session.Admission;
import dev.zcp.session.Flow;
import dev.zcp.session.HelloTerms;
import dev.zcp.session.ListeningEnd;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.PeerSession;
import dev.zcp.session.Peering;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.Sessions;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.wire.RoomThere;
import dev.zcp.wire.Side;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// A receiver in this process that takes one session, over whatever connections it is handed.
public final class ReceiverOfCarriers implements Acceptor {

  /// Empty at the end.
  private final LinkedBlockingQueue<Optional<Carrier>> coming = new LinkedBlockingQueue<>();

  public void hand(Carrier carrier) {
    coming.add(Optional.of(carrier));
  }

  @Override
  public Carrier accept() throws ClosedChannelException {
    try {
      return coming.take().orElseThrow(ClosedChannelException::new);
    } catch (InterruptedException e) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public void close() {
    coming.add(Optional.empty());
  }

  /// Files are replaced that are there in another version.
  public Result receive(Path inbox, Key key, Flow flow, Listener listener) throws Exception {
    RawPath directory = RawPath.of(inbox);
    ReceiveRequest request =
        new ReceiveRequest(
            new Peering(
                new PeerEndpoint.Listen(Address.parse("127.0.0.1:1"), true),
                null,
                Address.Scheme.UNSAID,
                flow),
            directory,
            Choice.DEFAULT,
            new Admission(
                Existing.REPLACE,
                0,
                null,
                ResumeVerify.ALL,
                Admission.UNLIMITED,
                Admission.UNLIMITED,
                false));
    Engine engine = new Engine(Strategies.load(List.of()), Choice.DEFAULT);
    try (TargetDirectory target = TargetDirectory.open(directory)) {
      ReceiverContext context = context(request, engine, target, listener);
      Sessions sessions =
          new Sessions(
              (first, whenClosed) ->
                  new ReceivingSession(
                      context, first.peer(), PeerSession.CONNECTIONS_MAX, whenClosed),
              true,
              true);
      HelloTerms hello = new HelloTerms(false, () -> RoomThere.UNSAID);
      ListeningEnd.ListeningTerms terms =
          new ListeningEnd.ListeningTerms(Side.RECEIVER, key, hello, flow.stallTimeoutNs());
      try (ListeningEnd end = new ListeningEnd(this, terms, sessions, listener)) {
        return end.serve();
      }
    }
  }

  private static ReceiverContext context(
      ReceiveRequest request, Engine engine, TargetDirectory target, Listener listener) {
    ReceiverContext.PlaceFactory places =
        session -> target.begin(request.admission(), session.takeover(), session::goesOn);
    return new ReceiverContext(
        request,
        engine,
        new AtomicInteger(),
        places,
        ReceivingWorkers::new,
        new PartBuffers(),
        new Allowance(request.admission()),
        new RateLimit(0),
        listener);
  }
}
