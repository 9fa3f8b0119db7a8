package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.linux.ChannelEnd;
import dev.zcp.linux.SinkContract;
import dev.zcp.linux.SourceContract;
import dev.zcp.linux.StandardStreams;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.UserSpaceSink;
import dev.zcp.testing.ShortSink;
import dev.zcp.wire.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigestingSinkTest extends SinkContract {

  private static final byte[] CONTENT = {1, 2, 3, 4, 5};

  @TempDir Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Override
  protected Sink open() throws IOException {
    out.reset();
    return new DigestingSink(sinkTo(out), Digest.Algorithm.SHA256);
  }

  @Override
  protected byte[] arrived() {
    return out.toByteArray();
  }

  @Override
  protected boolean ownsItsChannel() {
    return false;
  }

  @Test
  void theDigestIsOfEveryByteHoweverFewAreTakenAtATime() throws IOException {
    byte[] content = SourceContract.content(50_000);
    for (int bytesMax : new int[] {1, 999, 100_000}) {
      DigestingSink sink =
          new DigestingSink(new ShortSink(sinkTo(out), bytesMax), Digest.Algorithm.SHA256);
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        sink.write(bytes, 0);
      }
      assertThat(sink.sum()).isEqualTo(sum(content));
    }
  }

  /// As memory that goes bad between the digest and the kernel would.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theDigestIsOfTheMemoryThatWasWritten(boolean direct) throws Exception {
    ByteBuffer bytes = direct ? ByteBuffer.allocateDirect(5) : ByteBuffer.allocate(5);
    bytes.put(CONTENT).flip();
    Damaging damaging = new Damaging();
    DigestingSink sink = new DigestingSink(damaging, Digest.Algorithm.SHA256);
    int count = sink.write(bytes, 0);
    assertThat(count).isEqualTo(3);
    assertThat(bytes.position()).isEqualTo(3);
    assertThat(sink.sum()).isEqualTo(sum((byte) ~1, (byte) 2, (byte) 3));
  }

  @Test
  void anotherDigestBeginsWithNothing() throws IOException {
    DigestingSink sink = new DigestingSink(sinkTo(out), Digest.Algorithm.SHA256);
    assertThat(sink.sum()).isEqualTo(sum());
    sink.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
    sink.begin(0);
    assertThat(sink.sum()).isEqualTo(sum());
    sink.write(ByteBuffer.wrap(new byte[] {4}), 0);
    assertThat(sink.sum()).isEqualTo(sum((byte) 4));
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
    DigestingSink sink = new DigestingSink(sinkTo(full), Digest.Algorithm.SHA256);
    assertThatThrownBy(() -> sink.write(ByteBuffer.wrap(new byte[] {1}), 0))
        .isInstanceOf(IOException.class);
    assertThat(sink.sum()).isEqualTo(sum());
  }

  @Test
  void theKernelFindsNoWayPastIt() throws IOException {
    Sink sink = new DigestingSink(sinkTo(out), Digest.Algorithm.SHA256);
    assertThat(sink.traits())
        .isEqualTo(new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE));
    assertThat(sink.descriptor()).isEqualTo(-1);
    assertThat(sink.channel()).isSameAs(sink);
  }

  private static Sink sinkTo(OutputStream out) throws IOException {
    return new StandardStreams(InputStream.nullInputStream(), out).sink();
  }

  private static Checksum.Sum sum(byte... bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return new Checksum.Sum(
        (int) crc.getValue(), Checksum.sha256(ByteBuffer.wrap(bytes), (_, _) -> {}));
  }

  @Test
  void theChannelGoesOnWhereTheDigestBeganAndWhereTheLastBytesWent() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    FileChannel behind = FileChannel.open(file, StandardOpenOption.WRITE);
    try (DigestingSink sink =
        new DigestingSink(
            ChannelEnd.file(behind, Route.Traits.NO_DEVICE), Digest.Algorithm.SHA256)) {
      sink.begin(2);
      sink.channel().write(ByteBuffer.wrap(CONTENT));
      sink.channel().write(ByteBuffer.wrap(CONTENT));
      sink.write(ByteBuffer.wrap(CONTENT), 20);
      sink.channel().write(ByteBuffer.wrap(CONTENT));
    }
    byte[] written = new byte[30];
    for (int offset : new int[] {2, 7, 20, 25}) {
      System.arraycopy(CONTENT, 0, written, offset, CONTENT.length);
    }
    assertThat(file).hasBinaryContent(written);
  }

  /// Takes three bytes and turns the first over before it does.
  private static final class Damaging implements UserSpaceSink {

    @Override
    public int write(ByteBuffer bytes, long offset) {
      assertThat(bytes.isDirect()).isTrue();
      int at = bytes.position();
      bytes.put(at, (byte) ~bytes.get(at));
      bytes.position(at + 3);
      return 3;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
