package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.carrier.PipeCarrier;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Result;
import dev.zcp.linux.StandardStreams;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.Randomness;
import dev.zcp.session.Admission;
import dev.zcp.session.Flow;
import dev.zcp.session.Greeting;
import dev.zcp.session.HelloTerms;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.ServedPipe;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An end that another one has started, over pipes.
@Timeout(60)
class ServedPipeTest {

  private static final Key KEY = Key.random();
  private static final long PATIENCE_NS = 20_000_000_000L;

  @TempDir Path inbox;

  private final List<Event> events = new CopyOnWriteArrayList<>();

  @Test
  void aPeerThatDiesBeforeItIsWelcomedLeavesNobodyWaiting() throws Exception {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    OutputStream answers =
        new EndingOutput(
            Channels.newOutputStream(back.sink()), Hello.BYTES + Handshake.PROOF_BYTES);
    CompletableFuture<Result> ended =
        CompletableFuture.supplyAsync(
            () -> serve(new StandardStreams(Channels.newInputStream(there.source()), answers)));
    StandardStreams own =
        new StandardStreams(
            Channels.newInputStream(back.source()), Channels.newOutputStream(there.sink()));
    Carrier carrier = new PipeCarrier(own, "the receiver", new Unnoticed(), false);
    try (PeerTimeout timeout = PeerTimeout.watch(carrier)) {
      new Greeting(carrier, Side.SENDER, "the receiver", timeout, HelloTerms.ofSender(false))
          .asDialler(() -> KEY, Bytes.of(Randomness.bytes(Hello.SESSION_ID_BYTES)), 0);
    }
    there.sink().close();
    Result result = ended.get(30, TimeUnit.SECONDS);
    assertThat(result.exitCode()).as(events.toString()).isEqualTo(ExitCode.NETWORK);
  }

  private Result serve(StandardStreams streams) {
    try {
      Address address = Address.parse("zcp+plain://" + KEY.text() + "@127.0.0.1:1");
      PeerEndpoint served = new PeerEndpoint.Served(address, new ServedPipe(streams, "the sender"));
      ReceiveRequest request =
          new ReceiveRequest(
              Peering.of(served, Flow.of(PATIENCE_NS, PATIENCE_NS)),
              RawPath.of(inbox),
              Choice.DEFAULT,
              Admission.USUAL);
      return Receiver.receive(
          request,
          new CommandEnvironment(
              Strategies.load(List.of()), streams.in(), streams.out(), events::add));
    } catch (IOException | Failure e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Unnoticed implements PipeCarrier.PipeLife {

    @Override
    public void cut() {}

    @Override
    public void closed() {}
  }

  /// Takes so many bytes, and fails then, as a pipe does that nobody reads any more.
  private static final class EndingOutput extends OutputStream {

    private final OutputStream out;
    private int left;

    EndingOutput(OutputStream out, int left) {
      this.out = out;
      this.left = left;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      left -= length;
      if (left < 0) {
        throw new IOException("Broken pipe");
      }
      out.write(bytes, offset, length);
      out.flush();
    }
  }
}
