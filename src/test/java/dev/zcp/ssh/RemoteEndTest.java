package dev.zcp.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.cli.Version;
import dev.zcp.core.ExitCode;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.session.Admission;
import dev.zcp.session.Flow;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.ssh.RemoteTransfer.Between;
import dev.zcp.ssh.RemoteTransfer.Fetch;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.ssh.ServeRequest.ReportOptions;
import dev.zcp.testing.Cli;
import dev.zcp.tree.Placement;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a copy makes of answers that are none, with a shell in place of ssh.
@Timeout(60)
class RemoteEndTest {

  @TempDir Path folder;

  /// Copies from whatever answers `bytes`.
  private Cli.Result copy(byte[] bytes) throws IOException {
    return copy(bytes, "box:x", folder.resolve("y").toString());
  }

  private Cli.Result copy(byte[] bytes, String... operands) throws IOException {
    Path answer = Files.write(folder.resolve("answer"), bytes);
    String ssh = "--ssh=sh -c 'cat \"$1\"' sh \"" + answer + "\"";
    return Cli.run(
        Stream.concat(Stream.of("copy", "-q", ssh), Stream.of(operands)).toArray(String[]::new));
  }

  @Test
  void anotherVersionIsNamed() throws IOException {
    byte[] reply =
        Fields.encode(
            "9.8.7",
            (fields, release) -> {
              fields.text(release, it -> it, 64);
              fields.amount(1L, it -> it);
              return release;
            },
            ServeReply.MAGIC,
            2);
    Cli.Result result = copy(reply);
    assertThat(result.exitCode()).isEqualTo(ExitCode.PROTOCOL.number());
    assertThat(result.err()).contains("box: zcp there is 9.8.7").contains(Version.NUMBER);
  }

  @Test
  void aReasonIsToldWithItsExitCode() throws IOException {
    Cli.Result result =
        copy(ServeReply.refused("0.1.0", ExitCode.SOURCE, "no \u001b[31m red").encode());
    assertThat(result).isEqualTo(new Cli.Result(3, "", "zcp: box: no \\x1b[31m red\n"));
  }

  @Test
  void whatIsMoreThanAReplyIsRefused() throws IOException {
    byte[] reply = new ServeReply("0.1.0", ExitCode.OK, "", null, List.of(Found.OTHER)).encode();
    byte[] more = Arrays.copyOf(reply, reply.length + 1);
    assertThat(copy(more).err()).contains("says more than it was asked for");
    byte[] less = Arrays.copyOf(reply, reply.length - 1);
    assertThat(copy(less).exitCode()).isEqualTo(ExitCode.NETWORK.number());
  }

  /// Else a receiver could have the sender take its standard output for the way to it, and the
  /// bytes of the session would come to the user's terminal; or have bytes go another way than
  /// asked for.
  @Test
  void aReplyToAnotherRequestIsRefused() throws IOException {
    ServeReply nothing = new ServeReply("0.1.0", ExitCode.OK, "", null, List.of());
    String file = Files.writeString(folder.resolve("file"), "content").toString();
    assertAnswersSomethingElse(nothing, "box:x", folder.resolve("y").toString());
    assertAnswersSomethingElse(nothing, file, "box:x");
    ServeReply portless = new ServeReply("0.1.0", ExitCode.OK, "", null, List.of(Found.OTHER));
    assertAnswersSomethingElse(portless, "box:x", "far:y");
    InetSocketAddress port = new InetSocketAddress("192.0.2.1", 5230);
    ServeReply listening = new ServeReply("0.1.0", ExitCode.OK, "", port, List.of(Found.OTHER));
    assertAnswersSomethingElse(listening, "--relay", "box:x", "far:y");
  }

  private void assertAnswersSomethingElse(ServeReply reply, String... operands) throws IOException {
    Cli.Result result = copy(reply.encode(), operands);
    assertThat(result.exitCode()).isEqualTo(ExitCode.PROTOCOL.number());
    assertThat(result.err()).contains(": zcp there: it answers something else").hasLineCount(1);
  }

  @Test
  void anAnswerMayStandBehindTheMostThatAShellMayPrint() throws IOException {
    byte[] reply = ServeReply.refused("0.1.0", ExitCode.SOURCE, "here").encode();
    for (int banner : new int[] {0, 1, 64 << 10}) {
      byte[] all = new byte[banner + reply.length];
      System.arraycopy(reply, 0, all, banner, reply.length);
      assertThat(copy(all).err()).as("after " + banner).isEqualTo("zcp: box: here\n");
    }
    byte[] tooLate = new byte[(64 << 10) + 1 + reply.length];
    System.arraycopy(reply, 0, tooLate, (64 << 10) + 1, reply.length);
    assertThat(copy(tooLate).err()).contains("no zcp answered in the first 65536 bytes");
  }

  private Cli.Result send(String script) throws IOException {
    String file = Files.writeString(folder.resolve("file"), "content").toString();
    String ssh = "--ssh=sh -c '" + script + "' sh";
    return Cli.run("send", "-q", ssh, "--stall-timeout=1s", "box:/tmp", file);
  }

  @Test
  void whoSaysNothingIsNotWaitedForForEver() throws IOException {
    for (String script : List.of("exec sleep 1000", "cat > /dev/null; exec sleep 1000")) {
      Cli.Result result = send(script);
      assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.NETWORK.number());
      assertThat(result.err()).contains("box: no zcp answered within ");
    }
  }

  @Test
  void aCopyHasAsMuchPatienceAsItsUserSays() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "content");
    String ssh = "--ssh=sh -c 'exec sleep 1000' sh";
    Cli.Result result =
        Cli.run("copy", "-q", ssh, "--stall-timeout=500ms", file.toString(), "box:/tmp");
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.NETWORK.number());
    assertThat(result.err()).contains("box: no zcp answered within 2");
  }

  /// ssh has a while to end once it is too late. What comes in that while is too late, too.
  @Test
  void anAnswerThatComesTooLateIsNone() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "content");
    byte[] reply = ServeReply.refused("0.1.0", ExitCode.SOURCE, "here").encode();
    Path late = Files.write(folder.resolve("late"), reply);
    String ssh = "--ssh=sh -c 'sleep 3; exec cat " + late + "' sh";
    Cli.Result result =
        Cli.run("copy", "-q", ssh, "--stall-timeout=500ms", file.toString(), "box:/tmp");
    assertThat(result.exitCode()).as(result.err()).isEqualTo(ExitCode.NETWORK.number());
    assertThat(result.err()).contains("box: no zcp answered within 2").hasLineCount(1);
  }

  @Test
  void whatEndsBeforeTheFirstWordIsTheNetworkAndTheCauseIsTold() throws IOException {
    assertThat(send("kill -KILL $$"))
        .isEqualTo(
            new Cli.Result(
                5, "", "zcp: box: signal 9 ended ssh or the zcp there (nothing was copied)\n"));
    assertThat(send("exit 255").err())
        .isEqualTo(
            "zcp: box: ssh failed without a reason; maybe a signal ended the zcp there"
                + " (nothing was copied)\n");
    assertThat(send("echo no route >&2; exit 255"))
        .isEqualTo(
            new Cli.Result(
                5,
                "",
                "no route\nzcp: box: ssh failed, for the reason above (nothing was copied)\n"));
  }

  @Test
  void whatTheOtherEndSaysOfErrorsCannotMoveTheCursor() throws IOException {
    String script = "printf \"a\\033]0;title\\007\\r\\033[K50%%\\033[2J\\\\x\\n\" >&2; exit 255";
    assertThat(send(script).err()).startsWith("a\\x1b]0;title\\x07\r\u001b[K50%\\x1b[2J");
  }

  /// A script of ours must not take another machine's defect for one of this one.
  @Test
  void anExitCodeThatNoPeerMaySendIsAnErrorOfTheProtocol() throws IOException {
    byte[] reply = ServeReply.refused("0.1.0", ExitCode.INTERNAL, "here").encode();
    assertThat(copy(reply)).isEqualTo(new Cli.Result(8, "", "zcp: box: here\n"));
  }

  /// Copies with `--relay` between two shells, which answer as an end does and then do as told.
  private ExitCode relay(String sender, String receiver) throws Exception {
    ServeReply reply = new ServeReply("0.1.0", ExitCode.OK, "", null, List.of(Found.OTHER));
    Path answer = Files.write(folder.resolve("reply"), reply.encode());
    String script =
        "cat "
            + answer
            + "; for word; do case $word in box) "
            + sender
            + ";; far) "
            + receiver
            + ";; esac; done";
    CommandEnvironment environment =
        new CommandEnvironment(
            Strategies.load(List.of()),
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            _ -> {});
    RemoteTransfer transfer =
        new RemoteTransfer(
            SshCommand.of("sh -c \"" + script + "\" sh", "zcp"),
            new Deployment(
                new OwnBuild(null, "0.1.0", OwnBuild.UNKNOWN), Deployment.When.NEVER, null),
            false,
            environment,
            _ -> {});
    Fetch fetch =
        Fetch.of(
            new ReceiveRequest(null, RawPath.of("-"), Choice.DEFAULT, Admission.USUAL),
            RemotePath.of("box:file"));
    long stallNs = 300_000_000;
    return transfer.run(
        new Between(
            fetch.sources(),
            RemotePath.of("far:file"),
            Placement.EXACTLY,
            Choice.DEFAULT,
            fetch.wanted(),
            null,
            List.of(),
            Flow.of(stallNs, stallNs),
            false,
            true,
            new ReportOptions(true, false, false, false, false, 80, 0, false)));
  }

  @Test
  void anEndOfARelayThatSaysNothingMoreIsNotWaitedForForEver() throws Exception {
    String talks = "while echo; do sleep 0.1; done";
    String silent = "exec sleep 1000";
    assertThat(relay(silent, talks)).isEqualTo(ExitCode.NETWORK);
    assertThat(relay(talks, silent)).isEqualTo(ExitCode.NETWORK);
    assertThat(relay(silent, silent)).isEqualTo(ExitCode.NETWORK);
    assertThat(relay(silent, "exit 0")).isEqualTo(ExitCode.NETWORK);
  }

  /// The sender could not end before all that it said was read, and knew only that it had lost the
  /// receiver.
  @Test
  void theReceiversCodeIsThatOfARelayWhoseSenderHasLostIt() throws Exception {
    String sender = "head -c 1000000 /dev/zero; cat > /dev/null; exit 5";
    assertThat(relay(sender, "exit 4")).isEqualTo(ExitCode.DESTINATION);
    assertThat(relay(sender, "exit 5")).isEqualTo(ExitCode.NETWORK);
    assertThat(relay(sender, "exit 70")).isEqualTo(ExitCode.PROTOCOL);
    assertThat(relay("exit 3", "exit 4")).isEqualTo(ExitCode.SOURCE);
  }
}
