package dev.zcp.session;

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
import dev.zcp.session.TransitDigest.Transit;
import dev.zcp.spi.Route.Kind;
import dev.zcp.spi.Source;
import dev.zcp.testing.TestEnds;
import dev.zcp.testing.TestRoute;
import dev.zcp.wire.Digest.Algorithm;
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
class TransitDigestTest {

  private static final int BLOCK_BYTES = 700_000;
  private static final int BYTES = 2 * BLOCK_BYTES;

  /// It has the kernel move the bytes, which are nowhere to be digested on their way.
  private static final String LEFT_TO_THE_KERNEL = "splice";

  @TempDir Path folder;

  private final byte[] content = new byte[BYTES];
  private final FileLog log = new Insight("test", "auto", _ -> {}).begin("f", BYTES, Stage.WRITE);
  private final TransitDigest digest = new TransitDigest("read back");
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
    assertThatThrownBy(() -> transit(LEFT_TO_THE_KERNEL, null, Algorithm.SHA256))
        .isInstanceOf(RefusedException.class);
  }

  @Test
  void whereNobodyAskedForADigestTheKernelMayMoveTheBytes() throws Exception {
    Transit transit = transit(LEFT_TO_THE_KERNEL, written, Algorithm.NONE);
    try (Transfer transfer = transit.transfer()) {
      digest.begin(transit, written, 0, log, Algorithm.NONE);
      assertThat(transfer.move(new Span(0, BYTES))).isEqualTo(BYTES);
    }
    assertThat(Files.mismatch(file, Files.write(folder.resolve("expected"), content)))
        .isEqualTo(-1);
  }

  private void takeBothBlocks(String strategy, Source source) throws Exception {
    Transit transit = transit(strategy, source, Algorithm.SHA256);
    try (Transfer transfer = transit.transfer()) {
      for (int block = 0; block < 2; block++) {
        Span span = new Span((long) block * BLOCK_BYTES, BLOCK_BYTES);
        position = span.offset();
        digest.begin(transit, source, position, log, Algorithm.SHA256);
        assertThat(transfer.move(span)).isEqualTo(BLOCK_BYTES);
        assertThat(digest.finish()).isEqualTo(sum(span));
      }
    }
  }

  /// @param read null if nothing can be read beside the transfer
  private Transit transit(String strategy, Source read, Algorithm algorithm) throws Exception {
    return Transit.begin(
        new Engine(Strategies.load(List.of()), new Choice(strategy, Choice.ADAPTIVE)),
        route.source(),
        route.sink(),
        BYTES,
        log,
        this::moved,
        algorithm,
        read != null,
        Tracked.NOTHING_ELSE);
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
}
