package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Span;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.Transfer;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.session.Checksum;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.testing.TestEnds;
import dev.zcp.testing.TestRoute;
import dev.zcp.tree.Durability;
import dev.zcp.wire.Digest.Algorithm;
import dev.zcp.wire.Ending;
import dev.zcp.wire.Level;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two blocks of a file that come over a socket.
@Timeout(60)
class TakenDigestTest {

  private static final int BLOCK_BYTES = 700_000;
  private static final int BYTES = 2 * BLOCK_BYTES;

  /// It has the kernel move the bytes, which are nowhere to be digested on their way.
  private static final String LEFT_TO_THE_KERNEL = "splice";

  @TempDir Path folder;

  private final byte[] content = new byte[BYTES];
  private final FileLog log = new Insight("test", "auto", _ -> {}).begin("f", BYTES, Stage.WRITE);
  private final TakenDigest digest = new TakenDigest();
  private Path file;
  private TestRoute route;
  private Source written;
  private long position;

  @BeforeEach
  void connect() throws IOException {
    new Random(BYTES).nextBytes(content);
    file = folder.resolve("sink");
    route = TestRoute.open(Kind.SOCKET, Kind.FILE, content, folder);
    written = TestEnds.fileSource(file);
  }

  @AfterEach
  void close() throws IOException {
    digest.close();
    written.close();
    route.close();
  }

  @Test
  void blocksAreDigestedOnTheirWayEachAnew() throws Exception {
    takeBothBlocks(Choice.AUTO, written);
    assertThat(digest.proof(Algorithm.SHA256))
        .isEqualTo("SHA-256 of each block on its way through");
  }

  @Test
  void whatTheKernelMovesIsReadBack() throws Exception {
    takeBothBlocks(LEFT_TO_THE_KERNEL, written);
    assertThat(digest.proof(Algorithm.SHA256))
        .isEqualTo("SHA-256 of each block, read back from the page cache beside the transfer");
  }

  @Test
  void whatTheKernelWouldMoveIsRefusedWhereNothingCanBeReadBack() {
    assertThatThrownBy(() -> transfer(LEFT_TO_THE_KERNEL, null, Algorithm.SHA256))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void whereNobodyAskedForADigestTheKernelMayMoveTheBytes() throws Exception {
    try (Transfer transfer = transfer(LEFT_TO_THE_KERNEL, written, Algorithm.NONE)) {
      digest.begin(landing(written), 0, log, Algorithm.NONE);
      assertThat(transfer.move(new Span(0, BYTES))).isEqualTo(BYTES);
    }
    assertThat(Files.mismatch(file, Files.write(folder.resolve("expected"), content)))
        .isEqualTo(-1);
  }

  private void takeBothBlocks(String strategy, Source source) throws Exception {
    try (Transfer transfer = transfer(strategy, source, Algorithm.SHA256)) {
      for (int block = 0; block < 2; block++) {
        Span span = new Span((long) block * BLOCK_BYTES, BLOCK_BYTES);
        position = span.offset();
        digest.begin(landing(source), position, log, Algorithm.SHA256);
        assertThat(transfer.move(span)).isEqualTo(BLOCK_BYTES);
        assertThat(digest.finish()).isEqualTo(sum(span));
      }
    }
  }

  private Transfer transfer(String strategy, Source source, Algorithm algorithm) throws Exception {
    Engine engine = new Engine(Strategies.load(List.of()), new Choice(strategy, Choice.ADAPTIVE));
    return digest.transfer(
        engine, route.source(), landing(source), route.sink(), BYTES, log, this::moved, algorithm);
  }

  private void moved(long bytes) {
    position += bytes;
    digest.advance(position);
  }

  private Checksum.Sum sum(Span span) {
    Checksum checksum = new Checksum(Algorithm.SHA256);
    checksum.update(ByteBuffer.wrap(content, (int) span.offset(), (int) span.length()));
    return checksum.sum();
  }

  private Landing landing(Source source) {
    return new Opened(route.sink(), source);
  }

  /// A file that is written to, and no more.
  private record Opened(Sink sink, Source written) implements Landing {

    @Override
    public void begin(Span span) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void hole(Span span) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void verified(Span span, int crc32c) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void put(
        ByteBuffer bytes,
        Ending ending,
        Level level,
        Durability.PublicationQueue queue,
        PublishOutcome outcome) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void publish(
        Ending ending, Level level, Durability.PublicationQueue queue, PublishOutcome outcome) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long keep() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void drop() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      // The ends are the test's.
    }
  }
}
