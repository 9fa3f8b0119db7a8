package dev.zcp.carrier;

import dev.zcp.testing.TestConnection;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.nio.channels.SocketChannel;

class SocketCarrierTest extends CarrierContract {

  @Override
  Carrier[] pair() throws IOException {
    SocketChannel[] pair = TestRoute.sockets();
    return new Carrier[] {TestConnection.carrier(pair[0]), TestConnection.carrier(pair[1])};
  }
}
