package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.carrier.PeerTimeout;
import dev.zcp.carrier.Watchdog;
import dev.zcp.linux.SinkContract;
import dev.zcp.linux.StandardStreams;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestEnds;
import dev.zcp.testing.TestRoute;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnhurriedSinkTest extends SinkContract {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private SocketChannel[] pair;
  private PeerTimeout timeout;

  @BeforeEach
  void connect() throws IOException {
    pair = TestRoute.sockets();
    timeout = new Watchdog().watch(TestConnection.carrier(pair[0]));
  }

  @AfterEach
  void disconnect() throws IOException {
    timeout.close();
    pair[0].close();
    pair[1].close();
  }

  @Override
  protected Sink open() throws IOException {
    out.reset();
    return new UnhurriedSink(
        new StandardStreams(InputStream.nullInputStream(), out).sink(), timeout);
  }

  @Override
  protected byte[] arrived() {
    return out.toByteArray();
  }

  @Override
  protected boolean ownsItsChannel() {
    return false;
  }

  /// Or the kernel would wait for the reader behind the back of the watch.
  @Test
  void nobodySeesADescriptorOfTheStreamBehindIt() throws Exception {
    Pipe pipe = Pipe.open();
    try (Sink stream = TestEnds.channelSink(Route.Kind.PIPE, pipe.sink());
        Sink unhurried = new UnhurriedSink(stream, timeout)) {
      assertThat(stream.traits().hasDescriptor()).isTrue();
      assertThat(unhurried.traits())
          .isEqualTo(new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE));
      assertThat(unhurried.descriptor()).isNegative();
      WritableByteChannel channel = unhurried.channel();
      assertThat(channel.write(ByteBuffer.wrap(new byte[] {1, 2}))).isEqualTo(2);
      ByteBuffer arrived = ByteBuffer.allocate(2);
      while (arrived.hasRemaining()) {
        pipe.source().read(arrived);
      }
      assertThat(arrived.array()).containsExactly(1, 2);
    } finally {
      pipe.source().close();
    }
  }
}
