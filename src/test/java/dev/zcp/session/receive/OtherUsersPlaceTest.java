package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.linux.FileStatus;
import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A receiver that is not root's: what it may not, it says, and the rest arrives.
class OtherUsersPlaceTest {

  private static final int NOBODY = 65534;

  @TempDir Path dir;

  private Path inbox;

  @BeforeEach
  void prepare() throws IOException {
    assumeTrue(Programs.isRoot(), "only root becomes another user");
    Programs.assume("setpriv");
    inbox = Files.createDirectory(dir.resolve("inbox"));
    Programs.run("chmod", "755", dir.toString());
    Programs.run("chown", Integer.toString(NOBODY), inbox.toString());
    Path unreadable = Files.write(inbox.resolve("unreadable"), new byte[3]);
    Files.setLastModifiedTime(
        unreadable,
        FileTime.from(Instant.ofEpochSecond(Offers.MODIFIED.seconds(), Offers.MODIFIED.nanos())));
    Programs.run("chmod", "600", unreadable.toString());
    Files.createDirectory(inbox.resolve("closed"));
    Path listed = Files.createDirectory(inbox.resolve("listed"));
    Files.createFile(listed.resolve("unseen"));
    Programs.run("chmod", "744", listed.toString());
  }

  @Test
  void whatItMayNotReadIsRefusedOrReplaced() throws IOException {
    assertThat(probe("REFUSE")).contains("unreadable: WHOLE", "unreadable: already exists");
    assertThat(probe("REPLACE")).contains("unreadable: WHOLE", "unreadable: arrived");
    assertThat(inbox.resolve("unreadable")).hasBinaryContent(new byte[] {1, 2, 3});
  }

  @Test
  void whereItMayNotWriteTheFileFails() throws IOException {
    assertThat(probe("REFUSE")).contains("closed/f: permission denied").contains("t/f: arrived");
    assertThat(inbox.resolve("closed")).isEmptyDirectory();
  }

  @Test
  void whatItMayNotLookIntoIsNotOfAnEarlierTransfer() throws IOException {
    assertThat(probe("REFUSE")).contains("no space left (1.00 EiB needed");
  }

  @Test
  void aDirectoryThatItsOwnerMayNotWriteToIsFilledFirst() throws IOException {
    assertThat(probe("REFUSE")).contains("t: NEW", "t/f: arrived", "t: complete");
    FileStatus status = FileStatus.of(inbox.resolve("t"));
    assertThat(status.wholeMode()).isEqualTo(0555);
    assertThat(status.owner()).isEqualTo(NOBODY);
    assertThat(probe("REFUSE")).as("once more").contains("t: ALL", "t/f: there", "t: complete");
  }

  @Test
  void anotherOwnersFileLendsNoRights() throws IOException {
    assertThat(probe("REFUSE")).contains("lost OWNER", "lost MODE");
    FileStatus status = FileStatus.of(inbox.resolve("t/f"));
    assertThat(status.wholeMode()).isEqualTo(0755);
    assertThat(status.owner()).isEqualTo(NOBODY);
  }

  private String probe(String existing) throws IOException {
    String user = Integer.toString(NOBODY);
    return Programs.run(
        "setpriv",
        "--reuid=" + user,
        "--regid=" + user,
        "--clear-groups",
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        PlaceProbe.class.getName(),
        inbox.toString(),
        existing);
  }
}
