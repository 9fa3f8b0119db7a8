package dev.zcp.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.cli.Version;
import dev.zcp.core.ExitCode;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.testing.Cli;
import java.io.IOException;
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
}
