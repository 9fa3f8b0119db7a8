package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.spi.Route;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileChannelSourceTest extends SourceContract {

  @TempDir Path dir;

  @Override
  protected Source open(byte[] content) throws IOException {
    Path path = Files.write(dir.resolve("source"), content);
    return ChannelEnd.file(FileChannel.open(path, StandardOpenOption.READ), 5);
  }

  @Override
  protected boolean ownsItsChannel() {
    return true;
  }

  @Test
  void itIsAFileWithADescriptorOnItsDevice() throws IOException {
    Source source = later(open(new byte[1]));
    assertThat(source.traits()).isEqualTo(new Route.Traits(Route.Kind.FILE, true, false, 5));
    assertThat(Files.readSymbolicLink(Path.of("/proc/self/fd/" + source.descriptor())))
        .isEqualTo(dir.toRealPath().resolve("source"));
  }

  @Test
  void severalThreadsReadAtDistinctOffsets() throws Exception {
    byte[] content = content(60_000);
    Source source = later(open(content));
    List<CompletableFuture<ByteBuffer>> parts = new ArrayList<>();
    for (int part = 0; part < 6; part++) {
      int offset = part * 10_000;
      parts.add(CompletableFuture.supplyAsync(() -> read(source, offset, 10_000)));
    }
    for (int part = 0; part < 6; part++) {
      assertThat(parts.get(part).get(30, TimeUnit.SECONDS))
          .isEqualTo(ByteBuffer.wrap(content, part * 10_000, 10_000));
    }
  }

  /// In small reads, so that those of several threads interleave.
  private static ByteBuffer read(Source source, int offset, int bytes) {
    ByteBuffer all = ByteBuffer.allocate(bytes);
    try {
      while (all.position() < bytes) {
        all.limit(Math.min(bytes, all.position() + 16));
        source.read(all, offset + all.position());
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return all.flip();
  }
}
