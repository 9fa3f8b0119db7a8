package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.it.Trace.Place;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the kernel is asked to do, as strace(1) sees it: each strategy makes the calls that it
/// claims, they carry all the bytes, and none is made in vain on each chunk.
///
/// The digest is no part of a strategy: both sides of a connection read each byte of the file once
/// more for it, by pread(2).
class StraceIT {

  private static final long MIB = 1 << 20;

  /// Many chunks of every strategy.
  private static final long SMALL_BYTES = 64 * MIB + 4097;

  /// Several times the largest chunk there is.
  private static final long LARGE_BYTES = 1024 * MIB;

  /// Where each call moves half a MiB or less, this is large.
  private static final long MEDIUM_BYTES = 256 * MIB;

  /// Heads, trailers and answers of a session are far below this; the bytes of a file far above.
  private static final long TALK_BYTES_MAX = MIB;

  /// The first steps of a transfer may go by the JDK, before system calls are bound, and meet its
  /// detours; a stray failure more is a matter of timing.
  private static final int FAILURES_BY_CHANCE = 8;

  @TempDir Path folder;

  private Path from;
  private Path to;

  @BeforeEach
  void prepare() throws IOException, InterruptedException {
    Trace.assumePossible();
    folder = folder.toRealPath();
    from = folder.resolve("source");
    to = Files.createDirectory(folder.resolve("to")).resolve("source");
  }

  // Sending

  @ParameterizedTest
  @ValueSource(longs = {SMALL_BYTES, LARGE_BYTES})
  void transferToSendsByOneSendfileAChunk(long bytes) throws Exception {
    Trace trace = send("transferTo", bytes);
    assertThat(trace.bytes(0, Place.SOCKET, "sendfile")).isEqualTo(bytes);
    assertThat(trace.bytes(1, Place.of(from), "sendfile")).isEqualTo(bytes);
    assertNothingPassesByMemory(trace, bytes);
    assertThat(trace.failures("sendfile")).isZero();
    // The JDK's transferTo tries it first; zcp's own call does not.
    assertThat(trace.failures("copy_file_range")).isLessThanOrEqualTo(FAILURES_BY_CHANCE);
  }

  @ParameterizedTest
  @ValueSource(longs = {SMALL_BYTES, LARGE_BYTES})
  void spliceSendsThroughAPipe(long bytes) throws Exception {
    Trace trace = send("splice", bytes);
    assertThat(trace.bytes(0, Place.of(from), "splice")).isEqualTo(bytes);
    assertThat(trace.bytes(2, Place.PIPE, "splice")).isEqualTo(bytes);
    assertThat(trace.bytes(0, Place.PIPE, "splice")).isEqualTo(bytes);
    assertThat(trace.bytes(2, Place.SOCKET, "splice")).isEqualTo(bytes);
    assertNothingPassesByMemory(trace, bytes);
    assertThat(trace.failures("splice")).isZero();
  }

  @Test
  void mmapSendsWhatItMapped() throws Exception {
    Trace trace = send("mmap", SMALL_BYTES);
    // In whole pages, chunk by chunk.
    assertThat(trace.mapped(Place.of(from))).isBetween(SMALL_BYTES, SMALL_BYTES + MIB);
    assertThat(trace.written(Place.SOCKET)).isBetween(SMALL_BYTES, SMALL_BYTES + TALK_BYTES_MAX);
    assertThat(trace.read(Place.of(from))).as("read for the digest").isEqualTo(SMALL_BYTES);
  }

  @ParameterizedTest
  @CsvSource({"direct, 524288", "heap, 1048576", "stream, 1048576"})
  void buffersSendByReadAndWriteInChunks(String strategy, long chunkBytes) throws Exception {
    Trace trace = send(strategy, SMALL_BYTES);
    assertThat(trace.read(Place.of(from)))
        .as("once, for the socket and the digest")
        .isEqualTo(SMALL_BYTES);
    assertThat(trace.written(Place.SOCKET)).isBetween(SMALL_BYTES, SMALL_BYTES + TALK_BYTES_MAX);
    assertThat(longest(trace.on(0, Place.of(from), "pread64"))).isEqualTo(chunkBytes);
  }

  // Receiving

  @ParameterizedTest
  @ValueSource(longs = {SMALL_BYTES, LARGE_BYTES})
  void spliceReceivesThroughAPipe(long bytes) throws Exception {
    Trace trace = receive("splice", bytes);
    // What came in one read with the head of a block is there already.
    long ahead = trace.written(Place.PARTIAL);
    assertThat(ahead).isLessThan(TALK_BYTES_MAX);
    long spliced = bytes - ahead;
    assertThat(trace.bytes(0, Place.SOCKET, "splice")).isEqualTo(spliced);
    assertThat(trace.bytes(2, Place.PIPE, "splice")).isEqualTo(spliced);
    assertThat(trace.bytes(0, Place.PIPE, "splice")).isEqualTo(spliced);
    assertThat(trace.bytes(2, Place.PARTIAL, "splice")).isEqualTo(spliced);
    assertThat(trace.read(Place.SOCKET)).isLessThan(TALK_BYTES_MAX);
    assertThat(trace.read(Place.PARTIAL)).as("read for the digest").isEqualTo(bytes);
    assertThat(trace.failures("splice")).isZero();
  }

  @Test
  void mmapReceivesIntoTheMapping() throws Exception {
    Trace trace = receive("mmap", SMALL_BYTES);
    assertThat(trace.mapped(Place.PARTIAL)).isGreaterThanOrEqualTo(SMALL_BYTES);
    // What came in one read with the head of a block is written, not mapped.
    assertThat(trace.written(Place.PARTIAL)).isLessThan(TALK_BYTES_MAX);
    assertThat(trace.read(Place.SOCKET)).isBetween(SMALL_BYTES, SMALL_BYTES + TALK_BYTES_MAX);
    assertThat(trace.read(Place.PARTIAL)).as("read for the digest").isEqualTo(SMALL_BYTES);
  }

  @ParameterizedTest
  @CsvSource({"direct, 524288", "heap, 1048576", "stream, 1048576", "auto, 524288"})
  void buffersReceiveByReadAndWriteInChunks(String strategy, long chunkBytes) throws Exception {
    Trace trace = receive(strategy, SMALL_BYTES);
    assertReceivedByReadAndWrite(trace, chunkBytes);
    assertThat(trace.read(Place.PARTIAL)).as("read again").isZero();
  }

  /// Of which the help says that it loops over 8 KiB.
  @Test
  void transferFromReceivesInSmallChunks() throws Exception {
    Trace trace = receive("transferTo", SMALL_BYTES);
    assertReceivedByReadAndWrite(trace, 8192);
    assertThat(trace.read(Place.PARTIAL)).as("read for the digest").isEqualTo(SMALL_BYTES);
  }

  /// ext4 writes what was cut off at nothing to the disk when it is closed, though it had nothing.
  @Test
  void aNewFileIsNotCutOff() throws Exception {
    assertThat(receive("auto", SMALL_BYTES).on(0, Place.PARTIAL, "ftruncate", "fsync")).isEmpty();
  }

  // Copying

  @ParameterizedTest
  @ValueSource(strings = {"copyFileRange", "transferTo"})
  void theKernelCopiesByCopyFileRange(String strategy) throws Exception {
    for (long bytes : new long[] {SMALL_BYTES, LARGE_BYTES}) {
      Trace trace = copy(strategy, bytes, to);
      assertThat(trace.bytes(0, Place.of(from), "copy_file_range")).isEqualTo(bytes);
      assertThat(trace.bytes(2, Place.PARTIAL, "copy_file_range")).isEqualTo(bytes);
      assertThat(trace.failures("copy_file_range")).isZero();
      assertThat(trace.written(Place.PARTIAL)).isZero();
      assertThat(trace.read(Place.of(from))).isLessThan(TALK_BYTES_MAX);
    }
  }

  @Test
  void spliceCopiesThroughAPipe() throws Exception {
    Trace trace = copy("splice", SMALL_BYTES, to);
    assertThat(trace.bytes(0, Place.of(from), "splice")).isEqualTo(SMALL_BYTES);
    assertThat(trace.bytes(2, Place.PARTIAL, "splice")).isEqualTo(SMALL_BYTES);
    assertThat(trace.failures("splice")).isZero();
    assertThat(trace.written(Place.PARTIAL)).isZero();
    assertThat(trace.read(Place.of(from))).isLessThan(TALK_BYTES_MAX);
  }

  @Test
  void mmapCopiesByWritingWhatItMapped() throws Exception {
    Trace trace = copy("mmap", SMALL_BYTES, to);
    assertThat(trace.mapped(Place.of(from))).isBetween(SMALL_BYTES, SMALL_BYTES + MIB);
    assertThat(trace.written(Place.PARTIAL)).isEqualTo(SMALL_BYTES);
    assertThat(trace.read(Place.of(from))).isLessThan(TALK_BYTES_MAX);
  }

  @ParameterizedTest
  @CsvSource({"direct, 524288", "heap, 1048576", "stream, 1048576"})
  void buffersCopyByReadAndWriteInChunks(String strategy, long chunkBytes) throws Exception {
    Trace trace = copy(strategy, SMALL_BYTES, to);
    assertThat(trace.read(Place.of(from))).isEqualTo(SMALL_BYTES);
    assertThat(trace.written(Place.PARTIAL)).isEqualTo(SMALL_BYTES);
    List<SystemCall> writes = trace.on(0, Place.PARTIAL, "pwrite64");
    assertThat(longest(writes)).isEqualTo(chunkBytes);
    assertThat(writes).hasSize((int) Math.ceilDiv(SMALL_BYTES, chunkBytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"xfs", "btrfs"})
  void reflinkIsOneIoctlHoweverLargeTheFile(String type) throws Exception {
    try (Mounted mount = Mounted.inFile(folder, type, "400M", "-q")) {
      from = mount.path().resolve("source");
      for (long bytes : new long[] {SMALL_BYTES, LARGE_BYTES}) {
        Trace trace = copy("reflink", bytes, mount.path().resolve("target"));
        List<SystemCall> ioctls = trace.on(0, Place.PARTIAL, "ioctl");
        assertThat(ioctls).hasSize(1);
        assertThat(ioctls.getFirst().arguments().get(1)).contains("FICLONE");
        assertThat(ioctls.getFirst().result()).isZero();
        assertThat(trace.written(Place.PARTIAL)).isZero();
        assertThat(trace.read(Place.of(from))).isLessThan(TALK_BYTES_MAX);
        assertThat(trace.calls()).extracting(SystemCall::name).doesNotContain("copy_file_range");
      }
    }
  }

  // Trees

  /// A new directory has the default list of the one it is in (acl(5)), which is asked once.
  @Test
  void newDirectoriesAreNotAskedForTheirDefaultLists() throws Exception {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    for (int i = 0; i < 20; i++) {
      Files.writeString(
          Files.createDirectories(tree.resolve("d" + i % 5 + "/e" + i)).resolve("f"), "");
    }
    Path log = folder.resolve("tree.strace");
    String target = folder.resolve("copy").toString();
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, Trace.into(log), "copy", "-a", "-q", tree.toString(), target);
    assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    assertThat(folder.resolve("copy/d4/e19/f")).exists();
    assertThat(Trace.read(log).calls())
        .filteredOn(call -> call.name().equals("fgetxattr"))
        .hasSizeLessThanOrEqualTo(1);
  }

  /// Two files opened, two closed; the source looked at twice and asked for its attributes; a read
  /// and a write; times, and the name.
  @Test
  void aSmallFileOfANewTreeTakesElevenCalls() throws Exception {
    int few = callsForFiles(100);
    int many = callsForFiles(1100);
    // Each thread lists its directories, too.
    assertThat((many - few) / 1000.0).isBetween(11.0, 11.2);
  }

  private int callsForFiles(int count) throws Exception {
    Path tree = Files.createDirectory(folder.resolve("of" + count));
    for (int i = 0; i < count; i++) {
      Files.writeString(tree.resolve("file" + i), "content");
    }
    Path log = folder.resolve("of" + count + ".strace");
    String target = folder.resolve("copy-of" + count).toString();
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, Trace.into(log), "copy", "-a", "-q", tree.toString(), target);
    assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    List<String> ofFiles =
        List.of(
            "openat",
            "close",
            "statx",
            "flistxattr",
            "pread64",
            "pwrite64",
            "fchmod",
            "fchown",
            "utimensat",
            "renameat2",
            "unlinkat",
            "copy_file_range",
            "ioctl",
            "fgetxattr",
            "fstat",
            "newfstatat",
            "fadvise64",
            "ftruncate",
            "lseek",
            "fallocate");
    return (int)
        Trace.read(log).calls().stream().filter(call -> ofFiles.contains(call.name())).count();
  }

  @Test
  void filesThatStayAtAReceiverAreLookedAtOnce() throws Exception {
    int files = 1000;
    Path tree = Files.createDirectory(folder.resolve("tree"));
    for (int i = 0; i < files; i++) {
      Files.writeString(tree.resolve("file" + i), "content");
    }
    assertThat(looks(tree)).isLessThan(files / 10);
    assertThat(looks(tree)).isBetween(files, files * 11 / 10);
  }

  /// @return how often a receiver asks what a file is
  private int looks(Path tree) throws Exception {
    Path log = folder.resolve("looks.strace");
    String inbox = Files.createDirectories(folder.resolve("inbox")).toString();
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            Trace.into(log),
            "receive",
            "-q",
            "--once",
            "--overwrite",
            "--listen=127.0.0.1:0",
            inbox)) {
      BuiltZcp.Ended ended =
          BuiltZcp.run(
              folder, "send", "-r", "-q", "--skip-same", receiver.firstLine(), tree.toString());
      assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      assertThat(receiver.end().exitCode()).isZero();
    }
    return (int)
        Trace.read(log).calls().stream().filter(call -> call.name().equals("statx")).count();
  }

  /// It may take long to count a tree, and that nobody listens is told at once.
  @Test
  void aReceiverIsCalledWhileTheTreeIsCounted() throws Exception {
    for (int i = 0; i < 3; i++) {
      Files.createDirectories(from.resolve("directory" + i));
    }
    Path log = folder.resolve("send.strace");
    List<String> slowLists =
        List.of(
            "strace",
            "-f",
            "-y",
            "-o",
            log.toString(),
            "-e",
            "trace=connect,getdents64",
            "-e",
            "inject=getdents64:delay_enter=1000000");
    String nobody = "127.0.0.1:1";
    BuiltZcp.Ended ended =
        BuiltZcp.run(folder, slowLists, "send", "-r", "-q", nobody, from.toString());
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
    List<String> calls = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    int called = 0;
    while (!calls.get(called).contains("htons(1)")) {
      called++;
    }
    long listed =
        calls.subList(0, called).stream()
            .filter(call -> call.contains("getdents64(") && call.contains(from.toString()))
            .count();
    assertThat(listed).isZero();
  }

  @Test
  void aTreeIsCountedOnlyIfThereMightBeNoRoomForIt() throws Exception {
    Files.createDirectories(from.resolve("one/two/three"));
    assertThat(listings("--max-size=1E")).as("of four directories, with their ends").isEqualTo(8);
    assertThat(listings("--max-size=1M")).isEqualTo(16);
  }

  /// @return how often a sender asks for names of the source
  private long listings(String limit) throws Exception {
    Path log = folder.resolve("calls" + limit);
    List<String> traced = List.of("strace", "-f", "-y", "-o", log.toString(), "-e", "getdents64");
    String inbox = Files.createDirectory(folder.resolve("inbox" + limit)).toString();
    try (BuiltZcp receiver =
        BuiltZcp.start(folder, "receive", "-q", "--once", limit, "--listen=127.0.0.1:0", inbox)) {
      BuiltZcp.Ended ended =
          BuiltZcp.run(folder, traced, "send", "-r", "-q", receiver.firstLine(), from.toString());
      assertThat(ended.exitCode()).as(ended.err()).isZero();
    }
    try (Stream<String> calls = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return calls
          .filter(call -> call.contains("getdents64(") && call.contains(from.toString()))
          .count();
    }
  }

  /// The receiver, which was not told what is to come, has nothing to say but that it lives.
  @Test
  void aCountMayTakeLongerThanAPeerMayBeSilent() throws Exception {
    for (int i = 0; i < 6; i++) {
      Files.createDirectories(from.resolve("directory" + i));
    }
    List<String> slowLists =
        List.of(
            "strace",
            "-f",
            "-o",
            "/dev/null",
            "-e",
            "trace=getdents64",
            "-e",
            "inject=getdents64:delay_enter=1000000:when=1..5");
    String patience = "--stall-timeout=2s";
    String inbox = to.getParent().toString();
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            "receive",
            "-q",
            "--once",
            "--max-size=1M",
            patience,
            "--listen=127.0.0.1:0",
            inbox)) {
      BuiltZcp.Ended ended =
          BuiltZcp.run(
              folder, slowLists, "send", "-r", patience, receiver.firstLine(), from.toString());
      assertThat(ended.err()).doesNotContain("stalled");
      assertThat(ended.exitCode()).isZero();
    }
  }

  // In vain

  @ParameterizedTest
  @ValueSource(strings = {"auto", "transferTo", "splice", "mmap", "direct", "heap", "stream"})
  void noCallFailsOnEachChunkOfASend(String strategy) throws Exception {
    send(strategy, SMALL_BYTES)
        .assertFailsNoMoreThan(send(strategy, MEDIUM_BYTES), FAILURES_BY_CHANCE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "splice", "mmap", "direct", "heap", "stream"})
  void noCallFailsOnEachChunkOfAReceipt(String strategy) throws Exception {
    receive(strategy, SMALL_BYTES)
        .assertFailsNoMoreThan(receive(strategy, MEDIUM_BYTES), FAILURES_BY_CHANCE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auto",
        "transferTo",
        "copyFileRange",
        "splice",
        "mmap",
        "direct",
        "heap",
        "stream"
      })
  void noCallFailsOnEachChunkOfACopy(String strategy) throws Exception {
    copy(strategy, SMALL_BYTES, to)
        .assertFailsNoMoreThan(copy(strategy, MEDIUM_BYTES, to), FAILURES_BY_CHANCE);
  }

  /// Where copy_file_range(2) is refused with EXDEV. transferTo, and so auto, is not among these:
  /// there the JDK asks for it again on each call, before it falls back to sendfile(2), which is
  /// still the fastest.
  @ParameterizedTest
  @ValueSource(strings = {"splice", "direct"})
  void noCallFailsOnEachChunkOfACopyAcrossFileSystems(String strategy) throws Exception {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(memory), "no other file system: /dev/shm is not there");
    FileStore other = Files.getFileStore(memory);
    assumeFalse(
        other.equals(Files.getFileStore(folder)), "no other file system: all is in /dev/shm");
    assumeTrue(other.getUsableSpace() > 2 * LARGE_BYTES, "no room in /dev/shm");
    Path target = Files.createTempFile(memory, "strace-it", "");
    try {
      copy(strategy, SMALL_BYTES, target)
          .assertFailsNoMoreThan(copy(strategy, LARGE_BYTES, target), FAILURES_BY_CHANCE);
    } finally {
      Files.delete(target);
    }
  }

  /// Not a byte of the file goes from the sender's memory to the socket, and no more come into it
  /// than the digest needs.
  private void assertNothingPassesByMemory(Trace trace, long bytes) {
    assertThat(trace.written(Place.SOCKET)).isLessThan(TALK_BYTES_MAX);
    assertThat(trace.read(Place.of(from))).as("read for the digest").isEqualTo(bytes);
  }

  private void assertReceivedByReadAndWrite(Trace trace, long chunkBytes) {
    assertThat(trace.read(Place.SOCKET)).isBetween(SMALL_BYTES, SMALL_BYTES + TALK_BYTES_MAX);
    assertThat(trace.written(Place.PARTIAL)).isEqualTo(SMALL_BYTES);
    assertThat(longest(trace.on(0, Place.PARTIAL, "pwrite64", "write")))
        .isLessThanOrEqualTo(chunkBytes);
  }

  private static long longest(List<SystemCall> calls) {
    return calls.stream().mapToLong(SystemCall::result).max().orElse(0);
  }

  /// The calls of `zcp copy` of a new file of this size.
  private Trace copy(String strategy, long bytes, Path target) throws Exception {
    if (!strategy.equals("reflink")) {
      makeSource(bytes);
    } else {
      makeSourceOfHoles(bytes);
    }
    Path log = folder.resolve("copy.strace");
    BuiltZcp.Ended ended =
        BuiltZcp.run(
            folder,
            Trace.into(log),
            "copy",
            "-q",
            // A traced copy may take so long that it would be kept, which takes calls of its own.
            "--no-keep",
            // To lock a partial file that others may go on with loads a library, once.
            "--no-resume",
            "--strategy=" + strategy,
            from.toString(),
            target.toString());
    assertThat(ended).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    assertThat(target).hasSize(bytes);
    return Trace.read(log);
  }

  /// The calls of a sender, whose peer is not traced.
  private Trace send(String strategy, long bytes) throws Exception {
    Path log = folder.resolve("send.strace");
    transfer(bytes, strategy, Trace.into(log), "auto", List.of());
    return Trace.read(log);
  }

  /// The calls of a receiver, whose peer is not traced.
  private Trace receive(String strategy, long bytes) throws Exception {
    Path log = folder.resolve("receive.strace");
    transfer(bytes, "auto", List.of(), strategy, Trace.into(log));
    return Trace.read(log);
  }

  private void transfer(
      long bytes,
      String sendStrategy,
      List<String> beforeSend,
      String receiveStrategy,
      List<String> beforeReceive)
      throws Exception {
    makeSource(bytes);
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            beforeReceive,
            "receive",
            "-q",
            "--once",
            "--overwrite",
            "--listen=127.0.0.1:0",
            "--strategy=" + receiveStrategy,
            to.getParent().toString())) {
      BuiltZcp.Ended sent =
          BuiltZcp.run(
              folder,
              beforeSend,
              "send",
              "-q",
              "--strategy=" + sendStrategy,
              receiver.firstLine(),
              from.toString());
      assertThat(sent).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      BuiltZcp.Ended received = receiver.end();
      assertThat(received.err()).isEmpty();
      assertThat(received.exitCode()).isZero();
    }
    assertThat(to).hasSize(bytes);
  }

  /// A new file of this size: some data at its start and end, a hole between.
  private void makeSource(long bytes) throws IOException {
    Files.deleteIfExists(from);
    Programs.zeros(from, bytes);
    writeEnds(bytes);
  }

  private void makeSourceOfHoles(long bytes) throws IOException {
    Files.deleteIfExists(from);
    writeEnds(bytes);
  }

  private void writeEnds(long bytes) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(from.toFile(), "rw")) {
      file.write(new byte[] {'z', 'c', 'p'});
      file.seek(bytes - 3);
      file.write(new byte[] {'e', 'n', 'd'});
    }
  }
}
