package dev.zcp.session.receive;

import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Address;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.session.Admission;
import dev.zcp.session.Flow;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.testing.IdleStrategy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The means of a receiver that receives nothing: it has no place for files.
final class TestMeans {

  private TestMeans() {}

  static ReceiverContext of(ReceivingWorkers workers) throws Exception {
    ReceiveRequest request =
        new ReceiveRequest(
            new Peering(
                new PeerEndpoint.Listen(Address.parse("127.0.0.1:1"), true),
                null,
                Address.Scheme.UNSAID,
                Flow.of(1, 1)),
            RawPath.of("."),
            Choice.DEFAULT,
            Admission.USUAL);
    Engine engine = new Engine(Strategies.of(List.of(new IdleStrategy())), Choice.DEFAULT);
    return new ReceiverContext(
        request,
        engine,
        new AtomicInteger(),
        _ -> null,
        () -> workers,
        new PartBuffers(),
        new Allowance(request.admission()),
        new RateLimit(0),
        _ -> {});
  }
}
