package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Crc32c;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.linux.NativeFile;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ReadBackTest {

  private static final byte[] CONTENT = Offers.bytes("some bytes that are there");

  @TempDir Path dir;

  /// A hole of 2^43 bytes once took as long as reading them.
  @Test
  void holesAreZerosAndAreNotRead() throws IOException {
    long start = 10_000;
    long bytes = 1L << 42;
    long end = bytes - CONTENT.length;
    AtomicInteger pieces = new AtomicInteger();
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(dir));
        NativeFile file = directory.create(Offers.bytes("f"), 0600)) {
      file.writeAll(ByteBuffer.wrap(CONTENT), start);
      file.writeAll(ByteBuffer.wrap(CONTENT), end);
      int crc32c = ReadBack.crc32c(file, new Span(0, bytes), pieces::incrementAndGet);
      int content = Offers.crc32c(CONTENT);
      int sum = Crc32c.combined(Crc32c.ofZeros(start), content, CONTENT.length);
      long hole = end - start - CONTENT.length;
      sum = Crc32c.combined(sum, Crc32c.ofZeros(hole), hole);
      assertThat(crc32c).isEqualTo(Crc32c.combined(sum, content, CONTENT.length));
      assertThat(pieces).hasValueLessThan(10);
      assertThat(ReadBack.crc32c(file, new Span(start, CONTENT.length), pieces::incrementAndGet))
          .isEqualTo(content);
      assertThatThrownBy(() -> ReadBack.crc32c(file, new Span(0, bytes + 1), () -> {}))
          .hasMessageContaining("shorter");
    }
  }
}
