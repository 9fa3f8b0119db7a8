package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import dev.zcp.testing.Feeder;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SocketSourceTest extends SourceContract {

  @Override
  protected Source open(byte[] content) throws IOException {
    SocketChannel[] pair = TestRoute.sockets();
    Feeder.feed(content, () -> pair[0]);
    return ChannelEnd.socket(later(pair[1]));
  }

  @Override
  protected boolean ownsItsChannel() {
    return false;
  }

  @Test
  void itIsASocketWithADescriptor() throws IOException {
    Source source = later(open(new byte[1]));
    assertThat(source.traits())
        .isEqualTo(new Route.Traits(Route.Kind.SOCKET, true, false, Route.Traits.NO_DEVICE));
    assertThat(Files.readSymbolicLink(Path.of("/proc/self/fd/" + source.descriptor())).toString())
        .startsWith("socket:");
  }
}
