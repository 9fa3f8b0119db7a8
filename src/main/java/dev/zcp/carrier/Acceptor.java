package dev.zcp.carrier;

import dev.zcp.core.Failure;
import java.io.Closeable;
import java.io.IOException;

public interface Acceptor extends Closeable {

  /// Waits for the next one.
  ///
  /// @throws java.nio.channels.ClosedChannelException if this was closed, by any thread
  /// @throws Failure if the connection that came cannot be used as it was asked for
  Carrier accept() throws IOException, Failure;
}
