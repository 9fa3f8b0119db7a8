package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.RawPath;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileStatusTest {

  /// Longer than the tick of the kernel's clock, by which older kernels stamp files.
  private static final long TICK_MS = 20;

  @TempDir Path dir;

  @Test
  void itSaysWhatStatSays() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "content");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
    Path fifo = Programs.fifo(dir.resolve("fifo"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), file);
    for (Path path : new Path[] {file, dir, fifo, link, Path.of("/dev/null"), Path.of("/proc")}) {
      FileStatus status = FileStatus.of(path);
      assertThat(line(status)).as(path.toString()).isEqualTo(stat("%d %i %f %u %g %s", path));
    }
    FileStatus status = FileStatus.of(link);
    assertThat(status.isSameFile(FileStatus.of(file))).isTrue();
    assertThat(status.permissions()).isEqualTo(0751);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.000000000",
        "0.000000001",
        "1700000000.123456789",
        "-0.000000001",
        "-1.500000000",
        "-86400.999999999",
        "-2000000000.000000001",
        "5000000000.999999999"
      })
  void timesAreThoseOfTheFileToTheNanosecond(String seconds) throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    Programs.run("touch", "-d", "@" + seconds, file.toString());
    FileStatus status = FileStatus.of(file);
    assertThat(seconds(status.modified())).isEqualTo(new BigDecimal(stat("%.9Y", file)));
    assertThat(seconds(status.modified())).isEqualTo(new BigDecimal(seconds));
    assertThat(seconds(status.changed())).isEqualTo(new BigDecimal(stat("%.9Z", file)));
  }

  @Test
  void eachKindIsToldFromTheOthers() throws IOException {
    FileStatus file = FileStatus.of(Files.createFile(dir.resolve("file")));
    FileStatus directory = FileStatus.of(dir);
    FileStatus fifo = FileStatus.of(Programs.fifo(dir.resolve("fifo")));
    Path path = dir.resolve("socket");
    FileStatus socket;
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      socket = FileStatus.of(path);
    }
    assertThat(file.isRegular()).isTrue();
    assertThat(directory.isDirectory()).isTrue();
    assertThat(socket.isSocket()).isTrue();
    assertThat(fifo.type()).isEqualTo(FileType.FIFO);
    for (FileStatus other : new FileStatus[] {directory, fifo, socket}) {
      assertThat(other.isRegular()).isFalse();
    }
    for (FileStatus other : new FileStatus[] {file, fifo, socket}) {
      assertThat(other.isDirectory()).isFalse();
    }
    for (FileStatus other : new FileStatus[] {file, directory, fifo}) {
      assertThat(other.isSocket()).isFalse();
    }
  }

  @Test
  void permissionsLeaveOutTheBitsThatLendRights() throws IOException {
    Path file = Files.createFile(dir.resolve("file"));
    Programs.run("chmod", "6755", file.toString());
    assertThat(FileStatus.of(file).permissions()).isEqualTo(0755);
    assertThat(FileStatus.of(file).mode()).isEqualTo(FileType.REGULAR | 06755);
  }

  @Test
  void aLinkThatLeadsNowhereIsAName() throws IOException {
    Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("nowhere"));
    assertThat(FileStatus.ofExisting(link)).isNull();
    assertThat(FileStatus.exists(RawPath.of(link))).isTrue();
    assertThat(FileStatus.exists(RawPath.of(dir.resolve("nowhere")))).isFalse();
    assertThatThrownBy(() -> FileStatus.of(link)).isInstanceOf(NoSuchFileException.class);
    assertThat(FileStatus.ofExisting(dir)).isEqualTo(FileStatus.of(dir));
  }

  @Test
  void thereIsNothingUnderAFile() throws IOException {
    Path under = Files.createFile(dir.resolve("file")).resolve("under");
    assertThat(FileStatus.ofExisting(under)).isNull();
    assertThat(FileStatus.exists(RawPath.of(under))).isFalse();
  }

  @Test
  void twoNamesOfOneFileAreTheSameAndTwoAlikeFilesAreNot() throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "x");
    Path name = Files.createLink(dir.resolve("name"), file);
    Path twin = Files.copy(file, dir.resolve("twin"), StandardCopyOption.COPY_ATTRIBUTES);
    FileStatus status = FileStatus.of(file);
    assertThat(status.isSameFile(FileStatus.of(name))).isTrue();
    assertThat(status.isSameFile(FileStatus.of(twin))).isFalse();
  }

  @Test
  void aFileThatWasOnlyReadIsUnchanged() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "content");
    requireSeen(file, false, () -> Files.readAllBytes(file));
  }

  @Test
  void everyChangeIsSeen() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "content");
    requireSeen(file, true, () -> Files.writeString(file, "more", StandardOpenOption.APPEND));
    requireSeen(file, true, () -> truncate(file));
    requireSeen(file, true, () -> Files.writeString(file, "tent"));
    requireSeen(file, true, () -> Files.setLastModifiedTime(file, FileTime.fromMillis(0)));
    requireSeen(file, true, () -> Programs.run("chmod", "0600", file.toString()));
    requireSeen(file, true, () -> replaceByTwin(file));
  }

  @Test
  void aWriterThatSetsTheTimeBackIsSeen() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "content");
    FileTime modified = Files.getLastModifiedTime(file);
    requireSeen(
        file,
        true,
        () -> {
          Files.writeString(file, "CONTENT");
          Files.setLastModifiedTime(file, modified);
        });
  }

  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  private static void requireSeen(Path file, boolean seen, Change change) throws Exception {
    FileStatus before = FileStatus.of(file);
    Thread.sleep(TICK_MS);
    change.make();
    assertThat(FileStatus.of(file).isUnchangedSince(before)).isEqualTo(!seen);
  }

  private static void truncate(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(4);
    }
  }

  private void replaceByTwin(Path file) throws IOException {
    Path twin = Files.copy(file, dir.resolve("twin"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(twin, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String line(FileStatus status) {
    return status.device()
        + " "
        + status.inode()
        + " "
        + Integer.toHexString(status.mode())
        + " "
        + Integer.toUnsignedString(status.owner())
        + " "
        + Integer.toUnsignedString(status.group())
        + " "
        + status.sizeBytes();
  }

  /// What the real stat(1) says of what `path` leads to.
  private static String stat(String format, Path path) throws IOException {
    return Programs.run("stat", "-L", "-c", format, path.toString());
  }

  private static BigDecimal seconds(FileTime time) {
    Instant instant = time.toInstant();
    return BigDecimal.valueOf(instant.getEpochSecond())
        .add(BigDecimal.valueOf(instant.getNano(), 9));
  }
}
