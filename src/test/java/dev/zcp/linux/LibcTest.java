package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.testing.TestEnds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LibcTest {

  @TempDir Path folder;

  @Test
  void callsCanBeMadeHere() {
    assertThat(Libc.obstacle()).isEmpty();
    assertThat(Libc.close(-1)).isEqualTo(-Errno.EBADF);
  }

  /// The build runs these tests twice, once with a folder that holds no library.
  @Test
  void theLibraryIsUsedIfItIsThere() {
    Path library = Path.of(System.getProperty("zcp.home"), "lib/libzcp.so");
    assertThat(Native.hasLibrary()).isEqualTo(Files.exists(library));
  }

  @Test
  void aFailureIsMinusItsNumberForEveryCall() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(1);
    assertThat(Libc.copyFileRange(-1, 0, -1, 0, 1)).isEqualTo(-Errno.EBADF);
    assertThat(Libc.splice(-1, 0, -1, 0, 1, 0)).isEqualTo(-Errno.EBADF);
    assertThat(Libc.sendfile(-1, -1, 0, 1)).isEqualTo(-Errno.EBADF);
    assertThat(Libc.ficloneRange(-1, 0, -1, 0, 0)).isEqualTo(-Errno.EBADF);
    assertThat(Libc.setPipeCapacity(-1, 1)).isEqualTo(-Errno.EBADF);
    assertThat(Libc.pipeCapacity(-1)).isEqualTo(-Errno.EBADF);
    assertThat(Libc.read(-1, buffer)).isEqualTo(-Errno.EBADF);
    assertThat(Libc.pwrite(-1, buffer, 0)).isEqualTo(-Errno.EBADF);
    assertThat(Libc.fallocate(-1, 0, 1)).isEqualTo(-Errno.EBADF);
    assertThat(Entries.renameat2(-1, bytes("a"), -1, bytes("b"), 0)).isEqualTo(-Errno.EBADF);
  }

  /// pts(4): the master's end of a pair has the size, too, and a new one has none.
  @Test
  void onlyATerminalTellsHowWideItIs() throws Exception {
    Path master = Path.of("/dev/ptmx");
    Assumptions.assumeTrue(Files.isWritable(master), "no pseudo terminals here");
    try (ChannelEnd terminal = ChannelEnd.openToRead(master, FileType.CHARACTER_DEVICE)) {
      assertThat(Libc.terminalColumns(terminal.descriptor())).isZero();
    }
    Path file = Files.createFile(folder.resolve("file"));
    try (ChannelEnd plain = ChannelEnd.openToRead(file, FileType.REGULAR)) {
      assertThat(Libc.terminalColumns(plain.descriptor())).isEqualTo(-Errno.ENOTTY);
    }
  }

  @Test
  void aPipeGivesBackWhatWasWrittenAndTellsItsCapacity() {
    int[] ends = new int[2];
    assertThat(Libc.pipe(ends)).isZero();
    try {
      assertThat(Libc.setPipeCapacity(ends[1], 1 << 20)).isEqualTo(1 << 20);
      assertThat(Libc.pipeCapacity(ends[0])).isEqualTo(1 << 20);
      ByteBuffer out = ByteBuffer.allocateDirect(8).putInt(0xcafe).flip();
      assertThat(PlainWrite.of(ends[1], out)).isEqualTo(4);
      ByteBuffer in = ByteBuffer.allocateDirect(8);
      assertThat(Libc.read(ends[0], in)).isEqualTo(4);
      assertThat(in.flip().getInt()).isEqualTo(0xcafe);
    } finally {
      assertThat(Libc.close(ends[1])).isZero();
      assertThat(Libc.read(ends[0], ByteBuffer.allocateDirect(1))).isZero();
      assertThat(Libc.close(ends[0])).isZero();
    }
  }

  @Test
  void readsIntoTheRoomThatABufferHasAndNotBeside() {
    int[] ends = new int[2];
    assertThat(Libc.pipe(ends)).isZero();
    try {
      PlainWrite.of(ends[1], ByteBuffer.allocateDirect(4).putInt(-1).flip());
      ByteBuffer part = ByteBuffer.allocateDirect(8).position(2).limit(5);
      assertThat(Libc.read(ends[0], part)).isEqualTo(3);
      assertThat(part.position()).isEqualTo(5);
      assertThat(part.clear().getLong()).isEqualTo(0x0000ffffff000000L);
    } finally {
      Libc.close(ends[0]);
      Libc.close(ends[1]);
    }
  }

  @Test
  void aHeapBufferIsRefusedSinceTheKernelCannotReachIt() {
    assertThatThrownBy(() -> Libc.read(0, ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("direct");
  }

  @Test
  void renamesOntoAFreeNameAndNotOntoATakenOne() throws Exception {
    // A name that is not UTF-8, which Java could not even spell.
    byte[] free = bytes(folder + "/free-\0").clone();
    free[free.length - 1] = (byte) 0xff;
    byte[] from = bytes(Files.writeString(folder.resolve("from"), "new").toString());
    byte[] taken = bytes(Files.writeString(folder.resolve("taken"), "old").toString());

    assertThat(rename(from, taken)).isEqualTo(-Errno.EEXIST);
    assertThat(folder.resolve("taken")).hasContent("old");
    assertThat(rename(from, free)).isZero();
    assertThat(rename(free, from)).isZero();
    assertThat(folder.resolve("from")).hasContent("new");
  }

  @Test
  void fallocateLengthensTheFile() throws Exception {
    try (FileChannel channel = open(folder.resolve("file"))) {
      int file = TestEnds.descriptor(channel);
      assertThat(Libc.fallocate(file, 100, 50)).isZero();
      assertThat(channel.size()).isEqualTo(150);
    }
  }

  @Test
  void offsetsPastFourGiBArriveWhole() throws Exception {
    long offset = (5L << 30) + 3;
    try (FileChannel from = open(folder.resolve("from"));
        FileChannel to = open(folder.resolve("to"))) {
      from.write(ByteBuffer.wrap(bytes("far out")), offset);
      long copied =
          Libc.copyFileRange(
              TestEnds.descriptor(from), offset, TestEnds.descriptor(to), offset + 1, 1L << 33);
      assertThat(copied).isEqualTo(7);
      ByteBuffer read = ByteBuffer.allocate(7);
      to.read(read, offset + 1);
      assertThat(read.array()).isEqualTo(bytes("far out"));
    }
  }

  /// errno belongs to a thread: two that fail differently at once must not see each other's.
  @Test
  void threadsThatFailAtOnceEachSeeTheirOwnNumber() {
    CompletableFuture<Boolean> bad =
        CompletableFuture.supplyAsync(() -> allGive(-Errno.EBADF, () -> Libc.close(-1)));
    CompletableFuture<Boolean> missing =
        CompletableFuture.supplyAsync(
            () -> allGive(-Errno.ENOENT, () -> rename(bytes("/nowhere/a"), bytes("/nowhere/b"))));
    assertThat(bad.join()).isTrue();
    assertThat(missing.join()).isTrue();
  }

  private static boolean allGive(int expected, IntSupplier call) {
    for (int i = 0; i < 20_000; i++) {
      if (call.getAsInt() != expected) {
        return false;
      }
    }
    return true;
  }

  private static int rename(byte[] from, byte[] to) {
    return Entries.renameat2(
        Entries.AT_FDCWD, from, Entries.AT_FDCWD, to, Entries.RENAME_NOREPLACE);
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(
        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aPathIsTakenUpToPathMaxAndRefusedFromThereOn() {
    for (int bytes : new int[] {4094, 4095, 4096, 5000}) {
      byte[] path = new byte[bytes];
      for (int i = 0; i < bytes; i++) {
        path[i] = (byte) (i % 2 == 0 ? '.' : '/');
      }
      int expected = bytes < 4096 ? 0 : -Errno.ENAMETOOLONG;
      assertThat(Entries.statx(Entries.AT_FDCWD, path, 0)).as(bytes + " bytes").isEqualTo(expected);
      assertThat(Entries.linkat(Entries.AT_FDCWD, path, Entries.AT_FDCWD, new byte[0], 0))
          .isEqualTo(bytes < 4096 ? -Errno.ENOENT : expected);
    }
  }
}
