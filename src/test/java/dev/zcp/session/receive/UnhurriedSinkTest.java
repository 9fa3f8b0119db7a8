package dev.zcp.session.receive;

import dev.zcp.io.SinkContract;
import dev.zcp.io.StandardStreams;
import dev.zcp.session.link.Pulse;
import dev.zcp.spi.Sink;
import dev.zcp.testing.TestRoute;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class UnhurriedSinkTest extends SinkContract {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private SocketChannel[] pair;
  private Pulse pulse;

  @BeforeEach
  void connect() throws IOException {
    pair = TestRoute.sockets();
    pulse = new Pulse(pair[0]);
  }

  @AfterEach
  void disconnect() throws IOException {
    pulse.close();
    pair[0].close();
    pair[1].close();
  }

  @Override
  protected Sink open() throws IOException {
    out.reset();
    return new UnhurriedSink(new StandardStreams(InputStream.nullInputStream(), out).sink(), pulse);
  }

  @Override
  protected byte[] arrived() {
    return out.toByteArray();
  }

  @Override
  protected boolean ownsItsChannel() {
    return false;
  }
}
