package dev.zcp.testing;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Connection;
import dev.zcp.carrier.DataBuffer;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.carrier.SocketCarrier;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.SessionKeys;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.nio.channels.SocketChannel;

/// Connections as they are after a handshake, whose peer is the test.
public final class TestConnection {

  private TestConnection() {}

  public static Connection of(SocketChannel channel, Side self, long stallTimeoutNs)
      throws IOException {
    return of(carrier(channel), self, stallTimeoutNs);
  }

  public static Connection of(Carrier carrier, Side self, long stallTimeoutNs) {
    return of(Key.random(), carrier, self, stallTimeoutNs);
  }

  /// One end; the other one has the same key.
  public static Connection of(Key key, Carrier carrier, Side self, long stallTimeoutNs) {
    byte[] hello = new byte[Hello.BYTES];
    Handshake handshake = new Handshake(key, "sender", hello, "receiver", hello, new byte[0]);
    SessionKeys keys = self == Side.SENDER ? handshake.diallerKeys() : handshake.listenerKeys();
    return new Connection(carrier, PeerTimeout.watch(carrier), self, keys, stallTimeoutNs);
  }

  public static SocketCarrier carrier(SocketChannel channel) throws IOException {
    return new SocketCarrier(channel, DataBuffer.SENDING, 0);
  }
}
