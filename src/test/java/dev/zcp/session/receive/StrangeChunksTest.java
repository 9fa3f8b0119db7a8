package dev.zcp.session.receive;

import static dev.zcp.session.receive.StrangeSender.file;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.delta.ChunkReader;
import dev.zcp.delta.Chunking;
import dev.zcp.linux.NativeFile;
import dev.zcp.secure.Cryptography;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Answer.AnswerKind;
import dev.zcp.wire.Beat;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Digest.Algorithm;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Lost;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.Offered;
import dev.zcp.wire.Reply;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A sender that lies about the chunks of a file of which the receiver has another version: all
/// ones but for its first byte.
@Timeout(60)
class StrangeChunksTest {

  private static final int BYTES = 2 << 20;
  private static final byte[] SEED = new byte[Chunks.SEED_BYTES];

  @TempDir Path home;

  private Reception inbox;
  private Path old;
  private byte[] bytes;

  @BeforeEach
  void startTheReceiver() throws IOException {
    inbox = Reception.open(home.resolve("inbox"), "--overwrite");
    bytes = StrangeSender.ones(BYTES);
    bytes[0] = 2;
    old = Files.write(inbox.directory().resolve("file"), bytes);
  }

  @AfterEach
  void stopTheReceiver() throws Exception {
    inbox.receiver().signal("TERM");
    Cli.Result result = inbox.receiver().end();
    inbox.close();
    assertThat(result.err()).doesNotContain("\tat ").doesNotContain("internal error");
  }

  @Test
  void whatIsTakenIsClaimedAndTheRestIsSent() throws Exception {
    try (StrangeSender sender = offered()) {
      say(sender, 0, chunks(), true);
      Answer answer = sender.hear(Reply.class).answers().getFirst();
      assertThat(answer.kind()).isEqualTo(AnswerKind.REST);
      assertThat(answer.held().getFirst().span()).isEqualTo(new Span(0, BYTES));
      sender.block(0, new Span(0, BYTES), 0);
      sender.end(0, BYTES);
      sender.hearUnits(2);
    }
    assertThat(old).hasBinaryContent(StrangeSender.ones(BYTES));
  }

  @Test
  void whoTakesOtherBytesForHisOwnEndsWithAnotherSumAndTheOldFileStays() throws Exception {
    try (StrangeSender sender = offered()) {
      say(sender, 0, chunks(), true);
      assertThat(sender.hear(Reply.class).answers().getFirst().kind()).isEqualTo(AnswerKind.REST);
      sender.end(0, BYTES);
      assertThat(sender.hearRefused().exitCode()).isEqualTo(ExitCode.INTEGRITY);
    }
    assertThat(old).hasBinaryContent(bytes);
  }

  @Test
  void digestsOfNothingThatIsThereAreForNothing() throws Exception {
    try (StrangeSender sender = offered()) {
      say(sender, 0, List.of(record(5000, 1), record(5000, 2)), true);
      assertThat(sender.hear(Reply.class).answers()).containsExactly(Answer.of(0, AnswerKind.ALL));
      sender.whole(0, BYTES);
      sender.hearUnits(2);
    }
    assertThat(old).hasBinaryContent(StrangeSender.ones(BYTES));
  }

  @ParameterizedTest
  @ValueSource(strings = {"order", "end", "seed", "many", "other file", "after the last", "bytes"})
  void whatBreaksTheProtocolEndsTheSession(String how) throws Exception {
    try (StrangeSender sender = offered()) {
      say(sender, 100_000, chunks().subList(0, 3), false);
      switch (how) {
        case "order" -> say(sender, 0, chunks().subList(0, 1), false);
        case "end" -> say(sender, BYTES - 5, chunks().subList(0, 1), false);
        case "seed" ->
            sender.puppet().say(new Chunks(0, BYTES, seed(1), Bytes.of(new byte[0]), true));
        case "many" -> {
          List<byte[]> many = new ArrayList<>();
          for (int i = 0; i < 4000; i++) {
            many.add(record(1, i));
          }
          say(sender, BYTES / 2, many, false);
        }
        case "other file" ->
            sender.puppet().say(new Chunks(1, 0, seed(0), Bytes.of(new byte[0]), true));
        case "after the last" -> {
          say(sender, BYTES, List.of(), true);
          sender.hear(Reply.class);
          say(sender, BYTES, List.of(), true);
        }
        default -> sender.block(0, new Span(0, 10), 0);
      }
      sender.assertGivenUp(ExitCode.PROTOCOL);
    }
    assertThat(old).hasBinaryContent(bytes);
  }

  /// As a log is that was begun anew: to read the old one would take longer than to send the new.
  @ParameterizedTest
  @CsvSource({"16, BASE", "17, ALL"})
  void anOldFileThatIsManyTimesAsLongIsNotRead(int times, AnswerKind answer) throws Exception {
    try (RandomAccessFile file = new RandomAccessFile(old.toFile(), "rw")) {
      file.setLength((long) times * BYTES);
    }
    try (StrangeSender sender = StrangeSender.greet(inbox)) {
      sender.manifest(cutting());
      assertThat(sender.offer(file(0, "file", BYTES))).containsExactly(Answer.of(0, answer));
    }
  }

  /// Over a second connection, since the first was lost: what was told before counts no more.
  @Test
  void whoTellsAllChunksAgainWithTheSameSeedIsAnswered() throws Exception {
    try (StrangeSender first = offered()) {
      say(first, 0, chunks(), false);
      try (StrangeSender second = first.join(inbox, 1)) {
        first.puppet().close();
        second.puppet().say(new Lost(List.of(0)));
        assertThat(second.offer(file(0, "file", BYTES)))
            .containsExactly(Answer.of(0, AnswerKind.BASE));
        say(second, 0, chunks(), true);
        Answer answer = second.hear(Reply.class).answers().getFirst();
        assertThat(answer.kind()).isEqualTo(AnswerKind.REST);
        assertThat(answer.held().getFirst().span()).isEqualTo(new Span(0, BYTES));
        second.block(0, new Span(0, BYTES), 0);
        second.end(0, BYTES);
        second.hearUnits(2);
      }
    }
    assertThat(old).hasBinaryContent(StrangeSender.ones(BYTES));
  }

  @ParameterizedTest
  @ValueSource(strings = {"link", "fifo", "directory", "shorter", "nothing", "other"})
  void whatTakesTheNameOfTheOldFileMeanwhileIsNotRead(String what) throws Exception {
    Path elsewhere = Files.write(home.resolve("elsewhere"), bytes);
    try (StrangeSender sender = offered()) {
      List<byte[]> chunks = chunks();
      say(sender, 0, chunks.subList(0, 3), false);
      Files.move(old, home.resolve("old"));
      switch (what) {
        case "link" -> Files.createSymbolicLink(old, elsewhere);
        case "fifo" -> Programs.run("mkfifo", old.toString());
        case "directory" -> Files.createDirectory(old);
        case "shorter" -> Files.write(old, new byte[100]);
        case "other" -> Files.write(old, new byte[BYTES]);
        default -> {}
      }
      long end = 0;
      for (byte[] each : chunks.subList(0, 3)) {
        end += Chunks.takeLength(ByteBuffer.wrap(each).order(ByteOrder.LITTLE_ENDIAN));
      }
      say(sender, end, chunks.subList(3, chunks.size()), true);
      assertThat(sender.hear(Reply.class).answers().getFirst().kind())
          .isIn(AnswerKind.ALL, AnswerKind.REST);
      sender.block(0, new Span(0, BYTES), 0);
      sender.end(0, BYTES);
      if (what.equals("directory")) {
        assertThat(sender.hearRefused().exitCode()).isEqualTo(ExitCode.EXISTS);
      } else {
        sender.hearUnits(2);
        assertThat(old).isRegularFile().hasBinaryContent(StrangeSender.ones(BYTES));
      }
    }
    assertThat(elsewhere).hasBinaryContent(bytes);
    assertThat(home.resolve("old")).hasBinaryContent(bytes);
  }

  @Test
  void manyOldFilesAtOnceAreAllAnswered() throws Exception {
    int count = 100;
    try (StrangeSender sender = StrangeSender.greet(inbox)) {
      sender.manifest(cutting());
      Offered[] files = new Offered[count];
      for (int i = 0; i < count; i++) {
        Files.createLink(inbox.directory().resolve("file" + i), old);
        files[i] = file(i, "file" + i, BYTES);
      }
      assertThat(sender.offer(files)).allMatch(each -> each.kind() == AnswerKind.BASE);
      List<byte[]> chunks = chunks();
      for (boolean isLast : new boolean[] {false, true}) {
        for (int i = 0; i < count; i++) {
          ByteBuffer all = ByteBuffer.allocate(isLast ? 0 : chunks.size() * Chunks.RECORD_BYTES);
          if (!isLast) {
            chunks.forEach(all::put);
          }
          Bytes records = Bytes.of(all.array());
          sender.puppet().say(new Chunks(i, isLast ? BYTES : 0, seed(0), records, isLast));
        }
      }
      int answered = 0;
      for (long beats = 1; answered < count; beats++) {
        if (sender.puppet().hearAny() instanceof Reply reply) {
          for (Answer answer : reply.answers()) {
            assertThat(answer.kind()).isEqualTo(AnswerKind.REST);
            // It is open until it is over, and others wait for that.
            sender.end(answer.fileId(), BYTES);
            answered++;
          }
        }
        // Who says nothing for seconds counts as gone.
        sender.puppet().say(new Beat(beats));
      }
      sender.giveUp(ExitCode.SOURCE, "enough");
    }
    assertThat(old).hasBinaryContent(bytes);
  }

  @Test
  void noOtherVersionIsAskedAboutIfTheSenderCannotCut() throws Exception {
    try (StrangeSender sender = StrangeSender.begin(inbox)) {
      sender.offerFile(0, "file", BYTES);
    }
    assertThat(old).hasBinaryContent(bytes);
  }

  private StrangeSender offered() throws Exception {
    StrangeSender sender = StrangeSender.greet(inbox);
    sender.manifest(cutting());
    assertThat(sender.offer(file(0, "file", BYTES))).containsExactly(Answer.of(0, AnswerKind.BASE));
    return sender;
  }

  private static Manifest cutting() {
    return new Manifest(
        -1, -1, -1, Level.WIRE, Algorithm.CRC32C, KeepExisting.NONE, false, true, 0);
  }

  private static Bytes seed(int first) {
    byte[] seed = new byte[Chunks.SEED_BYTES];
    seed[0] = (byte) first;
    return Bytes.of(seed);
  }

  private static void say(StrangeSender sender, long offset, List<byte[]> records, boolean isLast)
      throws IOException {
    ByteBuffer all = ByteBuffer.allocate(records.size() * Chunks.RECORD_BYTES);
    records.forEach(all::put);
    sender.puppet().say(new Chunks(0, offset, Bytes.of(SEED), Bytes.of(all.array()), isLast));
  }

  private static byte[] record(int length, long digest) {
    ByteBuffer record = ByteBuffer.allocate(Chunks.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Chunks.putRecord(record, length, digest);
    return record.array();
  }

  /// Those of the old file.
  private List<byte[]> chunks() throws Exception {
    List<byte[]> records = new ArrayList<>();
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(inbox.directory()));
        NativeFile file = directory.file("file".getBytes(StandardCharsets.US_ASCII), false)) {
      ChunkReader reader = new ChunkReader(Cryptography.sha256(), Cryptography.aesGcm());
      reader.open(file, Chunking.of(BYTES), SEED);
      reader.begin(new Span(0, BYTES));
      while (!reader.isAtEnd()) {
        if (reader.isLow()) {
          reader.fill();
        }
        int length = reader.cut();
        records.add(record(length, reader.digest(length)));
        reader.take(length);
      }
    }
    return records;
  }
}
