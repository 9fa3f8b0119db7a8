package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.Crc32c;
import dev.zcp.core.RawPath;
import dev.zcp.core.Span;
import dev.zcp.delta.ChunkReader;
import dev.zcp.delta.Chunking;
import dev.zcp.linux.NativeFile;
import dev.zcp.place.Partials;
import dev.zcp.secure.Cryptography;
import dev.zcp.session.ResumeVerify;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Chunks;
import dev.zcp.wire.Held;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is taken of another version of a file: on a file system that shares no blocks, and in an
/// order of frames as a sender may say them.
class RebuildingTest {

  private static final int MIB = 1 << 20;
  private static final int BYTES = 4 * MIB;
  private static final byte[] IDENTITY = {1};

  @TempDir Path folder;

  private final Random random = new Random(3);
  private final Budget budget = new Budget(1 << 16, 0);
  private OpenDirectory directory;
  private byte[] old;

  /// How many chunks a frame has.
  private int frameChunks = 50;

  @BeforeEach
  void open() throws IOException {
    directory = OpenDirectory.open(RawPath.of(folder));
    old = noise(BYTES);
  }

  @AfterEach
  void close() throws IOException {
    directory.close();
  }

  private byte[] noise(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 4096})
  void allOfTheSameFileIsTaken(int chunks) throws Exception {
    frameChunks = chunks;
    assertThat(taken(old)).isEqualTo(BYTES);
  }

  @Test
  void ofChangedPlacesOnlyTheirChunksAreMissing() throws Exception {
    byte[] changed = old.clone();
    for (int place = 0; place < 10; place++) {
      changed[place * (BYTES / 10) + 12_345]++;
    }
    assertThat(taken(changed)).isGreaterThan(BYTES - 10 * 2 * chunking(changed).bytesMax());
  }

  @Test
  void whatFollowsInsertedOrRemovedBytesIsTaken() throws Exception {
    byte[] inserted = joined(part(0, MIB), noise(100_003), part(MIB, 3 * MIB));
    assertThat(taken(inserted)).isGreaterThan(BYTES - 4 * chunking(inserted).bytesMax());
    byte[] removed = joined(part(0, MIB), part(MIB + 200_001, 3 * MIB - 200_001));
    assertThat(taken(removed)).isGreaterThan(removed.length - 4 * chunking(removed).bytesMax());
  }

  @Test
  void whatMovedBackwardsAndForwardsIsTakenWhereverItWas() throws Exception {
    byte[] moved = joined(part(3 * MIB, MIB), part(MIB, MIB), part(2 * MIB, MIB), part(0, MIB));
    assertThat(taken(moved)).isGreaterThan(BYTES - 8 * chunking(moved).bytesMax());
  }

  @Test
  void nothingOfAnotherFileIsTaken() throws Exception {
    assertThat(taken(noise(BYTES))).isZero();
  }

  @Test
  void withoutRoomForChunksOnlyWhatGoesOnAlikeIsTaken() throws Exception {
    Budget none = new Budget(0, 0);
    byte[] appended = joined(old, noise(MIB));
    assertThat(taken(appended, none)).isGreaterThan(BYTES - chunking(appended).bytesMax());
    byte[] inserted = joined(noise(1000), old);
    assertThat(taken(inserted, none)).isZero();
  }

  /// Whatever was done to a file, no byte is taken for another, and what is cut alike is taken.
  @Test
  void ofFilesThatWereChangedInAnyWayNoWrongByteIsTaken() throws Exception {
    long seed = Long.getLong("zcp.seed", System.nanoTime());
    random.setSeed(seed);
    for (int round = 0; round < 12; round++) {
      frameChunks = 1 + random.nextInt(300);
      byte[] changed = changed();
      long takable = takable(changed);
      assertThat(taken(changed))
          .as("-Dzcp.seed=%d, round %d", seed, round)
          .isGreaterThanOrEqualTo(takable - 2 * chunking(changed).bytesMax());
    }
  }

  /// At least 1 MiB.
  private byte[] changed() {
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    while (changed.size() < MIB || random.nextInt(6) > 0) {
      int from = random.nextInt(old.length);
      int length = Math.min(1 << random.nextInt(21), old.length - from);
      switch (random.nextInt(5)) {
        case 0 -> changed.writeBytes(noise(1 + random.nextInt(100_000)));
        case 1 -> changed.writeBytes(new byte[random.nextInt(300_000)]);
        case 2 -> {
          byte[] part = part(from, length);
          part[random.nextInt(length)]++;
          changed.writeBytes(part);
        }
        default -> changed.writeBytes(part(from, length));
      }
    }
    return changed.toByteArray();
  }

  /// The bytes of those chunks that are chunks of the old file, too.
  private long takable(byte[] changed) throws Exception {
    FileChunks known = new FileChunks();
    Chunking chunking = chunking(changed);
    for (Chunks frame : cut(old, chunking)) {
      for (ByteBuffer each = frame.each(); each.hasRemaining(); ) {
        int length = Chunks.takeLength(each);
        known.add(0, length, each.getLong(), 0);
      }
    }
    long bytes = 0;
    for (Chunks frame : cut(changed, chunking)) {
      for (ByteBuffer each = frame.each(); each.hasRemaining(); ) {
        int length = Chunks.takeLength(each);
        boolean isKnown = known.find(each.getLong(), length, FileChunks.NONE) != FileChunks.NONE;
        bytes += isKnown ? length : 0;
      }
    }
    return bytes;
  }

  @Test
  void aSenderThatBeginsAnewFindsWhatWasTakenBefore() throws Exception {
    byte[] appended = joined(old, noise(MIB));
    Budget.Share room = budget.new Share();
    ResumableFile file = file(appended.length);
    try (NativeFile base = base();
        Rebuilding rebuilding = new Rebuilding(file, appended.length, room, () -> {})) {
      List<Chunks> first = cut(appended, chunking(appended));
      rebuilding.take(base, first.getFirst());
      long before = bytes(rebuilding.held());
      assertThat(before).isPositive();
      for (Chunks each : cut(appended, chunking(appended), 9)) {
        rebuilding.take(base, each);
      }
      assertThat(checked(rebuilding.held(), file, appended))
          .isGreaterThan(BYTES - chunking(appended).bytesMax());
    } finally {
      file.drop();
    }
  }

  @Test
  void ofAVersionThatIsWrittenToMeanwhileNoWrongByteIsTaken() throws Exception {
    byte[] moved = joined(part(2 * MIB, 2 * MIB), part(0, 2 * MIB));
    ResumableFile file = file(moved.length);
    try (NativeFile base = base();
        Rebuilding rebuilding = new Rebuilding(file, moved.length, budget.new Share(), () -> {})) {
      List<Chunks> frames = cut(moved, chunking(moved));
      for (Chunks each : frames) {
        if (each.isLast()) {
          Files.write(folder.resolve("old"), noise(BYTES));
        }
        rebuilding.take(base, each);
      }
      checked(rebuilding.held(), file, moved);
    } finally {
      file.drop();
    }
  }

  @Test
  void aVersionThatIsCutShortMeanwhileGivesWhatItStillHas() throws Exception {
    ResumableFile file = file(BYTES);
    try (NativeFile base = base();
        Rebuilding rebuilding = new Rebuilding(file, BYTES, budget.new Share(), () -> {})) {
      for (Chunks each : cut(old, chunking(old))) {
        rebuilding.take(base, each);
        try (FileChannel other =
            FileChannel.open(folder.resolve("old"), StandardOpenOption.WRITE)) {
          other.truncate(MIB);
        }
      }
      assertThat(checked(rebuilding.held(), file, old)).isPositive().isLessThan(2 * MIB);
    } finally {
      file.drop();
    }
  }

  /// @return how many bytes are taken, all of which are right
  private long taken(byte[] changed) throws Exception {
    return taken(changed, budget);
  }

  private long taken(byte[] changed, Budget chunks) throws Exception {
    Budget.Share room = chunks.new Share();
    ResumableFile file = file(changed.length);
    try (NativeFile base = base();
        Rebuilding rebuilding = new Rebuilding(file, changed.length, room, () -> {})) {
      for (Chunks each : cut(changed, chunking(changed))) {
        rebuilding.take(base, each);
      }
      return checked(rebuilding.held(), file, changed);
    } finally {
      file.drop();
      room.close();
    }
  }

  private static long checked(List<Held> held, ResumableFile file, byte[] changed)
      throws IOException {
    for (Held each : held) {
      int from = (int) each.span().offset();
      int length = (int) each.span().length();
      ByteBuffer bytes = ByteBuffer.allocate(length);
      while (bytes.hasRemaining() && file.file().read(bytes, from + bytes.position()) > 0) {
        // Until all is there.
      }
      assertThat(bytes.flip()).isEqualTo(ByteBuffer.wrap(changed, from, length));
      assertThat(each.crc32c()).isEqualTo(Crc32c.of(bytes));
    }
    return bytes(held);
  }

  private static long bytes(List<Held> held) {
    return held.stream().mapToLong(each -> each.span().length()).sum();
  }

  private ResumableFile file(int size) throws Exception {
    return ResumableFile.open(
        new Partials(),
        directory,
        "new".getBytes(StandardCharsets.US_ASCII),
        0600,
        size,
        Bytes.of(IDENTITY),
        ResumeVerify.ALL,
        () -> {});
  }

  private NativeFile base() throws IOException {
    Files.write(folder.resolve("old"), old);
    return directory.file("old".getBytes(StandardCharsets.US_ASCII), true);
  }

  private byte[] part(int from, int length) {
    return Arrays.copyOfRange(old, from, from + length);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static Chunking chunking(byte[] file) {
    return Chunking.of(file.length);
  }

  private List<Chunks> cut(byte[] file, Chunking chunking) throws Exception {
    return cut(file, chunking, 0);
  }

  /// What a sender of the file says.
  private List<Chunks> cut(byte[] file, Chunking chunking, int seedByte) throws Exception {
    byte[] seed = new byte[Chunks.SEED_BYTES];
    seed[0] = (byte) seedByte;
    Files.write(folder.resolve("cut"), file);
    List<Chunks> frames = new ArrayList<>();
    ByteBuffer records =
        ByteBuffer.allocate(frameChunks * Chunks.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (NativeFile source = directory.file("cut".getBytes(StandardCharsets.US_ASCII), false)) {
      ChunkReader reader = new ChunkReader(Cryptography.sha256(), Cryptography.aesGcm());
      reader.open(source, chunking, seed);
      reader.begin(new Span(0, file.length));
      long offset = 0;
      while (!reader.isAtEnd()) {
        if (reader.isLow()) {
          reader.fill();
        }
        int length = reader.cut();
        Chunks.putRecord(records, length, reader.digest(length));
        reader.take(length);
        if (!records.hasRemaining() || reader.isAtEnd()) {
          byte[] said = Arrays.copyOf(records.array(), records.position());
          frames.add(new Chunks(0, offset, Bytes.of(seed), Bytes.of(said), reader.isAtEnd()));
          offset = reader.offset();
          records.clear();
        }
      }
    }
    return frames;
  }
}
