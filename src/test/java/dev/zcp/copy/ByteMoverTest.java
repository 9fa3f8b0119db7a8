package dev.zcp.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.carrier.RateLimit;
import dev.zcp.copy.CopyForm.CopyKind;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Strategies;
import dev.zcp.engine.Transfer.Observer;
import dev.zcp.insight.Event;
import dev.zcp.insight.FileLog;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Stage;
import dev.zcp.linux.Entries;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.NativeFile;
import dev.zcp.profile.RouteTunings;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.testing.Archive;
import dev.zcp.testing.FileContent;
import dev.zcp.testing.Programs;
import dev.zcp.testing.ShortSink;
import dev.zcp.testing.TestEnds;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Policy.OnChange;
import dev.zcp.tree.Preserve;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ByteMoverTest {

  private static final int MIB = 1 << 20;

  @TempDir Path folder;

  private final List<String> notes = new ArrayList<>();
  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> written = Collections.synchronizedList(new ArrayList<>());
  private final List<String> paths = Collections.synchronizedList(new ArrayList<>());

  private Choice choice = Choice.DEFAULT;
  private OnChange onChange = OnChange.RETRY;
  private boolean sparse = true;
  private boolean zerosToHoles;

  /// What somebody else does after each step.
  private Disturbance disturbance = step -> {};

  @FunctionalInterface
  private interface Disturbance {
    void after(int step) throws IOException, Failure;
  }

  // Sizes

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        1,
        4095,
        4096,
        4097,
        PathChoice.SMALL_BUFFER_BYTES_MAX_BESIDE_ONE_CALL,
        PathChoice.SMALL_BUFFER_BYTES_MAX_BESIDE_ONE_CALL + 1,
        PathChoice.SMALL_BUFFER_BYTES_MAX - 1,
        PathChoice.SMALL_BUFFER_BYTES_MAX,
        PathChoice.SMALL_BUFFER_BYTES_MAX + 1,
        3 * MIB + 7
      })
  void aFileOfAnySizeArrivesWhole(int bytes) throws Exception {
    Path source = random("source", bytes);
    FileStatus status = copy(source);
    FileContent.assertSame(target(), source);
    assertThat(status.sizeBytes()).isEqualTo(bytes);
  }

  @Test
  void autoMovesASmallFileByOneStepOfDirect() throws Exception {
    int bytes = PathChoice.SMALL_BUFFER_BYTES_MAX_BESIDE_ONE_CALL;
    copy(random("source", bytes));
    assertThat(ran).containsExactly("direct " + bytes);
    assertThat(paths).containsExactly("small buffer");
  }

  @Test
  void autoLetsTheKernelCopyALargerOneInOneStep() throws Exception {
    int bytes = PathChoice.SMALL_BUFFER_BYTES_MAX_BESIDE_ONE_CALL + 1;
    copy(random("source", bytes));
    assertThat(ran).containsExactly("copyFileRange " + bytes);
    assertThat(paths).containsExactly("one call");
  }

  @Test
  void ofTwoLargeFilesAtATimeOneIsBookedAsMovedByTwoThreads() throws Exception {
    assumeTrue(Files.getFileStore(folder).type().equals("ext4"), "not on ext4");
    Path source = Programs.zeros(folder.resolve("source"), PathChoice.TWO_THREADS_BYTES_MIN);
    ByteMover mover = body();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    disturbance =
        step -> {
          if (isFirst.getAndSet(false)) {
            copyTo("second", mover, source);
          }
        };
    copyTo("first", mover, source);
    assertThat(paths).containsExactly("strategy steps", "two threads");
  }

  @Test
  void autoMovesASmallFileToAnotherFileSystemByOneStepOfDirect() throws Exception {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory), "no other file system: /dev/shm is not there");
    assumeTrue(
        !Files.getFileStore(memory).equals(Files.getFileStore(folder)),
        "no other file system: all is in /dev/shm");
    Path source = Files.createTempFile(memory, "file-body", "");
    try {
      Files.write(source, new byte[PathChoice.SMALL_BUFFER_BYTES_MAX]);
      copy(source);
      assertThat(ran).containsExactly("direct " + PathChoice.SMALL_BUFFER_BYTES_MAX);
      FileContent.assertSame(target(), source);
    } finally {
      Files.delete(source);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream", "heap", "direct", "mmap", "transferTo", "copyFileRange"})
  void aStrategyAskedForByNameMovesSmallFilesToo(String strategy) throws Exception {
    choice = new Choice(strategy, Choice.ADAPTIVE);
    Path source = random("source", 5000);
    copy(source);
    FileContent.assertSame(target(), source);
    assertThat(ran).isNotEmpty().allMatch(step -> step.startsWith(strategy + " "));
  }

  @Test
  void aStepSizeAskedForIsKeptInSmallFilesToo() throws Exception {
    choice = new Choice(Choice.AUTO, 1000);
    copy(random("source", 2500));
    assertThat(ran).extracting(step -> step.split(" ")[1]).containsExactly("1000", "1000", "500");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "stream", "heap", "direct", "copyFileRange", "splice"})
  void aFileOfProcArrivesWholeThoughItSaysThatItIsEmpty(String strategy) throws Exception {
    choice = new Choice(strategy, Choice.ADAPTIVE);
    Path source = Path.of("/proc/cpuinfo");
    assumeTrue(Files.isReadable(source), "no /proc here");
    if (strategy.equals("copyFileRange")) {
      assertThatThrownBy(() -> copy(source)).hasMessageContaining("cannot serve here");
      return;
    }
    copy(source);
    assertThat(Files.size(target())).isPositive();
    assertThat(lineStarts(target())).isEqualTo(lineStarts(source));
  }

  @Test
  void aFileOfSysArrivesWholeThoughItSaysThatItIsAPageLong() throws Exception {
    Path source = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    assumeTrue(Files.isReadable(source), "no " + source + " here");
    copy(source);
    FileContent.assertSame(target(), source);
  }

  // Holes

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto",
        "stream",
        "heap",
        "direct",
        "mmap",
        "transferTo",
        "copyFileRange",
        "splice"
      })
  void holesStayHoles(String strategy) throws Exception {
    choice = new Choice(strategy, Choice.ADAPTIVE);
    Path source = withHoles("source", 32 * MIB + 100);
    copy(source);
    FileContent.assertSame(target(), source);
    assertThat(blocks(target())).isLessThanOrEqualTo(blocks(source));
  }

  @Test
  void aSmallFileKeepsItsHoles() throws Exception {
    Path source = withHoles("source", 64 << 10);
    copy(source);
    FileContent.assertSame(target(), source);
    assertThat(blocks(target())).isLessThanOrEqualTo(blocks(source));
  }

  @Test
  void aFileThatIsOneHoleIsOne() throws Exception {
    Path source = folder.resolve("source");
    resize(source, 5L << 30);
    copy(source);
    assertThat(target()).hasSize(5L << 30);
    assertThat(blocks(target())).isZero();
  }

  @Test
  void holesAreFilledWhereTheyAreNotToBeKept() throws Exception {
    sparse = false;
    Path source = withHoles("source", 8 * MIB);
    copy(source);
    FileContent.assertSame(target(), source);
    assertThat(blocks(target()) * 512).isGreaterThanOrEqualTo(8 * MIB);
  }

  @Test
  void zerosThatTheSourceHasWrittenAreNoHoles() throws Exception {
    Path source = Files.write(folder.resolve("source"), new byte[4 * MIB]);
    copy(source);
    assertThat(blocks(target()) * 512).isGreaterThanOrEqualTo(4 * MIB);
  }

  @ParameterizedTest
  @ValueSource(ints = {3 * 4096, 3 * 4096 + 1, MIB + 100})
  void blocksOfZerosBecomeHolesIfThatIsAskedFor(int bytes) throws Exception {
    zerosToHoles = true;
    byte[] content = new byte[bytes];
    // Within a block, and on both sides of where one begins.
    content[100] = 1;
    content[2 * 4096 - 1] = 1;
    content[2 * 4096] = 1;
    Path source = Files.write(folder.resolve("source"), content);
    copy(source);
    FileContent.assertSame(target(), source);
    Files.write(source, new byte[bytes]);
    copyTo("zeros", body(), source);
    FileContent.assertSame(folder.resolve("zeros"), source);
    assertThat(blocks(folder.resolve("zeros"))).isZero();
  }

  @Test
  void aBlockOfZerosThatIsNotWrittenIsNoSampleOfAWrite() throws Exception {
    zerosToHoles = true;
    byte[] bytes = new byte[5 * 4096];
    Arrays.fill(bytes, 4096, 2 * 4096, (byte) 1);
    Arrays.fill(bytes, 4 * 4096, 5 * 4096, (byte) 1);
    copy(Files.write(folder.resolve("source"), bytes));
    assertThat(written).containsExactly(4096L, 4096L);
    assertThat(target()).hasBinaryContent(bytes);
  }

  @Test
  void aSourceThatGrowsIsReadToItsEndIfZerosBecomeHoles() throws Exception {
    zerosToHoles = true;
    onChange = OnChange.ACCEPT;
    Path source = random("source", 10_000);
    disturbance =
        step -> {
          if (step == 1) {
            append(source, 10_000);
          }
        };
    assertThat(copy(source).sizeBytes()).isEqualTo(20_000);
    FileContent.assertSame(target(), source);
  }

  @Test
  void aSourceWhoseZerosChangeIsReadOnceMore() throws Exception {
    zerosToHoles = true;
    Path source = Files.write(folder.resolve("source"), new byte[3 * MIB]);
    disturbance = step -> rewrite(source, step == 1);
    copy(source);
    FileContent.assertSame(target(), source);
    assertThat(notes).isEmpty();
  }

  // Changes

  @ParameterizedTest
  @ValueSource(ints = {3000, 3 * MIB})
  void aSourceThatChangesOnceIsReadOnceMore(int bytes) throws Exception {
    Path source = random("source", bytes);
    disturbance = step -> rewrite(source, step == 1);
    FileStatus status = copy(source);
    FileContent.assertSame(target(), source);
    assertThat(status.modified()).isEqualTo(FileStatus.of(source).modified());
    assertThat(notes).isEmpty();
  }

  @Test
  void aSourceThatShrankIsReadOnceMoreAndLeavesNothingOfItsOldEnd() throws Exception {
    Path source = random("source", 3 * MIB);
    disturbance = step -> resizeIf(step == 1, source, 1000);
    copy(source);
    assertThat(target()).hasSize(1000).hasSameBinaryContentAs(source);
  }

  @Test
  void aSourceThatAlwaysChangesFails() throws Exception {
    Path source = random("source", 3000);
    disturbance = step -> rewrite(source, true);
    assertFails(
        source, "changed while it was read (nothing was published, run the same command again)");
    assertThat(ran).hasSize(2);
  }

  @Test
  void aSourceThatChangesFailsAtOnceWhereItIsNotToBeReadAgain() throws Exception {
    onChange = OnChange.FAIL;
    Path source = random("source", 3000);
    disturbance = step -> rewrite(source, true);
    assertFails(
        source, "changed while it was read (nothing was published, run the same command again)");
    assertThat(ran).hasSize(1);
  }

  @Test
  void aChangeThatIsAcceptedIsSaid() throws Exception {
    onChange = OnChange.ACCEPT;
    Path source = random("source", 3000);
    disturbance = step -> resizeIf(true, source, 100);
    FileStatus status = copy(source);
    assertThat(target()).hasSize(3000);
    assertThat(status.sizeBytes()).isEqualTo(3000);
    assertThat(notes)
        .containsExactly(
            source + ": changed while it was read: the copy mixes old and new content");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "direct", "copyFileRange", "stream"})
  void aSourceThatNeverStopsGrowingEnds(String strategy) throws Exception {
    choice = new Choice(strategy, Choice.ADAPTIVE);
    for (int bytes : new int[] {100, 4096, 5000, 3 * MIB}) {
      Path source = random("source", bytes);
      disturbance = step -> append(source, 4 * MIB);
      assertThatThrownBy(() -> copy(source)).hasMessageContaining("changed while it was read");
    }
  }

  @Test
  void aFileThatIsEmptyAtFirstAndGrowsIsNotPublishedInPart() throws Exception {
    Path source = random("source", 0);
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(folder));
        NativeFile from = directory.file(bytesOf("source"), false);
        NativeFile to = directory.create(bytesOf("target"), 0600)) {
      FileStatus empty = from.status();
      Files.write(source, new byte[] {1, 2, 3});
      assertThat(empty.sizeBytes()).isZero();
      assertThat(copy(body(), from, to, "source", "target").sizeBytes()).isEqualTo(3);
    }
    assertThat(target()).hasSize(3);
  }

  // Failures

  @Test
  void aTargetWithoutRoomIsTheTargetsFailure() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "no /dev/full here");
    random("source", 3000);
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(folder));
        NativeFile from = directory.file(bytesOf("source"), false);
        NativeFile to =
            NativeFile.of(
                Entries.openat(Entries.AT_FDCWD, bytesOf("/dev/full"), Entries.O_RDWR, 0),
                from.traits(),
                true)) {
      assertThatThrownBy(() -> copy(body(), from, to, "source", "target"))
          .hasMessage("target: no space left on device")
          .extracting(e -> ((Failure) e).exitCode())
          .isEqualTo(ExitCode.DESTINATION);
    }
  }

  private void assertFails(Path source, String reason) {
    assertThatThrownBy(() -> copy(source))
        .hasMessage(source + ": " + reason)
        .extracting(e -> ((Failure) e).exitCode())
        .isEqualTo(ExitCode.SOURCE);
  }

  private FileStatus copy(Path source) throws IOException, Failure {
    Files.deleteIfExists(target());
    return copyTo("target", body(), source);
  }

  private FileStatus copyTo(String name, ByteMover mover, Path source) throws IOException, Failure {
    try (OpenDirectory from = OpenDirectory.open(RawPath.of(source.getParent()));
        OpenDirectory to = OpenDirectory.open(RawPath.of(folder));
        NativeFile read = from.file(RawPath.of(source).lastComponent(), false);
        NativeFile written = to.create(bytesOf(name), 0600)) {
      return copy(mover, read, written, source, folder.resolve(name));
    }
  }

  private FileStatus copy(
      ByteMover mover, NativeFile from, NativeFile to, Object source, Object target)
      throws IOException, Failure {
    FileLog log = log();
    return mover
        .watch()
        .copy(
            from,
            from.status(),
            to,
            source,
            target,
            now -> mover.move(from, now, to, source, target, log));
  }

  private ByteMover body() throws Failure {
    Policy policy = new Policy(Existing.REPLACE, null, false, onChange, false);
    CopyRequest request =
        new CopyRequest(
            List.of(RawPath.of(folder)),
            RawPath.of(folder),
            Placement.AS_FOUND,
            choice,
            Archive.TREE,
            new Preserve(true, true, true, true, true, true, sparse),
            policy,
            Assurance.USUAL,
            1,
            false,
            new CopyForm(CopyKind.COPY, false, zerosToHoles),
            null,
            0);
    Insight insight =
        new Insight(
            "copy",
            choice.strategy(),
            event -> {
              if (event instanceof Event.Noted(String message, _)) {
                notes.add(message);
              }
            });
    return new ByteMover(
        new Engine(Strategies.load(List.of()), choice),
        request,
        new RouteTunings(null, choice, insight::note),
        new SourceWatch(onChange, insight),
        new RateLimit(0));
  }

  @Test
  void eachWriteOfAStepIsASample() throws Exception {
    Path source = random("source", 10);
    Observer observer =
        new Observer() {
          @Override
          public void written(long offset, long bytes, long elapsedNs) {
            written.add(offset);
            written.add(bytes);
          }
        };
    try (Source from = TestEnds.fileSource(source);
        Sink to = new ShortSink(TestEnds.fileSink(target()), 4)) {
      ByteMover.step(from, to, ByteBuffer.allocateDirect(64), 0, observer);
    }
    assertThat(written).containsExactly(0L, 4L, 4L, 4L, 8L, 2L);
    assertThat(target()).hasSameBinaryContentAs(source);
  }

  private FileLog log() {
    return new FileLog() {
      @Override
      public void moved(String strategy, long offset, long bytes, long elapsedNs) {
        ran.add(strategy + " " + bytes);
        try {
          disturbance.after(ran.size());
        } catch (IOException | Failure e) {
          throw new AssertionError(e);
        }
      }

      @Override
      public void moved(String strategy, long bytes) {}

      @Override
      public void read(long offset, long bytes, long elapsedNs) {}

      @Override
      public void written(long offset, long bytes, long elapsedNs) {
        written.add(bytes);
      }

      @Override
      public void declined(String strategy, String reason) {}

      @Override
      public void sample(Stage stage, long elapsedNs) {}

      @Override
      public void sample(Stage stage, long offset, long bytes, long elapsedNs) {}

      @Override
      public void path(String label) {
        paths.add(label);
      }

      @Override
      public void left() {}

      @Override
      public void done(Level verified) {}

      @Override
      public void failed(Failure failure) {}
    };
  }

  private Path target() {
    return folder.resolve("target");
  }

  private Path random(String name, int length) throws IOException {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return Files.write(folder.resolve(name), content);
  }

  /// A page at the start, one in the middle and a few bytes at the end.
  private Path withHoles(String name, long bytes) throws IOException {
    Path path = folder.resolve(name);
    resize(path, bytes);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write("begin".getBytes(StandardCharsets.US_ASCII));
      file.seek(bytes / 2);
      file.write("middle".getBytes(StandardCharsets.US_ASCII));
      file.seek(bytes - 3);
      file.write("end".getBytes(StandardCharsets.US_ASCII));
    }
    assumeTrue(
        blocks(path) * 512 < bytes, "this file system keeps no holes, or not such small ones");
    return path;
  }

  private static void rewrite(Path source, boolean now) throws IOException {
    if (now) {
      try (RandomAccessFile file = new RandomAccessFile(source.toFile(), "rw")) {
        file.write("rewritten".getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  private static void append(Path source, long bytes) throws IOException {
    resize(source, Files.size(source) + bytes);
  }

  private static void resizeIf(boolean now, Path source, long bytes) throws IOException {
    if (now) {
      resize(source, bytes);
    }
  }

  private static void resize(Path path, long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(bytes);
    }
  }

  /// `st_blocks`.
  private static long blocks(Path path) throws IOException {
    try (OpenDirectory directory = OpenDirectory.open(RawPath.of(path.getParent()))) {
      return directory.statusOf(RawPath.of(path).lastComponent()).blocks();
    }
  }

  private static List<String> lineStarts(Path path) throws IOException {
    return Files.readAllLines(path).stream().map(line -> line.split(":", 2)[0]).toList();
  }

  private static byte[] bytesOf(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
