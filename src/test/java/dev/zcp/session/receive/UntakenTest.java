package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.core.ExitCode;
import dev.zcp.testing.Cli;
import dev.zcp.testing.Mounted;
import dev.zcp.testing.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a receiver was not told to take: both ends name it, and exit 0 means that nothing that was
/// asked for is missing.
@Timeout(120)
class UntakenTest {

  private static final int SETUID = 04755;
  private static final int SOMEBODY = 1234;

  /// As ext4 has no place for in one attribute.
  private static final int MORE_THAN_A_BLOCK = 20_000;

  @TempDir Path home;

  private Path tree;

  @BeforeEach
  void makeTree() throws Exception {
    tree = Files.createDirectory(home.resolve("tree"));
    Files.writeString(tree.resolve("file"), "x");
  }

  @Test
  void aSetuidBitAndAnOwnerAreNamedAtBothEnds() throws Exception {
    assumeTrue(Programs.isRoot(), "only root gives files away");
    Files.setAttribute(tree.resolve("file"), "unix:uid", SOMEBODY);
    Files.setAttribute(tree.resolve("file"), "unix:mode", SETUID);
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once")) {
      Cli.Result sent = send(inbox, "-a");
      Cli.Result taken = inbox.receiver().end();
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(taken.exitCode()).as(taken.err()).isZero();
      for (String told : new String[] {sent.err(), taken.err()}) {
        assertThat(told)
            .containsPattern("owner and group not kept: not taken.* \\(.*--accept=owner")
            .containsPattern("tree/file: permissions not kept: setuid.* not taken .*accept=mode")
            .doesNotContain("extended attributes")
            .doesNotContain("access control lists")
            .doesNotContain("hard links");
      }
      assertThat(taken.err()).contains("tree/file: owner and group not kept: not taken (");
      assertThat(sent.err()).doesNotContain("tree/file: owner");
    }
  }

  @Test
  void attributesListsAndLinksAreNamedByTheirSenderIfThereAreAny() throws Exception {
    Path file = tree.resolve("file");
    Files.createLink(tree.resolve("link"), file);
    Path other = Files.writeString(tree.resolve("other"), "y");
    assumeTrue(
        Programs.succeeds("setfattr", "-n", "user.a", "-v", "b", file.toString())
            && Programs.succeeds("setfacl", "-m", "u:1234:r", other.toString()),
        "no attributes or lists here");
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once")) {
      Cli.Result sent = send(inbox, "-a");
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(sent.err())
          .containsPattern("extended attributes .*not kept: not taken \\(.*--accept=xattr")
          .containsPattern("tree/other: access control lists not kept: not taken \\(.*accept=acl")
          .contains("hard links")
          .doesNotContain("if there are any");
    }
  }

  @Test
  void nothingIsNamedIfNothingIsLost() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once")) {
      Cli.Result sent = send(inbox, "-a", "--strict");
      for (Cli.Result each : new Cli.Result[] {sent, inbox.receiver().end()}) {
        assertThat(each.exitCode()).as(each.err()).isZero();
        assertThat(each.err()).doesNotContain("not kept").doesNotContain("not taken");
      }
    }
  }

  @Test
  void thatIsAFailureForTheStrict() throws Exception {
    Files.setAttribute(tree.resolve("file"), "unix:mode", SETUID);
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once")) {
      Cli.Result sent = send(inbox, "--preserve=mode", "-r", "--strict");
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.DESTINATION.number());
      assertThat(sent.err()).contains("tree/file: permissions not kept");
    }
  }

  @Test
  void whatIsTakenAndCannotBeKeptIsNoSuccessForTheStrictEither() throws Exception {
    String told = ": tree/file: extended attributes not kept: ";
    try (Mounted memory = Mounted.inMemory(home, "tmpfs");
        Mounted disk = Mounted.inFile(home, "ext4", "64M", "-q")) {
      Path roomy = Files.createDirectory(memory.path().resolve("tree"));
      Path file = Files.writeString(roomy.resolve("file"), "x");
      String value = "x".repeat(MORE_THAN_A_BLOCK);
      assumeTrue(
          Programs.succeeds("setfattr", "-n", "user.long", "-v", value, file.toString()),
          "no attributes in memory here");
      try (Reception inbox = Reception.open(disk.path().resolve("one"), "--accept=all")) {
        Cli.Result sent = run(inbox, "-a", inbox.address(), roomy.toString());
        assertThat(sent.exitCode()).as(sent.err()).isZero();
        assertThat(sent.err()).contains(inbox.address() + told);
        inbox.awaitSaid(0, "tree/file: extended attributes not kept: ");
        assertThat(inbox.directory().resolve("tree/file")).hasContent("x");
      }
      try (Reception inbox = Reception.open(disk.path().resolve("other"), "--accept=all")) {
        Cli.Result sent = run(inbox, "-a", "--strict", "-q", inbox.address(), roomy.toString());
        assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.DESTINATION.number());
        assertThat(sent.err())
            .startsWith("zcp: " + inbox.address() + told)
            .endsWith(" (without --strict that is no failure)\n");
        assertThat(inbox.directory().resolve("tree/file")).hasContent("x");
      }
    }
  }

  @Test
  void whatIsNotTakenIsNoneOfThat() throws Exception {
    Files.setAttribute(tree.resolve("file"), "unix:mode", SETUID);
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once")) {
      Cli.Result sent = send(inbox, "--preserve=mode", "-r");
      assertThat(sent.exitCode()).as(sent.err()).isZero();
      assertThat(sent.err()).contains("permissions not kept").doesNotContain("could not keep");
    }
  }

  @Test
  void nothingIsNamedWhereAllIsTaken() throws Exception {
    Files.setAttribute(tree.resolve("file"), "unix:mode", SETUID);
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once", "--accept=all")) {
      Cli.Result sent = send(inbox, "-a", "--strict");
      for (Cli.Result each : new Cli.Result[] {sent, inbox.receiver().end()}) {
        assertThat(each.exitCode()).as(each.err()).isZero();
        assertThat(each.err()).doesNotContain("not kept");
      }
      int mode = (int) Files.getAttribute(inbox.directory().resolve("tree/file"), "unix:mode");
      assertThat(mode & 07777).isEqualTo(SETUID);
    }
  }

  @Test
  void entriesThatAreLeftOutAreNoSuccessAtEitherEndAndNamedToTheQuiet() throws Exception {
    Files.createSymbolicLink(tree.resolve("link"), Path.of("file"));
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once", "-q")) {
      Cli.Result sent = send(inbox, "-r", "-q");
      Cli.Result taken = inbox.receiver().end();
      for (Cli.Result each : new Cli.Result[] {sent, taken}) {
        assertThat(each.exitCode()).as(each.err()).isEqualTo(ExitCode.SOME_FAILED.number());
        assertThat(each.err()).contains("tree/link: left out: symbolic links are not taken");
      }
      assertThat(inbox.directory().resolve("tree/file")).hasContent("x");
    }
  }

  @Test
  void whereTwoOperandsMeetBothAreNamedAndOneArrives() throws Exception {
    Path other = Files.createDirectory(home.resolve("other"));
    Files.writeString(other.resolve("file"), "y");
    Files.setLastModifiedTime(other.resolve("file"), FileTime.fromMillis(1_000));
    Files.writeString(other.resolve("more"), "z");
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once", "--overwrite")) {
      Cli.Result sent = run(inbox, "-r", inbox.address(), tree + "/.", other + "/.");
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(ExitCode.SOME_FAILED.number());
      assertThat(sent.err())
          .containsPattern("both \\S*/file and \\S*/file would go there; the former is sent")
          .doesNotContain("another sender");
      inbox.receiver().end();
      assertThat(inbox.directory().resolve("file"))
          .hasContent(sent.err().contains("both " + tree) ? "x" : "y");
      assertThat(inbox.directory().resolve("more")).hasContent("z");
    }
  }

  @Test
  void theProofIsTheOneThatWasDone() throws Exception {
    try (Reception inbox = Reception.open(home.resolve("inbox"), "--once")) {
      String told = send(inbox, "-r").err().replaceAll("\\s+", " ");
      assertThat(told)
          .contains(
              "verified: wire (CRC32C of each small file, in the buffer that it was sent from)")
          .doesNotContain("page cache");
    }
    try (Reception inbox = Reception.open(home.resolve("inbox2"), "--once")) {
      String told =
          send(inbox, "-r", "--strategy=direct", "--verify=readback").err().replaceAll("\\s+", " ");
      assertThat(told)
          .contains("verified: readback (CRC32C of each block on its way through;")
          .contains("each file read again there before it got its name");
    }
  }

  private Cli.Result send(Reception inbox, String... options) {
    String[] arguments = new String[options.length + 2];
    System.arraycopy(options, 0, arguments, 0, options.length);
    arguments[options.length] = inbox.address();
    arguments[options.length + 1] = tree.toString();
    return run(inbox, arguments);
  }

  private static Cli.Result run(Reception inbox, String... rest) {
    String[] arguments = new String[rest.length + 1];
    arguments[0] = "send";
    System.arraycopy(rest, 0, arguments, 1, rest.length);
    return Cli.run(Map.of("ZCP_KEY", inbox.key().text()), arguments);
  }
}
