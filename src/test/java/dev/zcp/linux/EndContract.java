package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.Route;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;

/// What sources and sinks keep alike.
abstract class EndContract {

  private final Deque<Closeable> opened = new ArrayDeque<>();

  /// Whether closing the end closes its channel.
  protected abstract boolean ownsItsChannel();

  /// Closes `resource` after the test, whatever becomes of it.
  final <T extends Closeable> T later(T resource) {
    opened.push(resource);
    return resource;
  }

  @AfterEach
  void closeAll() throws IOException {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  /// Only a seekable end has a file behind it.
  static void assertFits(Route.Traits traits, Channel channel) {
    if (traits.seekable()) {
      assertThat(channel).isInstanceOf(FileChannel.class);
      assertThat(traits.device()).isNotEqualTo(Route.Traits.NO_DEVICE);
    } else {
      assertThat(traits.device()).isEqualTo(Route.Traits.NO_DEVICE);
    }
    assertThat(traits.encrypted()).isFalse();
    assertThat(channel.isOpen()).isTrue();
  }
}
