package dev.zcp.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.testing.ShortSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class DigestingSinkTest extends SinkContract {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Override
  Sink open() throws IOException {
    out.reset();
    return new DigestingSink(sinkTo(out));
  }

  @Override
  byte[] arrived() {
    return out.toByteArray();
  }

  @Override
  boolean ownsItsChannel() {
    return false;
  }

  @Test
  void theDigestIsOfEveryByteHoweverFewAreTakenAtATime() throws IOException {
    byte[] content = SourceContract.content(50_000);
    for (int bytesMax : new int[] {1, 999, 100_000}) {
      DigestingSink sink = new DigestingSink(new ShortSink(sinkTo(out), bytesMax));
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        sink.write(bytes, 0);
      }
      assertThat(sink.crc32c()).isEqualTo(crc32c(content));
    }
  }

  @Test
  void anotherDigestBeginsWithNothing() throws IOException {
    DigestingSink sink = new DigestingSink(sinkTo(out));
    assertThat(sink.crc32c()).isZero();
    sink.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
    sink.reset();
    assertThat(sink.crc32c()).isZero();
    sink.write(ByteBuffer.wrap(new byte[] {4}), 0);
    assertThat(sink.crc32c()).isEqualTo(crc32c(new byte[] {4}));
  }

  @Test
  void whatWasNotWrittenIsNotDigested() throws IOException {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    DigestingSink sink = new DigestingSink(sinkTo(full));
    assertThatThrownBy(() -> sink.write(ByteBuffer.wrap(new byte[] {1}), 0))
        .isInstanceOf(IOException.class);
    assertThat(sink.crc32c()).isZero();
  }

  @Test
  void theKernelFindsNoWayPastIt() throws IOException {
    Sink sink = new DigestingSink(sinkTo(out));
    assertThat(sink.traits())
        .isEqualTo(new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE));
    assertThat(sink.descriptor()).isEqualTo(Descriptors.NONE);
    assertThat(sink.channel()).isSameAs(sink);
  }

  private static Sink sinkTo(OutputStream out) throws IOException {
    return new StandardStreams(InputStream.nullInputStream(), out).sink();
  }

  private static long crc32c(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }
}
