package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.FileContent;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The built zcp between other programs: pipes, redirections, closed and full ones.
@Timeout(60)
class StreamsIT {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  /// More than a pipe holds, and no multiple of anything.
  private static final byte[] CONTENT = new byte[3_000_001];

  @TempDir Path folder;

  private Path source;

  @BeforeEach
  void writeTheSource() throws IOException {
    new Random(4).nextBytes(CONTENT);
    source = Files.write(folder.resolve("source"), CONTENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "stream", "heap", "direct", "mmap", "transferTo", "splice"})
  void copyReadsAndWritesPipesAndRedirections(String strategy) throws Exception {
    String copy = "zcp copy -q --strategy=" + strategy + " ";
    assertThat(sh("cat source | " + copy + "- target")).isEqualTo(new Cli.Result(0, "", ""));
    FileContent.assertHolds(folder.resolve("target"), CONTENT);
    assertThat(sh(copy + "- again < source")).isEqualTo(new Cli.Result(0, "", ""));
    FileContent.assertHolds(folder.resolve("again"), CONTENT);
    assertThat(sh(copy + "source - | cat > piped")).isEqualTo(new Cli.Result(0, "", ""));
    FileContent.assertHolds(folder.resolve("piped"), CONTENT);
  }

  /// One call takes from the pipe and gives to the target, and no disk tells which of them is slow.
  @Test
  void theTargetIsNotBlamedForASlowPipe() throws Exception {
    String slow = "(cat source; sleep 2; cat source) | zcp copy ";
    assertThat(sh(slow + "- target").err())
        .contains("limited by copy", "the source or the target is slow: --strategy=direct tells");
    assertThat(sh(slow + "--strategy=direct - target").err()).contains("limited by read");
  }

  /// The read that finds the end moves nothing, and its time was in no stage.
  @Test
  void theWaitForTheEndOfAPipeIsOneForARead() throws Exception {
    String open = "(cat source; sleep 2) | zcp ";
    assertThat(sh(open + "copy - target").err()).contains("limited by read");
    String receive = "mkdir in; mkfifo url; zcp receive -q --once --listen=127.0.0.1:0 in > url & ";
    assertThat(sh(receive + "read -r to < url; " + open + "send $to -; wait").err())
        .contains("limited by read of the sender");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "stream", "heap", "direct"})
  void copyGoesFromStreamToStream(String strategy) throws Exception {
    String copy = "zcp copy -q --strategy=" + strategy + " ";
    assertThat(sh("cat source | " + copy + "- - | cat > both"))
        .isEqualTo(new Cli.Result(0, "", ""));
    FileContent.assertHolds(folder.resolve("both"), CONTENT);
    assertThat(sh("(" + copy + "source -; " + copy + "source -) > twice"))
        .isEqualTo(new Cli.Result(0, "", ""));
    assertThat(folder.resolve("twice")).hasSize(2 * CONTENT.length);
  }

  @Test
  void aFullStandardOutputIsAFailureOfTheTarget() throws Exception {
    assumeThat(Path.of("/dev/full")).as("a device that is always full").exists();
    for (String strategy : new String[] {"auto", "stream", "direct", "mmap"}) {
      assertThat(sh("zcp copy --strategy=" + strategy + " source - > /dev/full"))
          .isEqualTo(new Cli.Result(4, "", "zcp: -: no space left on device\n"));
    }
    Cli.Result json = sh("zcp copy --json source target > /dev/full");
    assertThat(json.exitCode()).isEqualTo(4);
    assertThat(json.err()).endsWith("zcp: standard output: no space left on device\n");
    FileContent.assertHolds(folder.resolve("target"), CONTENT);
  }

  @Test
  void aClosedStandardOutputOrInputIsAFailureOfItsEnd() throws Exception {
    assertThat(sh("zcp copy source - >&-"))
        .isEqualTo(new Cli.Result(4, "", "zcp: -: bad file descriptor\n"));
    assertThat(sh("zcp copy - target <&-"))
        .isEqualTo(new Cli.Result(3, "", "zcp: -: bad file descriptor\n"));
    assertThat(folder.resolve("target")).doesNotExist();
    assertThat(sh("zcp copy -v source target >&- 2>&- <&-")).isEqualTo(new Cli.Result(0, "", ""));
    FileContent.assertHolds(folder.resolve("target"), CONTENT);
    assertThat(sh("zcp copy - target <&- >&- 2>&-")).isEqualTo(new Cli.Result(3, "", ""));
    FileContent.assertHolds(folder.resolve("target"), CONTENT);
  }

  @Test
  void aReceiverWhoseUrlIsLostDoesNotWait() throws Exception {
    String receive = "zcp receive --listen=127.0.0.1:0 .";
    for (String where : new String[] {"> /dev/full", ">&-", "--json > /dev/full"}) {
      Cli.Result result = sh(receive + " " + where);
      assertThat(result.exitCode()).as(where).isEqualTo(4);
      assertThat(result.err()).startsWith("zcp: standard output: ").hasLineCount(1);
    }
    Cli.Result left = sh("{ sleep 1; " + receive + "; echo $? >&2; } | true");
    assertThat(left.err()).isEqualTo("141\n");
    assertThat(sh("zcp receive --listen=127.0.0.1:0 --stdout 2> /dev/full").exitCode())
        .isEqualTo(4);
  }

  @Test
  void whatIsCopiedIsNotAlsoWrittenTo() throws Exception {
    for (String json :
        new String[] {
          "zcp copy --json source target >> source",
          "ln source twin; zcp copy --json source target >> twin",
          "zcp send --json 127.0.0.1:9 source >> source",
          "echo old > target; zcp copy --json source target >> target",
        }) {
      Cli.Result result = sh(json);
      assertThat(result.exitCode()).as(json).isEqualTo(2);
      assertThat(result.err()).contains(": standard output: ", " (write it elsewhere)");
    }
    FileContent.assertHolds(folder.resolve("source"), CONTENT);
  }

  /// As cp(1), cat(1) and grep(1) do: SIGPIPE kills them.
  @Test
  void aReaderThatLeavesEndsZcpWithoutAWord() throws Exception {
    for (String strategy : new String[] {"auto", "direct", "transferTo", "splice"}) {
      String copy = "zcp copy --strategy=" + strategy + " source -";
      Cli.Result result = sh("{ " + copy + "; echo $? >&2; } | head -c 10 | wc -c");
      assertThat(result.out().strip()).isEqualTo("10");
      assertThat(result.err()).isEqualTo("141\n");
    }
    for (String command :
        new String[] {
          "help copy",
          "--version",
          "strategies",
          "copy --json -q source target",
          "copy --dry-run -q --json source target",
        }) {
      Cli.Result result = sh("{ sleep 1; zcp " + command + "; echo $? >&2; } | true");
      assertThat(result.err()).as(command).isEqualTo("141\n");
    }
    FileContent.assertHolds(folder.resolve("target"), CONTENT);
  }

  /// dd(1) leaves O_NONBLOCK set on what it shares with zcp, as ssh and others do.
  @ParameterizedTest
  @ValueSource(strings = {"auto", "stream", "heap", "direct", "mmap", "transferTo"})
  void aPipeThatDoesNotBlockIsWaitedFor(String strategy) throws Exception {
    String copy = "zcp copy -q --strategy=" + strategy + " ";
    String unblock = "dd bs=1 count=0 status=none ";
    assertThat(
            sh(
                "{ sleep 1; cat source; sleep 0.2; echo end; } | { "
                    + (unblock + "iflag=nonblock; ")
                    + (copy + "- target; }")))
        .isEqualTo(new Cli.Result(0, "", ""));
    assertThat(folder.resolve("target")).hasSize(CONTENT.length + 4);
    Cli.Result result =
        sh(
            ("{ " + unblock + "oflag=nonblock < /dev/null; ")
                + (copy + "source -; echo $? >&2; } | { sleep 1; cat > piped; }"));
    if (strategy.equals("transferTo")) {
      assertThat(result.err()).contains("strategy transferTo cannot serve here: ").endsWith("10\n");
    } else {
      assertThat(result.err()).isEqualTo("0\n");
      FileContent.assertHolds(folder.resolve("piped"), CONTENT);
    }
  }

  @Test
  void aSenderWaitsForAPipeThatDoesNotBlock() throws Exception {
    Cli.Result result =
        sh(
            "mkfifo url; zcp receive -q --once --listen=127.0.0.1:0 . > url & read -r to < url; "
                + "{ sleep 1; cat source; } | { dd bs=1 count=0 status=none iflag=nonblock; "
                + "zcp send -q $to -; }; sent=$?; wait $!; echo $sent $?");
    assertThat(result).isEqualTo(new Cli.Result(0, "0 0\n", ""));
    FileContent.assertHolds(folder.resolve("stdin"), CONTENT);
  }

  @Test
  void aDirectoryAsStandardInputHoldsNoBytes() throws Exception {
    Cli.Result result = sh("zcp copy - target < .");
    assertThat(result).isEqualTo(new Cli.Result(3, "", "zcp: -: is a directory\n"));
    assertThat(folder.resolve("target")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "stream", "heap", "direct", "mmap", "transferTo", "splice"})
  void whatIsPipedIntoOneComesOutOfTheOther(String strategy) throws Exception {
    Cli.Result result =
        sh(
            "mkfifo url; zcp receive -q --listen=127.0.0.1:0 - 2> url > received & "
                + "read -r to < url; cat source | zcp send -q $to -; sent=$?; wait $!; "
                + "echo $sent $?");
    assertThat(result).isEqualTo(new Cli.Result(0, "0 0\n", ""));
    FileContent.assertHolds(folder.resolve("received"), CONTENT);
    Files.delete(folder.resolve("url"));
    result =
        sh(
            "mkfifo url; zcp receive -q --once --listen=127.0.0.1:0 --strategy="
                + strategy
                + " . > url & read -r to < url; cat source | zcp send -q $to -; "
                + "sent=$?; wait $!; echo $sent $?");
    assertThat(result).isEqualTo(new Cli.Result(0, "0 0\n", ""));
    FileContent.assertHolds(folder.resolve("stdin"), CONTENT);
  }

  @Test
  void aReceiverWhoseOutputIsFullTellsItsSender() throws Exception {
    assumeThat(Path.of("/dev/full")).as("a device that is always full").exists();
    Cli.Result result =
        sh(
            "mkfifo url; zcp receive -q --listen=127.0.0.1:0 - 2> url > /dev/full & "
                + "{ read -r to; zcp send -q $to source; sent=$?; cat; } < url; wait $!; "
                + "echo $sent $?");
    assertThat(result.out()).isEqualTo("zcp: standard output: no space left on device\n4 4\n");
    assertThat(result.err())
        .matches(
            "zcp: 127\\.0\\.0\\.1:\\d+: the receiver gave up: standard output: no space left on"
                + " device\n");
  }

  @Test
  void aReceiverOfOneStreamRefusesTwoFiles() throws Exception {
    Cli.Result result =
        sh(
            "cp source other; mkfifo url; zcp receive -q --listen=127.0.0.1:0 - 2> url > got & "
                + "{ read -r to; zcp send -q $to source other; sent=$?; cat; } < url; "
                + "wait $!; echo $sent $?");
    String reason = "standard output takes one file, and the sender has 2\n";
    assertThat(result.out()).isEqualTo("zcp: " + reason + "4 4\n");
    assertThat(result.err()).matches("zcp: 127\\.0\\.0\\.1:\\d+: the receiver gave up: " + reason);
    assertThat(folder.resolve("got")).isEmptyFile();
  }

  private Cli.Result sh(String script) throws Exception {
    try (ZcpProcess shell = ZcpProcess.script(folder, ENVIRONMENT, script)) {
      return shell.end();
    }
  }
}
