package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.Crc32c;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.place.Partials;
import dev.zcp.session.ResumeVerify;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import dev.zcp.wire.Held;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is kept of a file that was interrupted, and what is not.
class ResumableFileTest {

  private static final byte[] NAME = InterruptedFile.NAME;

  private static final int RIVALS = 6;
  private static final int TURNS = 1_000;

  @TempDir Path folder;

  private InterruptedFile it;

  @BeforeEach
  void begin() throws IOException {
    it = new InterruptedFile(folder);
  }

  @AfterEach
  void end() throws IOException {
    it.close();
  }

  @Test
  void neighboursAreHeldAsOne() throws Exception {
    it.interruptAfter(3, 0, 1, 15, 2);
    ResumableFile file = it.open(ResumeVerify.ALL);
    assertThat(file.held())
        .extracting(Held::span)
        .containsExactly(new Span(0, 4 * InterruptedFile.BLOCK_BYTES), InterruptedFile.block(15));
    it.heldBlocks(file);
    file.drop();
  }

  @Test
  void theNextSessionHoldsWhatWasTold() throws Exception {
    it.interruptAfter(3, 0, 1, 15);
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0, 1, 3, 15);
    it.interruptAfter(2);
    for (ResumeVerify verify : ResumeVerify.values()) {
      assertThat(it.heldBlocks(verify)).containsExactly(0, 1, 2, 3, 15);
    }
  }

  @Test
  void whatASampleDoesNotReadCountsAsBelieved() throws Exception {
    it.interruptAfter(IntStream.range(0, InterruptedFile.BLOCKS).toArray());
    ResumableFile sampled = it.open(ResumeVerify.SAMPLE);
    assertThat(sampled.bytesBelieved())
        .isBetween(1L, (InterruptedFile.BLOCKS - 2L) * InterruptedFile.BLOCK_BYTES);
    sampled.drop();
  }

  @Test
  void whatWasNotReadAgainCountsAsBelievedUntilItIsWrittenOver() throws Exception {
    it.interruptAfter(0, 1, 2, 3);
    ResumableFile read = it.open(ResumeVerify.ALL);
    assertThat(read.bytesBelieved()).isZero();
    read.keep();
    ResumableFile file = it.open(ResumeVerify.NONE);
    assertThat(file.bytesBelieved()).isEqualTo(4 * InterruptedFile.BLOCK_BYTES);
    file.takeBack(new Span(InterruptedFile.BLOCK_BYTES + 5, 10));
    assertThat(file.bytesBelieved()).isEqualTo(3 * InterruptedFile.BLOCK_BYTES);
    file.takeBack(new Span(0, 4 * InterruptedFile.BLOCK_BYTES));
    assertThat(file.bytesBelieved()).isZero();
    file.drop();
  }

  @Test
  void whatWasWrittenAndNotToldOfIsNotHeld() throws Exception {
    ResumableFile file = it.open(ResumeVerify.ALL);
    it.write(file, 0);
    file.file().write(ByteBuffer.wrap(new byte[100]), InterruptedFile.BLOCK_BYTES);
    file.keep();
    assertThat(it.heldBlocks(ResumeVerify.NONE)).containsExactly(0);
  }

  @Test
  void whatIsWrittenOverIsTakenBackBefore() throws Exception {
    it.interruptAfter(0, 1, 2);
    ResumableFile file = it.open(ResumeVerify.NONE);
    file.takeBack(new Span(InterruptedFile.BLOCK_BYTES + 5, 10));
    file.takeBack(InterruptedFile.block(9));
    assertThat(file.keptBytes()).isEqualTo(2 * InterruptedFile.BLOCK_BYTES);
    file.keep();
    assertThat(it.heldBlocks(ResumeVerify.NONE)).containsExactly(0, 2);
    it.interruptAfter(1);
    assertThat(it.heldBlocks(ResumeVerify.NONE)).containsExactly(0, 1, 2);
  }

  @Test
  void bothFilesAreForNobodyElseAndGoWhenTheFileGetsItsName() throws Exception {
    ResumableFile file = it.open(ResumeVerify.ALL);
    for (Path hidden : List.of(it.part(), it.journal())) {
      assertThat(Files.getPosixFilePermissions(hidden))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      assertThat(hidden.getFileName().toString()).matches("\\.zcp-[0-9a-f]{16}\\.(part|journal)");
    }
    for (int i = 0; i < InterruptedFile.BLOCKS; i++) {
      it.write(file, i);
    }
    InterruptedFile.reveal(file, NAME, false);
    file.keep();
    file.drop();
    assertThat(folder.toFile().list()).containsExactly("photo.raw");
    assertThat(folder.resolve("photo.raw")).hasBinaryContent(it.content);
  }

  @Test
  void nothingIsLeftOfWhatWasDroppedOrHasNothingToKeep() throws Exception {
    ResumableFile dropped = it.open(ResumeVerify.ALL);
    it.write(dropped, 4);
    dropped.drop();
    assertThat(folder).isEmptyDirectory();
    ResumableFile empty = it.open(ResumeVerify.ALL);
    empty.file().write(ByteBuffer.wrap(new byte[100]), 0);
    empty.keep();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aNameThatIsTakenMeanwhileCostsNoByte() throws Exception {
    ResumableFile file = it.open(ResumeVerify.ALL);
    it.write(file, 0);
    Files.writeString(folder.resolve("photo.raw"), "older");
    assertThatThrownBy(() -> InterruptedFile.reveal(file, NAME, false))
        .isInstanceOf(FileAlreadyExistsException.class);
    file.keep();
    assertThat(folder.resolve("photo.raw")).hasContent("older");
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0);
    InterruptedFile.reveal(it.open(ResumeVerify.ALL), NAME, true);
    assertThat(folder.toFile().list()).containsExactly("photo.raw");
    assertThat(folder.resolve("photo.raw")).hasSize(InterruptedFile.BLOCK_BYTES);
  }

  @Test
  void aSignalRevealsNothingAndDeletesNothing() throws Exception {
    ResumableFile file = it.open(ResumeVerify.ALL);
    it.write(file, 0);
    it.partials.abandon();
    assertThatThrownBy(() -> InterruptedFile.reveal(file, NAME, true))
        .hasMessageContaining("given up");
    file.keep();
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0);
  }

  @Test
  void aFileIsOfOneSessionAtATime() throws Exception {
    ResumableFile file = it.open(ResumeVerify.ALL);
    it.write(file, 0);
    assertThatThrownBy(() -> it.open(ResumeVerify.ALL))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exitCode()).isEqualTo(ExitCode.EXISTS);
              assertThat(failure).hasMessage("photo.raw: it is being received from another sender");
            });
    // The refused one has not let go of the other's lock.
    assertThatThrownBy(() -> it.open(ResumeVerify.ALL)).isInstanceOf(Failure.class);
    it.write(file, 1);
    file.keep();
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0, 1);
  }

  @Test
  void ofManyWhoWantItAtOnceOneHasIt() throws Exception {
    AtomicInteger owners = new AtomicInteger();
    takeTurns(
        turn -> {
          ResumableFile file = it.open(ResumeVerify.NONE);
          assertThat(owners.incrementAndGet()).isEqualTo(1);
          assertThat(it.part()).exists();
          if (turn % 2 == 0) {
            it.write(file, 0);
          }
          owners.decrementAndGet();
          if (turn % 3 == 0) {
            InterruptedFile.reveal(file, NAME, true);
          } else {
            file.keep();
          }
        });
  }

  /// Less than a receiver takes to start.
  private static final long RESTART_MS = 200;

  /// It stayed for ever, since its name was drawn by lot and its file was complete by then; later
  /// still if the next receiver came within a second.
  @Test
  void whatAKilledReceiverLeftOfASmallFileGoesWithTheNextTry() throws Exception {
    ResumableFile killed = ResumableFile.passing(new Partials(), it.directory, NAME, 0600);
    killed.file().write(ByteBuffer.wrap(new byte[] {1}), 0);
    assertThat(hidden()).hasSize(1);
    Thread.sleep(RESTART_MS);
    ResumableFile other = ResumableFile.passing(it.partials, it.directory, NAME, 0600);
    assertThat(hidden()).as("one that is locked stays").hasSize(2);
    other.drop();
    killed.file().close();
    ResumableFile next = ResumableFile.passing(it.partials, it.directory, NAME, 0600);
    assertThat(hidden()).hasSize(1);
    InterruptedFile.reveal(next, NAME, false);
    assertThat(hidden()).isEmpty();
  }

  /// An ordinary user may not write to a file of this mode, not even to his own.
  @Test
  void whatWasAboutToGetItsNameGoesWithTheNextTryToo() throws Exception {
    ResumableFile.passing(new Partials(), it.directory, NAME, 0600).file().close();
    Files.setPosixFilePermissions(
        hidden().getFirst(), PosixFilePermissions.fromString("r--r--r--"));
    Thread.sleep(RESTART_MS);
    ResumableFile next = ResumableFile.passing(it.partials, it.directory, NAME, 0600);
    assertThat(hidden()).hasSize(1);
    InterruptedFile.reveal(next, NAME, false);
    assertThat(hidden()).isEmpty();
  }

  private List<Path> hidden() throws IOException {
    try (Stream<Path> all = Files.list(it.folder)) {
      return all.filter(each -> each.getFileName().toString().startsWith(".zcp-")).toList();
    }
  }

  @Test
  void aJournalThatCannotBeRemovedIsTold() throws Exception {
    ResumableFile file = it.open(ResumeVerify.ALL);
    it.write(file, 0);
    Files.delete(it.journal());
    Files.createDirectory(it.journal());
    InterruptedFile.reveal(file, NAME, false);
    assertThat(file.leftBehind()).matches("\\.zcp-[0-9a-f]{16}\\.journal could not be removed: .+");
  }

  /// Who opened a journal that was deleted before he came to its lock has the lock of nothing.
  @Test
  void theLockOfADeletedJournalIsNone() throws Exception {
    byte[] name = HiddenNames.of(NAME).journal();
    AtomicInteger owners = new AtomicInteger();
    takeTurns(
        turn -> {
          try (Journal journal = Journal.open(it.directory, name, NAME)) {
            if (journal != null) {
              assertThat(owners.incrementAndGet()).isEqualTo(1);
              assertThat(it.journal()).exists();
              owners.decrementAndGet();
              journal.delete();
            }
          }
        });
  }

  private interface Turn {
    void take(int turn) throws Exception;
  }

  private static void takeTurns(Turn turn) throws Exception {
    AtomicInteger taken = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(RIVALS)) {
      List<Future<Void>> all = new ArrayList<>();
      for (int i = 0; i < RIVALS; i++) {
        all.add(
            threads.submit(
                () -> {
                  for (int each = 0; each < TURNS; each++) {
                    try {
                      turn.take(each);
                      taken.incrementAndGet();
                    } catch (Failure inUse) {
                      assertThat(inUse.exitCode()).isEqualTo(ExitCode.EXISTS);
                    }
                  }
                  return null;
                }));
      }
      for (Future<Void> each : all) {
        each.get();
      }
    }
    assertThat(taken.get()).isGreaterThan(0);
  }

  @Test
  void aFileOfAnotherProcessIsNotTaken() throws Exception {
    Programs.assume("flock");
    it.interruptAfter(0);
    Process other =
        new ProcessBuilder("flock", it.journal().toString(), "sh", "-c", "echo; exec sleep 60")
            .start();
    try {
      assertThat(other.getInputStream().read()).isEqualTo('\n');
      assertThatThrownBy(() -> it.open(ResumeVerify.ALL)).isInstanceOf(Failure.class);
    } finally {
      // The lock goes when the last of them has ended.
      for (ProcessHandle below : other.descendants().toList()) {
        below.destroyForcibly();
        below.onExit().get(10, TimeUnit.SECONDS);
      }
      other.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0);
  }

  @Test
  void whoeverWaitsForTheReadingIsToldOfItAndMayEndIt() throws Exception {
    it.interruptAfter(0, 1, 2);
    AtomicInteger told = new AtomicInteger();
    open(told::incrementAndGet).keep();
    assertThat(told).hasPositiveValue();
    assertThatThrownBy(
            () ->
                open(
                    () -> {
                      throw new IllegalStateException("enough");
                    }))
        .hasMessage("enough");
    assertThat(it.heldBlocks(ResumeVerify.ALL)).containsExactly(0, 1, 2);
  }

  private ResumableFile open(FileWork progress) throws Exception {
    return ResumableFile.open(
        it.partials,
        it.directory,
        NAME,
        0600,
        InterruptedFile.BYTES,
        InterruptedFile.IDENTITY,
        ResumeVerify.ALL,
        progress);
  }

  @Test
  void aHoleReadsAsZerosWhateverWasThere() throws Exception {
    seeHoles();
  }

  /// It has no fallocate(2).
  @Test
  void aHoleIsZerosWhereThereAreNoHoles() throws Exception {
    try (Mounted ramfs = Mounted.inMemory(folder, "ramfs");
        InterruptedFile other = new InterruptedFile(ramfs.path())) {
      it.close();
      it = other;
      seeHoles();
    }
  }

  private void seeHoles() throws Exception {
    ResumableFile file = it.open(ResumeVerify.ALL);
    it.write(file, 0);
    it.write(file, 1);
    Span inside = new Span(1000, InterruptedFile.BLOCK_BYTES);
    Span past = new Span(5 * InterruptedFile.BLOCK_BYTES, 300_000);
    for (Span hole : List.of(inside, past)) {
      file.takeBack(hole);
      file.hole(hole);
      file.append(hole, Crc32c.ofZeros(hole.length()));
    }
    assertThat(file.file().status().sizeBytes()).isEqualTo(past.end());
    byte[] expected = Arrays.copyOf(it.content, (int) past.end());
    Arrays.fill(expected, 1000, (int) inside.end(), (byte) 0);
    Arrays.fill(expected, 2 * InterruptedFile.BLOCK_BYTES, expected.length, (byte) 0);
    assertThat(Files.readAllBytes(it.part())).isEqualTo(expected);
    assertThat(file.keptBytes()).isEqualTo(inside.length() + past.length());
    file.keep();
    ResumableFile again = it.open(ResumeVerify.ALL);
    assertThat(again.held()).extracting(Held::span).containsExactly(inside, past);
    again.drop();
  }
}
