package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Small files, of which something has the names already where they are to come.
@Timeout(120)
class FilesThatExistTest {

  private static final int FILES = 30;

  @TempDir Path folder;

  private Path tree;
  private Path inbox;
  private Cli.Result received;

  @BeforeEach
  void sendOnce() throws Exception {
    tree = Files.createDirectories(folder.resolve("tree/in")).getParent();
    inbox = Files.createDirectory(folder.resolve("inbox"));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(tree.resolve("in/" + i), "content " + i);
    }
    assertThat(send(List.of("--accept=all"), "-a").exitCode()).isZero();
  }

  /// As after a transfer that was interrupted.
  @Test
  void whatIsThereNeedNotComeAgain() throws Exception {
    Files.delete(there(3));
    Cli.Result sent = send(List.of("--accept=all"), "-a", "--json");
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(there(3)).hasContent("content 3");
    assertThat(sent.out().lines().filter(each -> each.contains("\"strategy\":\"direct\"")))
        .filteredOn(each -> each.contains("\"event\":\"file\""))
        .singleElement()
        .asString()
        .contains("in/3");
    assertThat(sent.out()).contains("of each file that was there before");
  }

  @Test
  void otherBytesOfTheSameSizeAndTimeAreReplaced() throws Exception {
    change(there(5));
    Cli.Result sent = send(List.of("--accept=all", "--overwrite"), "-aq");
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(there(5)).hasContent("content 5");
  }

  /// A file that was only shown is over without its bytes, or comes once more.
  @Test
  void eachFileThatIsShownInVainIsToldOnce() throws Exception {
    change(there(5));
    Cli.Result sent = send(List.of("--accept=all", "--overwrite"), "-a", "--json");
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.out())
        .contains("\"filesFailed\":0,")
        .containsOnlyOnce("\"name\":\"" + tree.resolve("in/5"));
  }

  @Test
  void whatStaysCountsOnceThoughAttributesFillSeveralParts() throws Exception {
    assumeTrue(Files.getFileStore(tree).supportsFileAttributeView("user"), "no user attributes");
    // More than one frame takes.
    for (int i = 0; i < 4 * FILES; i++) {
      Path file = Files.writeString(tree.resolve("in/" + i), "");
      Files.getFileAttributeView(file, UserDefinedFileAttributeView.class)
          .write("large", ByteBuffer.allocate(3000));
      Files.writeString(tree.resolve("in/without" + i), "");
    }
    List<String> receiver = List.of("--accept=all", "--overwrite", "--json");
    assertThat(send(receiver, "-a", "--json").exitCode()).isZero();
    assertThat(send(receiver, "-aq", "--skip-same").exitCode()).isZero();
    assertThat(received.out()).contains("\"kept\":" + 8 * FILES + ",");
  }

  @Test
  void otherBytesOfTheSameSizeAndTimeStayIfNothingMayBeReplaced() throws Exception {
    change(there(5));
    Cli.Result sent = send(List.of("--accept=all"), "-aq");
    assertThat(sent.exitCode()).isEqualTo(1);
    assertThat(sent.err()).contains("in/5: refused there: already exists");
    assertThat(there(5)).hasContent("CONTENT 5");
  }

  @Test
  void whatOnlyLooksTheSameIsComparedWithoutAnyDigestOnTheWay() throws Exception {
    change(there(5));
    Cli.Result sent = send(List.of("--accept=all", "--overwrite"), "-aq", "--verify=none");
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(there(5)).hasContent("content 5");
  }

  /// Nothing of them is read, but they become what the source is.
  @Test
  void whatIsSkippedAsTheSameGetsTheMetadataOfItsSource() throws Exception {
    change(there(5));
    Files.setPosixFilePermissions(
        tree.resolve("in/5"), PosixFilePermissions.fromString("rw-------"));
    Cli.Result sent = send(List.of("--accept=all", "--overwrite"), "-a", "--skip-same");
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.err()).contains(FILES + " files kept");
    assertThat(there(5)).hasContent("CONTENT 5");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there(5))))
        .isEqualTo("rw-------");
  }

  @Test
  void furtherNamesOfAFileAreLinkedToWhatIsThere() throws Exception {
    Files.createLink(tree.resolve("in/another"), tree.resolve("in/7"));
    Cli.Result sent = send(List.of("--accept=all"), "-aq");
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(Files.isSameFile(there(7), inbox.resolve("tree/in/another"))).isTrue();
  }

  @Test
  void aDirectoryThatHasTheNameOfAFileIsRefusedAndHoldsNothingBack() throws Exception {
    Files.delete(there(9));
    Files.createDirectory(there(9));
    Files.delete(there(10));
    Cli.Result sent = send(List.of("--accept=all", "--overwrite"), "-aq");
    assertThat(sent.exitCode()).isEqualTo(1);
    assertThat(sent.err()).contains("in/9: refused there: ");
    assertThat(there(10)).hasContent("content 10");
  }

  private Path there(int file) {
    return inbox.resolve("tree/in/" + file);
  }

  /// Gives a file other bytes, and the time that it had.
  private static void change(Path file) throws Exception {
    FileTime time = Files.getLastModifiedTime(file);
    Files.writeString(file, Files.readString(file).toUpperCase());
    Files.setLastModifiedTime(file, time);
  }

  private Cli.Result send(List<String> receiverOptions, String... options) throws Exception {
    Map<String, String> environment = Map.of("ZCP_KEY", Key.random().text());
    List<String> receive =
        new ArrayList<>(List.of("receive", "-q", "--once", "--listen=127.0.0.1:0"));
    receive.addAll(receiverOptions);
    receive.add(inbox.toString());
    try (ZcpProcess receiver =
        ZcpProcess.start(folder, environment, receive.toArray(new String[0]))) {
      String address = receiver.address();
      List<String> send = new ArrayList<>(List.of("send"));
      send.addAll(List.of(options));
      send.add("127.0.0.1" + address.substring(address.lastIndexOf(':')));
      send.add(tree.toString());
      Cli.Result result = Cli.run(environment, send.toArray(new String[0]));
      received = receiver.end();
      return result;
    }
  }
}
