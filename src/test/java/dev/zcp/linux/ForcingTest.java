package dev.zcp.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zcp.core.RawPath;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForcingTest {

  @TempDir Path dir;

  @Test
  void aKernelTellsWhatItCouldNotWriteFromVersion5_8On() {
    assertThat(Forcing.isTelling("5.7.19-generic")).isFalse();
    assertThat(Forcing.isTelling("5.8.0")).isTrue();
    assertThat(Forcing.isTelling("5.10.0-23-amd64")).isTrue();
    assertThat(Forcing.isTelling("4.19.0")).isFalse();
    assertThat(Forcing.isTelling("6.1")).isTrue();
    assertThat(Forcing.isTelling("7")).isTrue();
    assertThat(Forcing.isTelling("")).isFalse();
  }

  @Test
  void aFileSystemIsForcedByAnythingOnItAndByNothingElse() throws IOException {
    try (FileChannel directory = FileChannel.open(dir)) {
      boolean tells = Forcing.forceFileSystem(ChannelEnd.descriptorOf(directory));
      assertThat(tells).isEqualTo(Forcing.isTelling(System.getProperty("os.version")));
    }
    assertThatThrownBy(() -> Forcing.forceFileSystem(ChannelEnd.NONE))
        .hasMessage("Bad file descriptor");
  }

  /// FUSE and network file systems take the kernel's pages, and are not told to force them.
  @Test
  void ofAFileSystemThatIsNotKnownToBeForcedNothingIsBelieved() throws IOException {
    try (OpenDirectory known = OpenDirectory.open(RawPath.of(dir));
        OpenDirectory unknown = OpenDirectory.open(RawPath.of("/proc"))) {
      assertThat(Forcing.forcesFileSystem(known.descriptor())).isTrue();
      assertThat(Forcing.forcesFileSystem(unknown.descriptor())).isFalse();
      assertThat(Forcing.forceFileSystem(unknown.descriptor())).isFalse();
    }
  }
}
