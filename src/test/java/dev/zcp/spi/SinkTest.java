package dev.zcp.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Span;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.testing.ShortSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinkTest {

  @TempDir Path dir;

  @Test
  void whatRemainsGoesWhereItBelongsHoweverLittleIsTakenAtATime() throws Exception {
    byte[] content = bytes(1_000);
    Path file = Files.createFile(dir.resolve("file"));
    try (Sink sink = new ShortSink(open(file), 7)) {
      sink.writeAll(ByteBuffer.wrap(content).position(10).limit(600), 5);
    }
    byte[] written = new byte[595];
    System.arraycopy(content, 10, written, 5, 590);
    assertThat(file).hasBinaryContent(written);
  }

  @Test
  void zerosFillASpanAndNothingBesides() throws Exception {
    byte[] content = bytes(1 << 20);
    Path file = Files.write(dir.resolve("file"), content);
    Span span = new Span(1_001, 900_003);
    try (Sink sink = new ShortSink(open(file), 100_000)) {
      sink.writeZeros(span);
    }
    Arrays.fill(content, (int) span.offset(), (int) span.end(), (byte) 0);
    assertThat(file).hasBinaryContent(content);
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }

  private static Sink open(Path file) throws IOException {
    return ChannelEnd.file(
        FileChannel.open(file, StandardOpenOption.WRITE), Route.Traits.NO_DEVICE);
  }
}
