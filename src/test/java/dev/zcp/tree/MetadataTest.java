package dev.zcp.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.linux.FileStatus;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetadataTest {

  @TempDir Path dir;

  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    file = Files.writeString(dir.resolve("file"), "content");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0200, 0400, 0600, 0777})
  void everyModeIsSet(int mode) throws IOException {
    assertThat(metadata(mode, FileTime.fromMillis(0)).apply(file)).isTrue();
    assertThat(FileStatus.of(file).permissions()).isEqualTo(mode);
    assertThat(FileStatus.of(file).modified()).isEqualTo(FileTime.fromMillis(0));
  }

  @Test
  void bitsThatLendRightsAreNoMode() {
    assertThatIllegalArgumentException().isThrownBy(() -> metadata(01777, null));
    assertThatIllegalArgumentException().isThrownBy(() -> metadata(04755, null));
  }

  @Test
  void aModeThatForbidsReadingDoesNotForbidTheTime() throws IOException {
    // Root may read everything, so the probe goes without that right.
    String[] probe = {
      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "-cp",
      System.getProperty("java.class.path"),
      MetadataProbe.class.getName(),
      file.toString()
    };
    if (Programs.isRoot()) {
      Programs.assume("setpriv");
      String[] humbled = new String[probe.length + 2];
      humbled[0] = "setpriv";
      humbled[1] = "--bounding-set=-dac_override,-dac_read_search";
      System.arraycopy(probe, 0, humbled, 2, probe.length);
      probe = humbled;
    }
    Programs.run(probe);
    assertThat(FileStatus.of(file).permissions()).isEqualTo(0200);
    assertThat(FileStatus.of(file).modified()).isEqualTo(MetadataProbe.TIME);
  }

  @ParameterizedTest
  @CsvSource({
    "1700000000,  123456789",
    "0,           1",
    "-1,          0",
    "-1,          999999999",
    "-2000000000, 5",
    "5000000000,  999999999",
  })
  void timesAreKept(long seconds, int nanos) throws IOException {
    Instant time = Instant.ofEpochSecond(seconds, nanos);
    metadata(0600, FileTime.from(time)).apply(file);
    assertThat(FileStatus.of(file).modified().toInstant()).isEqualTo(time);
  }

  @Test
  void whatIsOverwrittenKeepsItsModeAndItsOwner() throws IOException {
    Programs.run("chmod", "4751", file.toString());
    FileStatus old = FileStatus.of(file);
    assertThat(Metadata.ofReplaced(old))
        .isEqualTo(new Metadata(0751, null, old.owner(), old.group()));
    assertThat(Metadata.ofReplaced(old).apply(file)).isTrue();
  }

  @Test
  void aNewFileHasTheModeOfItsSourceLessTheMask() {
    int mask = Umask.ofProcess();
    assertThat(Metadata.ofNew(0100777))
        .isEqualTo(new Metadata(0777 & ~mask, null, Metadata.OWN, Metadata.OWN));
    assertThat(Metadata.ofNew(04600).mode()).isEqualTo(0600 & ~mask);
  }

  @Test
  void whatIsMissingIsAFailure() {
    assertThatThrownBy(() -> metadata(0600, null).apply(dir.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void anOwnerThatCannotBeSetIsToldAndIsNoFailure() throws IOException {
    assumeTrue(!Programs.isRoot() || makeAppendOnly(), "nothing here that root may not change");
    try {
      assertThat(new Metadata(0600, null, 1234, 1234).apply(file)).isFalse();
    } finally {
      Programs.succeeds("chattr", "-a", file.toString());
    }
  }

  @Test
  void aModeAndATimeThatTheFileSystemDoesNotSetAreNoFailure() throws IOException {
    assumeTrue(makeAppendOnly(), "no file here that may not be changed");
    try {
      int before = FileStatus.of(file).permissions();
      assertThat(metadata(0777, FileTime.fromMillis(0)).apply(file)).isTrue();
      assertThat(FileStatus.of(file).permissions()).isEqualTo(before);
    } finally {
      Programs.run("chattr", "-a", file.toString());
    }
  }

  /// A file that may only be appended to refuses what FAT does, with the same EPERM.
  private boolean makeAppendOnly() {
    return Programs.succeeds("chattr", "+a", file.toString());
  }

  private static Metadata metadata(int mode, FileTime modified) {
    return new Metadata(mode, modified, Metadata.OWN, Metadata.OWN);
  }
}
