package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.Span;
import dev.zcp.linux.NativeFile;
import dev.zcp.session.ResumeVerify;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Held;
import dev.zcp.wire.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What became of a journal or of its partial file costs the file or a range a new start, and never
/// a wrong byte: [InterruptedFile#heldBlocks] compares each that is held.
class DamagedJournalTest {

  private static final Integer[] FIRST_EIGHT = {0, 1, 2, 3, 4, 5, 6, 7};

  @TempDir Path folder;

  private InterruptedFile it;

  @BeforeEach
  void interrupt() throws Exception {
    it = new InterruptedFile(folder);
    it.interruptAfter(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @AfterEach
  void end() throws IOException {
    it.close();
  }

  @ParameterizedTest
  @EnumSource
  void aHeaderWithAnyByteFlippedIsNoHeader(ResumeVerify verify) throws Exception {
    byte[] journal = Files.readAllBytes(it.journal());
    byte[] part = Files.readAllBytes(it.part());
    for (int i = 0; i < Journal.JournalHeader.BYTES; i++) {
      flip(it.journal(), i);
      List<Integer> held = it.heldBlocks(verify);
      // Nothing holds it, so nothing is left of it.
      assertThat(held).as("byte %d", i).isEmpty();
      assertThat(folder).isEmptyDirectory();
      restore(journal, part);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRecordWithAnyByteFlippedIsNotBelievedAndTheOthersAre(ResumeVerify verify) throws Exception {
    for (int i = 0; i < Journal.RECORD_BYTES; i++) {
      flip(it.journal(), Journal.JournalHeader.BYTES + 3L * Journal.RECORD_BYTES + i);
      assertThat(it.heldBlocks(verify)).as("byte %d", i).containsExactly(0, 1, 2, 4, 5, 6, 7);
      it.close();
      Files.delete(it.journal());
      Files.delete(it.part());
      interrupt();
    }
  }

  @Test
  void aByteFlippedInThePartialFileCostsItsRange() throws Exception {
    flip(it.part(), 2 * InterruptedFile.BLOCK_BYTES + 77);
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0, 1, 3, 4, 5, 6, 7);
    assertThat(readJournal()).isEqualTo(new Journal.Told(told(0, 1, 3, 4, 5, 6, 7), true, true));
    it.interruptAfter(2);
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(FIRST_EIGHT);
  }

  @Test
  void aSampleThatFailsHasAllReadAgain() throws Exception {
    flip(it.part(), 77);
    flip(it.part(), 7 * InterruptedFile.BLOCK_BYTES + 77);
    assertThat(it.heldBlocks(ResumeVerify.SAMPLE)).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void nothingIsReadAgainWhereTheJournalIsBelieved() throws Exception {
    flip(it.part(), 77);
    ResumableFile file = it.open(ResumeVerify.NONE);
    assertThat(file.held().getFirst().crc32c()).isEqualTo(it.crc32c(file.held().getFirst().span()));
    assertThat(file.keptBytes()).isEqualTo(8 * InterruptedFile.BLOCK_BYTES);
    file.drop();
  }

  @ParameterizedTest
  @EnumSource
  void afterAStartOfTheMachineEverythingIsReadAgain(ResumeVerify verify) throws Exception {
    writeJournal(boot("another start ..."), told(IntStream.range(0, 8).toArray()));
    flip(it.part(), 77);
    assertThat(it.heldBlocks(verify)).containsExactly(1, 2, 3, 4, 5, 6, 7);
    // From now on it is of this start.
    assertThat(readJournal().thisBoot()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aJournalCutOffAnywhereTellsOfWhatIsLeft(ResumeVerify verify) throws Exception {
    byte[] whole = Files.readAllBytes(it.journal());
    byte[] part = Files.readAllBytes(it.part());
    for (int length = whole.length; length >= 0; length--) {
      restore(whole, part);
      cut(it.journal(), length);
      int records = Math.max(0, (length - Journal.JournalHeader.BYTES) / Journal.RECORD_BYTES);
      assertThat(it.heldBlocks(verify))
          .as("%d bytes", length)
          .containsExactly(IntStream.range(0, records).boxed().toArray(Integer[]::new));
    }
  }

  @Test
  void recordsAfterATornOneAreRead() throws Exception {
    cut(it.journal(), Journal.JournalHeader.BYTES + 2L * Journal.RECORD_BYTES + 11);
    it.interruptAfter(9);
    assertThat(it.heldBlocks(ResumeVerify.NONE)).containsExactly(0, 1, 9);
  }

  @ParameterizedTest
  @EnumSource
  void aPartialFileCutOffHoldsWhatIsLeft(ResumeVerify verify) throws Exception {
    cut(it.part(), 3 * InterruptedFile.BLOCK_BYTES + 1);
    assertThat(it.heldBlocks(verify)).containsExactly(0, 1, 2);
  }

  @Test
  void whatAPartialFileHasPastItsEndIsCutOff() throws Exception {
    it.interruptAfter(15);
    Files.write(it.part(), new byte[1000], StandardOpenOption.APPEND);
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 15);
    assertThat(it.part()).hasSize(InterruptedFile.BYTES);
  }

  @ParameterizedTest
  @EnumSource
  void anotherVersionOfTheSourceOrAnotherSizeBeginsAnew(ResumeVerify verify) throws Exception {
    byte[] journal = Files.readAllBytes(it.journal());
    byte[] part = Files.readAllBytes(it.part());
    Bytes identity = Bytes.of("another version.".getBytes(StandardCharsets.US_ASCII));
    ResumableFile other = it.open(InterruptedFile.NAME, InterruptedFile.BYTES, identity, verify);
    assertThat(other.held()).isEmpty();
    assertThat(it.part()).isEmptyFile();
    other.drop();
    restore(journal, part);
    ResumableFile shorter =
        it.open(InterruptedFile.NAME, InterruptedFile.BYTES - 1, InterruptedFile.IDENTITY, verify);
    assertThat(shorter.held()).isEmpty();
    shorter.drop();
    restore(journal, part);
    assertThat(it.heldBlocks(verify)).containsExactly(FIRST_EIGHT);
  }

  @ParameterizedTest
  @EnumSource
  void theJournalOfAnotherFileSaysNothing(ResumeVerify verify) throws Exception {
    byte[] other = "other".getBytes(StandardCharsets.US_ASCII);
    HiddenNames names = HiddenNames.of(other);
    Files.move(it.journal(), path(names.journal()));
    Files.move(it.part(), path(names.part()));
    ResumableFile file = it.open(other, InterruptedFile.BYTES, InterruptedFile.IDENTITY, verify);
    assertThat(file.held()).isEmpty();
    file.drop();
  }

  @ParameterizedTest
  @EnumSource
  void partialFilesThatChangedPlacesBothBeginAnew(ResumeVerify verify) throws Exception {
    byte[] other = "other".getBytes(StandardCharsets.US_ASCII);
    HiddenNames names = HiddenNames.of(other);
    ResumableFile second = it.open(other, InterruptedFile.BYTES, InterruptedFile.IDENTITY, verify);
    it.write(second, 0);
    second.file().write(ByteBuffer.wrap(new byte[1000]), InterruptedFile.BLOCK_BYTES);
    second.keep();
    Path aside = folder.resolve("aside");
    Files.move(it.part(), aside);
    Files.move(path(names.part()), it.part());
    Files.move(aside, path(names.part()));
    assertThat(it.heldBlocks(verify)).isEmpty();
    ResumableFile swapped = it.open(other, InterruptedFile.BYTES, InterruptedFile.IDENTITY, verify);
    assertThat(swapped.held()).isEmpty();
    swapped.drop();
  }

  @Test
  void recordsOfAnotherJournalDoNotPass() throws Exception {
    byte[] before = Files.readAllBytes(it.journal());
    // The same file, another salt.
    writeJournal(Journal.JournalHeader.BOOT_ID, told(0, 1));
    try (FileChannel channel = FileChannel.open(it.journal(), StandardOpenOption.WRITE)) {
      long end = Journal.JournalHeader.BYTES + 2L * Journal.RECORD_BYTES;
      channel.write(ByteBuffer.wrap(before).position((int) end), end);
    }
    assertThat(it.heldBlocks(ResumeVerify.NONE)).containsExactly(0, 1);
  }

  @ParameterizedTest
  @EnumSource
  void recordsPastTheEndOrOfNothingAreNotBelieved(ResumeVerify verify) throws Exception {
    long bytes = InterruptedFile.BYTES;
    writeJournal(
        Journal.JournalHeader.BOOT_ID,
        List.of(
            it.told(1),
            new Held(new Span(bytes, 10), 0),
            new Held(new Span(bytes - 10, 20), 0),
            new Held(new Span(0, Long.MAX_VALUE), 0),
            new Held(new Span(Long.MAX_VALUE - 1, 1), 0),
            it.told(3)));
    assertThat(it.heldBlocks(verify)).containsExactly(3);
  }

  @ParameterizedTest
  @EnumSource
  void ofRecordsThatOverlapTheLastOneCounts(ResumeVerify verify) throws Exception {
    Span across = new Span(InterruptedFile.BLOCK_BYTES / 2, InterruptedFile.BLOCK_BYTES);
    writeJournal(
        Journal.JournalHeader.BOOT_ID,
        List.of(it.told(0), it.told(1), it.told(2), new Held(across, it.crc32c(across))));
    ResumableFile file = it.open(verify);
    assertThat(file.keptBytes()).isEqualTo(2 * InterruptedFile.BLOCK_BYTES);
    it.heldBlocks(file);
    file.keep();
  }

  @Test
  void aMillionRecordsAreRead() throws Exception {
    List<Held> bytes = new ArrayList<>();
    for (int i = 0; i < 1_000_000; i++) {
      Span each = new Span(i, 1);
      bytes.add(new Held(each, it.crc32c(each)));
    }
    Files.write(it.part(), it.content);
    writeJournal(Journal.JournalHeader.BOOT_ID, bytes);
    ResumableFile file = it.open(ResumeVerify.NONE);
    assertThat(file.keptBytes()).isEqualTo(1_000_000);
    assertThat(file.held().size()).isLessThanOrEqualTo(Limits.HELD_MAX);
    assertThat(file.held().stream().mapToLong(held -> held.span().length()).sum())
        .isEqualTo(1_000_000);
    it.heldBlocks(file);
    file.drop();
  }

  @Test
  void aMillionRecordsApartAreMoreThanCanBeSaid() throws Exception {
    List<Held> bytes = new ArrayList<>();
    for (int i = 0; i < Journal.RECORDS_MAX / 2; i++) {
      Span each = new Span(2L * i, 1);
      bytes.add(new Held(each, it.crc32c(each)));
    }
    Files.write(it.part(), it.content);
    writeJournal(Journal.JournalHeader.BOOT_ID, bytes);
    ResumableFile file = it.open(ResumeVerify.NONE);
    assertThat(file.held().size()).isEqualTo(Limits.HELD_MAX);
    file.drop();
  }

  /// A file of 2 MiB in blocks of one byte took 92 MB of memory.
  @Test
  void bytesThatCameOneByOneAreToldAsFewSpans() throws Exception {
    List<Integer> offsets = new ArrayList<>(IntStream.range(0, 10_000).boxed().toList());
    Collections.shuffle(offsets, new Random(7));
    List<Held> told = toldOf(offsets);
    assertThat(told.size()).isLessThan(10);
    assertThat(told.stream().mapToLong(held -> held.span().length()).sum()).isEqualTo(10_000);
    assertThat(told).allMatch(held -> held.crc32c() == it.crc32c(held.span()));
  }

  @Test
  void ofBytesThatLieApartNotAllAreTold() throws Exception {
    List<Held> told = toldOf(IntStream.range(0, 100_000).map(i -> 2 * i).boxed().toList());
    assertThat(told.size()).isBetween(Limits.HELD_MAX, 3 * Limits.HELD_MAX);
  }

  private List<Held> toldOf(List<Integer> offsets) throws Exception {
    try (Journal journal = openJournal()) {
      journal.begin(header(Journal.JournalHeader.BOOT_ID), List.of());
      for (int offset : offsets) {
        Span each = new Span(offset, 1);
        journal.append(each, it.crc32c(each));
      }
    }
    return readJournal().records();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoPrivateFileIsRemovedAndNotFollowed(Planted planted) throws Exception {
    byte[] journal = Files.readAllBytes(it.journal());
    byte[] part = Files.readAllBytes(it.part());
    Path victim = Files.writeString(folder.resolve("victim"), "mine");
    for (Path name : List.of(it.journal(), it.part())) {
      restore(journal, part);
      planted.plantAt(name, victim);
      ResumableFile file = it.open(ResumeVerify.NONE);
      assertThat(file.held()).as("%s at %s", planted, name).isEmpty();
      it.write(file, 0);
      file.keep();
      assertThat(victim).hasContent("mine");
      assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0);
    }
  }

  enum Planted {
    SYMLINK,
    DANGLING_SYMLINK,
    HARD_LINK,
    FIFO,
    OPEN_TO_OTHERS;

    void plantAt(Path name, Path victim) throws IOException {
      Path kept = name.resolveSibling("kept");
      Files.move(name, kept, StandardCopyOption.REPLACE_EXISTING);
      switch (this) {
        case SYMLINK -> Files.createSymbolicLink(name, kept);
        case DANGLING_SYMLINK -> Files.createSymbolicLink(name, Path.of("nowhere"));
        case HARD_LINK -> Files.createLink(name, kept);
        case FIFO -> Programs.fifo(name);
        case OPEN_TO_OTHERS -> {
          Files.move(kept, name);
          Files.setPosixFilePermissions(name, PosixFilePermissions.fromString("rw-r-----"));
        }
      }
    }
  }

  @Test
  void whereADirectoryHasTheNameTheFileArrivesAndNothingIsKept() throws Exception {
    for (Path name : List.of(it.journal(), it.part())) {
      Files.deleteIfExists(it.journal());
      Files.deleteIfExists(it.part());
      Files.createDirectory(name);
      seeOnePassBy();
      assertThat(name).isEmptyDirectory();
      Files.delete(name);
      Files.delete(folder.resolve("photo.raw"));
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void aFileOfAnotherUserIsLeftAlone() throws Exception {
    assumeTrue(Programs.isRoot(), "only root may give a file away");
    for (Path name : List.of(it.journal(), it.part())) {
      byte[] before = Files.readAllBytes(name);
      Files.setAttribute(name, "unix:uid", 65534);
      seeOnePassBy();
      assertThat(name).hasBinaryContent(before);
      Files.delete(folder.resolve("photo.raw"));
      Files.setAttribute(name, "unix:uid", 0);
    }
  }

  /// A file that nobody can go on with is hidden, arrives, and leaves nothing where it does not.
  private void seeOnePassBy() throws Exception {
    List<String> before = List.of(folder.toFile().list());
    ResumableFile kept = it.open(ResumeVerify.NONE);
    assertThat(kept.held()).isEmpty();
    it.write(kept, 0);
    assertThat(kept.keptBytes()).isZero();
    kept.keep();
    assertThat(before).contains(folder.toFile().list());
    ResumableFile file = it.open(ResumeVerify.NONE);
    it.write(file, 0);
    InterruptedFile.reveal(file, InterruptedFile.NAME, false);
    assertThat(folder.resolve("photo.raw")).hasSize(InterruptedFile.BLOCK_BYTES);
  }

  @Test
  void aJournalWithoutSpaceCostsTheFileNothing() throws Exception {
    try (Mounted small = Mounted.inFile(folder, "ext4", "16M", "-q", "-b", "1024", "-m", "0");
        InterruptedFile full = new InterruptedFile(small.path())) {
      ResumableFile file = full.open(ResumeVerify.ALL);
      for (int i = 0; i < InterruptedFile.BLOCKS; i++) {
        full.write(file, i);
      }
      fill(small.path().resolve("filler"));
      for (int i = 0; i < 1000; i++) {
        Span each = new Span(i, 1);
        file.append(each, full.crc32c(each));
      }
      file.keep();
      assertThat(full.heldBlocks(ResumeVerify.ALL)).isNotEmpty();
      ResumableFile again = full.open(ResumeVerify.ALL);
      InterruptedFile.reveal(again, InterruptedFile.NAME, false);
      assertThat(small.path().resolve("photo.raw")).hasBinaryContent(full.content);
    }
  }

  @Test
  void aJournalOfAnEarlierStartIsWrittenAnewOnAFullDisk() throws Exception {
    try (Mounted small = Mounted.inFile(folder, "ext4", "16M", "-q", "-b", "1024", "-m", "0");
        InterruptedFile full = new InterruptedFile(small.path())) {
      it.close();
      it = full;
      it.interruptAfter(0, 1, 2);
      writeJournal(boot("another start ..."), told(0, 1, 2));
      fill(small.path().resolve("filler"));
      assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0, 1, 2);
      assertThat(readJournal().records()).hasSize(3);
    }
  }

  @Test
  void randomBytesInAJournalAreNeverBelieved() throws Exception {
    long seed = System.nanoTime();
    System.out.println("DamagedJournalTest: seed " + seed);
    Random random = new Random(seed);
    byte[] journal = Files.readAllBytes(it.journal());
    byte[] part = Files.readAllBytes(it.part());
    for (int round = 0; round < 300; round++) {
      restore(journal, part);
      for (int i = random.nextInt(4); i >= 0; i--) {
        Path hurt = random.nextInt(4) == 0 ? it.part() : it.journal();
        flip(hurt, random.nextLong(Files.size(hurt)));
      }
      if (random.nextInt(4) == 0) {
        cut(it.journal(), random.nextInt(journal.length));
      }
      it.heldBlocks(ResumeVerify.ALL);
    }
  }

  private static void fill(Path filler) throws IOException {
    byte[] zeros = new byte[1024];
    try (FileChannel channel =
        FileChannel.open(filler, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (true) {
        channel.write(ByteBuffer.wrap(zeros));
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left on device");
    }
  }

  private List<Held> told(int... blocks) {
    return IntStream.of(blocks).mapToObj(it::told).toList();
  }

  private static Bytes boot(String id) {
    return Bytes.of(
        id.substring(0, Journal.JournalHeader.BOOT_ID_BYTES).getBytes(StandardCharsets.US_ASCII));
  }

  private Journal.JournalHeader header(Bytes boot) throws IOException {
    long inode = (long) Files.getAttribute(it.part(), "unix:ino");
    return new Journal.JournalHeader(
        HiddenNames.of(InterruptedFile.NAME).digest(),
        InterruptedFile.BYTES,
        InterruptedFile.IDENTITY,
        boot,
        inode,
        42);
  }

  private void writeJournal(Bytes boot, List<Held> records) throws Exception {
    try (Journal journal = openJournal()) {
      journal.begin(header(boot), records);
    }
  }

  private Journal.Told readJournal() throws Exception {
    try (Journal journal = openJournal()) {
      return journal.read(header(Journal.JournalHeader.BOOT_ID));
    }
  }

  private Journal openJournal() throws Exception {
    byte[] name = HiddenNames.of(InterruptedFile.NAME).journal();
    return Journal.open(it.directory, name, InterruptedFile.NAME);
  }

  private Path path(byte[] name) {
    return folder.resolve(new String(name, StandardCharsets.US_ASCII));
  }

  /// The journal speaks of the partial file by its inode, so that is written over.
  private void restore(byte[] journal, byte[] part) throws IOException {
    for (Path each : List.of(it.journal(), it.part())) {
      Files.deleteIfExists(each);
    }
    try (NativeFile file = it.directory.create(HiddenNames.of(InterruptedFile.NAME).part(), 0600);
        NativeFile told =
            it.directory.create(HiddenNames.of(InterruptedFile.NAME).journal(), 0600)) {
      file.write(ByteBuffer.wrap(part), 0);
      ByteBuffer header = ByteBuffer.wrap(journal);
      Journal.JournalHeader before = Journal.JournalHeader.read(header);
      new Journal.JournalHeader(
              before.name(),
              before.size(),
              before.identity(),
              before.boot(),
              file.status().inode(),
              before.salt())
          .write(header.clear());
      told.write(header.clear(), 0);
    }
  }

  private static void flip(Path file, long offset) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      one.put(0, (byte) (one.get(0) ^ 0x10));
      channel.write(one.flip(), offset);
    }
  }

  private static void cut(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }
}
