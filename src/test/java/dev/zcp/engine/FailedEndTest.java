package dev.zcp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Span;
import dev.zcp.engine.Transfer.FailedEnd;
import dev.zcp.linux.ChannelEnd;
import dev.zcp.spi.MoveException.End;
import dev.zcp.spi.Source;
import dev.zcp.testing.TestRoute;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailedEndTest {

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "Connection reset by peer,                    SOURCE",
    "Connection reset,                            SOURCE",
    "Connection timed out,                        SOURCE",
    "Transport endpoint is not connected,         SOURCE",
    "No route to host,                            SOURCE",
    "Network is unreachable,                      SOURCE",
    "No space left on device,                     SINK",
    "Disk quota exceeded,                         SINK",
    "Input/output error,                          SINK",
    "File too large,                              SINK",
    "Broken pipe,                                 SINK",
  })
  void ofASocketAndAFileTheTextSaysWhich(String message, End end) throws IOException {
    SocketChannel[] pair = TestRoute.sockets();
    try (SocketChannel near = pair[0];
        SocketChannel far = pair[1]) {
      assertThat(far.isConnected()).isTrue();
      assertThat(FailedEnd.of(new IOException(message), ChannelEnd.socket(near), 0)).isEqualTo(end);
    }
  }

  @Test
  void aPeerThatResetsTheConnectionIsToBlame() throws IOException {
    SocketChannel[] pair = TestRoute.sockets();
    try (SocketChannel near = pair[0]) {
      pair[1].setOption(StandardSocketOptions.SO_LINGER, 0);
      pair[1].close();
      Source source = ChannelEnd.socket(near);
      IOException reset = readUntilItFails(source);
      assertThat(FailedEnd.of(reset, source, 0)).isEqualTo(End.SOURCE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Connection reset by peer", "Broken pipe", "Connection timed out"})
  void aFileThatStillAnswersIsNotToBlameWhateverTheTextSays(String message) throws IOException {
    try (Source source = file("content")) {
      assertThat(FailedEnd.of(new IOException(message), source, 0)).isEqualTo(End.SINK);
      assertThat(FailedEnd.of(new IOException(message), source, 100)).isEqualTo(End.SINK);
    }
  }

  @Test
  void aFileThatAnswersNoMoreIsToBlame() throws IOException {
    Source source = file("content");
    source.close();
    assertThat(FailedEnd.of(new IOException("Broken pipe"), source, 0)).isEqualTo(End.SOURCE);
  }

  @Test
  void aFaultIsTheSourcesWhereItIsTooShortForTheChunk() throws IOException {
    try (Source source = file("1234567")) {
      assertThat(FailedEnd.ofFault(source, new Span(2, 5))).isEqualTo(End.SINK);
      assertThat(FailedEnd.ofFault(source, new Span(2, 6))).isEqualTo(End.SOURCE);
    }
  }

  private static IOException readUntilItFails(Source source) {
    for (int tries = 0; tries < 1000; tries++) {
      try {
        assertThat(source.read(ByteBuffer.allocate(1), 0)).isNotPositive();
      } catch (IOException e) {
        return e;
      }
    }
    throw new AssertionError("the connection was not reset");
  }

  private Source file(String content) throws IOException {
    Path path = Files.writeString(dir.resolve("file"), content);
    return ChannelEnd.file(FileChannel.open(path, StandardOpenOption.READ), 1);
  }
}
