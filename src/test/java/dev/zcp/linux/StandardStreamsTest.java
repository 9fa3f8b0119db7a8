package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.testing.Programs;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandardStreamsTest {

  @TempDir Path dir;

  @Test
  void aFileThatAShellRedirectedIsReadFromWhereItWasLeft() throws IOException {
    Path path = Files.writeString(dir.resolve("in"), "abcdef");
    try (FileInputStream in = new FileInputStream(path.toFile())) {
      assertThat(in.read()).isEqualTo('a');
      try (Source source = new StandardStreams(in, OutputStream.nullOutputStream()).source()) {
        assertThat(source.traits())
            .isEqualTo(new Route.Traits(Route.Kind.STREAM, true, false, Route.Traits.NO_DEVICE));
        ByteBuffer bytes = ByteBuffer.allocate(2);
        assertThat(source.read(bytes, 0)).isEqualTo(2);
        assertThat(bytes.array()).containsExactly('b', 'c');
      }
      assertThat(in.read()).as("still open, and further on").isEqualTo('d');
    }
  }

  @Test
  void aFileThatAShellRedirectedIsWrittenFromWhereItWasLeft() throws IOException {
    Path path = Files.writeString(dir.resolve("out"), "log:");
    try (FileOutputStream out = new FileOutputStream(path.toFile(), true)) {
      try (Sink sink = new StandardStreams(InputStream.nullInputStream(), out).sink()) {
        assertThat(sink.traits().hasDescriptor()).isTrue();
        sink.write(ByteBuffer.wrap(new byte[] {'x'}), 0);
      }
      out.write('y');
    }
    assertThat(path).hasContent("log:xy");
  }

  @Test
  void aPipeIsKnownAsOne() throws IOException {
    Path fifo = Programs.fifo(dir.resolve("fifo"));
    try (FileChannel _ = openBothWays(fifo);
        FileInputStream in = new FileInputStream(fifo.toFile());
        FileOutputStream out = new FileOutputStream(fifo.toFile())) {
      StandardStreams streams = new StandardStreams(in, out);
      Route.Traits pipe = new Route.Traits(Route.Kind.PIPE, true, false, Route.Traits.NO_DEVICE);
      assertThat(streams.source().traits()).isEqualTo(pipe);
      assertThat(streams.sink().traits()).isEqualTo(pipe);
      assertThat(Files.readSymbolicLink(Path.of("/proc/self/fd/" + streams.source().descriptor())))
          .isEqualTo(fifo.toRealPath());
    }
  }

  @Test
  void aStreamThatIsWrappedGivesAndTakesBytesAllTheSame() throws IOException {
    byte[] content = SourceContract.content(30_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StandardStreams streams = new StandardStreams(new ByteArrayInputStream(content), out);
    try (Source source = streams.source();
        Sink sink = streams.sink()) {
      assertThat(source.traits())
          .isEqualTo(new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE));
      assertThat(sink.traits()).isEqualTo(source.traits());
      ByteBuffer bytes = ByteBuffer.allocate(1000);
      while (source.read(bytes.clear(), 0) >= 0) {
        bytes.flip();
        while (bytes.hasRemaining()) {
          sink.write(bytes, 0);
        }
      }
    }
    assertThat(out.toByteArray()).isEqualTo(content);
  }

  @Test
  void whatWasPrintedBeforeComesFirst() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BufferedOutputStream buffered = new BufferedOutputStream(out);
    buffered.write('a');
    new StandardStreams(InputStream.nullInputStream(), buffered).sink();
    assertThat(out.toByteArray()).containsExactly('a');
  }

  @Test
  void whatCannotBeFlushedIsNotForgotten() {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int value) {}

          @Override
          public void flush() throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    assertThatThrownBy(() -> new StandardStreams(InputStream.nullInputStream(), broken).sink())
        .hasMessage("Broken pipe");
  }

  /// Opening a FIFO for one side alone would wait for the other.
  private static FileChannel openBothWays(Path fifo) throws IOException {
    return FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }
}
