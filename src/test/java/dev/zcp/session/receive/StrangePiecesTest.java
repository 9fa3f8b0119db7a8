package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.testing.Cli;
import dev.zcp.wire.Data;
import dev.zcp.wire.Digest;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.PartBuilder;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Trailer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One receiver, and senders with its key whose compressed pieces are none: that costs them the
/// connection and nothing else.
@Timeout(60)
class StrangePiecesTest {

  private static final int SIZE = 5000;

  @TempDir static Path home;

  private static Reception inbox;

  @BeforeAll
  static void startTheReceiver() throws IOException {
    inbox = Reception.open(home.resolve("inbox"));
  }

  @AfterAll
  static void stopTheReceiver() throws Exception {
    inbox.receiver().signal("TERM");
    Cli.Result result = inbox.receiver().end();
    inbox.close();
    assertThat(result.err()).doesNotContain("internal").doesNotContain("Exception");
  }

  /// Bytes on the wire for a file of [#SIZE] ones.
  private enum Lie {
    LENGTH_OF_NOTHING(piece(0, new byte[1])),
    LENGTH_OF_MORE_THAN_IS_TO_COME(piece(SIZE + 1, packed(SIZE + 1))),
    LENGTH_BEYOND_ALL_NUMBERS(piece(-1, packed(SIZE))),
    SIZE_OF_NOTHING(piece(SIZE, new byte[0])),
    SIZE_ABOVE_THE_LENGTH(piece(SIZE, new byte[SIZE + 1])),
    NO_ZSTD(piece(SIZE, new byte[100])),
    HALF_A_FRAME(piece(SIZE, Arrays.copyOf(packed(SIZE), packed(SIZE).length - 3))),
    LESS_THAN_IT_SAYS(piece(SIZE, packed(SIZE - 1))),
    MORE_THAN_IT_SAYS(piece(SIZE, packed(SIZE + 1))),
    A_BOMB(piece(SIZE, Arrays.copyOf(packed(20 << 20), SIZE - 1))),
    SECOND_PIECE_TOO_LONG(both(piece(SIZE - 1, packed(SIZE - 1)), piece(2, new byte[1])));

    private final byte[] bytes;

    Lie(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  private static byte[] packed(int size) {
    return Zstd.compress(StrangeSender.ones(size));
  }

  private static byte[] piece(int length, byte[] bytes) {
    return ByteBuffer.allocate(8 + bytes.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(length)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  private static byte[] both(byte[] one, byte[] other) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(one);
    both.writeBytes(other);
    return both.toByteArray();
  }

  private static Trailer trailer(int error) {
    int crc32c = StrangeSender.crc32c(StrangeSender.ones(SIZE)) + error;
    return Trailer.ok(0, new Span(0, SIZE), Digest.crc32c(crc32c));
  }

  private static void part(StrangeSender sender, byte[] bytes) throws Exception {
    PartBuilder builder = new PartBuilder();
    builder.clear();
    builder.owner(0644, 0, 0);
    int crc32c = StrangeSender.crc32c(StrangeSender.ones(SIZE));
    byte[] name = "part".getBytes(StandardCharsets.US_ASCII);
    builder.add(0, name, SIZE, crc32c, List.of());
    sender.puppet().say(builder.build(1, false, true, Digest.NONE));
    sender.puppet().bytes(bytes, bytes.length);
  }

  @ParameterizedTest
  @EnumSource
  void aBlockOfWhatIsNoPieceCostsTheConnection(Lie lie) throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "block", SIZE);
      try {
        sender.puppet().block(Data.zstd(0, new Span(0, SIZE)), lie.bytes, trailer(0));
      } catch (SocketException e) {
        // The receiver may have ended the connection before the trailer.
      }
      sender.assertCut();
    }
    assertThat(inbox.directory().resolve("block")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void aPartOfWhatIsNoPieceCostsTheConnection(Lie lie) throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offer(StrangeSender.entry(0, EntryKind.DIRECTORY, "of " + lie, 0));
      part(sender, lie.bytes);
      sender.assertCut();
    }
    assertThat(inbox.directory().resolve("of " + lie + "/part")).doesNotExist();
  }

  @Test
  void piecesOfAnySizeComeToABlock() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "pieces", SIZE);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      bytes.writeBytes(piece(1, new byte[] {1}));
      bytes.writeBytes(piece(3000, packed(3000)));
      bytes.writeBytes(piece(SIZE - 3001, StrangeSender.ones(SIZE - 3001)));
      sender.puppet().block(Data.zstd(0, new Span(0, SIZE)), bytes.toByteArray(), trailer(0));
      sender.hearUnits(1);
      sender.end(0, SIZE);
      sender.hearUnits(2);
      sender.giveUp(ExitCode.SOURCE, "enough");
    }
    assertThat(inbox.directory().resolve("pieces")).hasBinaryContent(StrangeSender.ones(SIZE));
  }

  @Test
  void aCompressedBlockWithAnotherDigestIsAskedForAgainAndMayComeAsItIs() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "again", SIZE);
      byte[] bytes = piece(SIZE, packed(SIZE));
      sender.puppet().block(Data.zstd(0, new Span(0, SIZE)), bytes, trailer(1));
      assertThat(sender.hearRejection()).isEqualTo(new Again(0, new Span(0, SIZE)));
      sender.block(0, new Span(0, SIZE), 0);
      sender.end(0, SIZE);
      sender.hearUnits(3);
      sender.giveUp(ExitCode.SOURCE, "enough");
    }
    assertThat(inbox.directory().resolve("again")).hasBinaryContent(StrangeSender.ones(SIZE));
  }

  @Test
  void aCompressedBlockThatNobodyWantsIsTakenOffTheWire() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "twice", SIZE);
      byte[] bytes = piece(SIZE, packed(SIZE));
      for (int i = 1; i < 3; i++) {
        sender.puppet().block(Data.zstd(0, new Span(0, SIZE)), bytes, trailer(0));
        sender.hearUnits(i);
      }
      sender.end(0, SIZE);
      sender.hearUnits(3);
      sender.giveUp(ExitCode.SOURCE, "enough");
    }
    assertThat(inbox.directory().resolve("twice")).hasBinaryContent(StrangeSender.ones(SIZE));
  }
}
