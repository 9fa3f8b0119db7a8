package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The built zcp, with a sender that listens and receivers that dial. The other pair, a receiver
/// that listens and senders that dial, is that of most other tests.
@Timeout(120)
class RolesIT {

  private static final int LARGE_BYTES = 12 << 20;

  @TempDir Path folder;

  private Path source;
  private byte[] large;
  private BuiltZcp sender;

  @BeforeEach
  void grow() throws IOException {
    folder = folder.toRealPath();
    source = Files.createDirectories(folder.resolve("source/below")).getParent();
    for (int i = 0; i < 300; i++) {
      Files.writeString(source.resolve("below/" + i), "file " + i);
    }
    large = new byte[LARGE_BYTES];
    new Random(LARGE_BYTES).nextBytes(large);
    Files.write(source.resolve("large"), large);
  }

  @AfterEach
  void stop() throws IOException {
    if (sender != null) {
      sender.close();
    }
  }

  private void listen(String... arguments) throws Exception {
    String[] all = new String[arguments.length + 3];
    all[0] = "send";
    all[1] = "--listen=127.0.0.1:0";
    all[2] = "--stall-timeout=5s";
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    sender = BuiltZcp.start(folder, all);
    assertThat(sender.firstLine()).contains("zcp+plain://");
  }

  private BuiltZcp.Ended receive(String... arguments) throws Exception {
    return BuiltZcp.run(folder, arguments);
  }

  private Path inbox(String name) throws IOException {
    return Files.createDirectory(folder.resolve(name));
  }

  private void assertArrived(Path inbox) throws Exception {
    assertThat(TreeContent.of(inbox.resolve("source")).entries())
        .isEqualTo(TreeContent.of(source).entries());
  }

  @Test
  void eachReceiverGetsTheTreeAndTheSenderGoesOn() throws Exception {
    listen("-q", "-r", source.toString());
    Path one = inbox("one");
    Path two = inbox("two");
    try (BuiltZcp first =
        BuiltZcp.start(folder, "receive", "-q", sender.firstLine(), one.toString())) {
      assertThat(receive("receive", "-q", sender.firstLine(), two.toString()))
          .isEqualTo(new BuiltZcp.Ended(0, "", ""));
      assertThat(first.end()).isEqualTo(new BuiltZcp.Ended(0, "", ""));
    }
    assertArrived(one);
    assertArrived(two);
    assertThat(sender.isAlive()).isTrue();
    sender.signal("TERM");
    assertThat(sender.end().exitCode()).isEqualTo(128 + 15);
  }

  @Test
  void aLaterReceiverGetsWhatIsThereThen() throws Exception {
    listen("-q", "-r", source.toString());
    assertThat(receive("receive", "-q", sender.firstLine(), inbox("one").toString()).exitCode())
        .isZero();
    Files.writeString(source.resolve("later"), "new");
    Path two = inbox("two");
    assertThat(receive("receive", "-q", sender.firstLine(), two.toString()).exitCode()).isZero();
    assertArrived(two);
  }

  @Test
  void withOnceTheSenderExitsAfterTheFirstTransfer() throws Exception {
    listen("--once", "-r", source.toString());
    Path inbox = inbox("inbox");
    BuiltZcp.Ended received = receive("receive", sender.firstLine(), inbox.toString());
    assertThat(received.exitCode()).as(received.err()).isZero();
    assertThat(received.err()).contains("received 301 files");
    BuiltZcp.Ended sent = sender.end();
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(sent.err()).contains("sent 301 files");
    assertArrived(inbox);
  }

  @Test
  void anAddressNeedsNoKeyForAReceiverOfTheSameUser() throws Exception {
    listen("-q", "-r", source.toString());
    Path inbox = inbox("inbox");
    assertThat(receive("receive", "-q", "127.0.0.1:" + sender.port(), inbox.toString()))
        .isEqualTo(new BuiltZcp.Ended(0, "", ""));
    assertArrived(inbox);
  }

  @Test
  void aReceiverThatDialsOpensAsManyConnectionsAsItIsToldTo() throws Exception {
    listen("--once", "--json", "-r", source.toString());
    Path inbox = inbox("inbox");
    BuiltZcp.Ended received =
        receive("receive", "--json", "--connections=3", "--limit-rate=4M", url(), inbox.toString());
    assertThat(received.exitCode()).as(received.err()).isZero();
    assertThat(received.out()).contains("\"connections\":3");
    assertThat(sender.end().out()).contains("\"connections\":3");
    assertArrived(inbox);
  }

  /// With --json the URL is in an event.
  private String url() throws Exception {
    String line = sender.firstLine();
    int begin = line.indexOf("zcp+plain://");
    return line.substring(begin, line.indexOf('"', begin));
  }

  @Test
  void standardInputGoesToOneReceiverAndToItsStandardOutput() throws Exception {
    Path file = source.resolve("large");
    sender =
        BuiltZcp.start(
            folder,
            List.of("sh", "-c", "exec \"$@\" < " + file, "sh"),
            "send",
            "--listen=127.0.0.1:0",
            "-q",
            "-");
    try (BuiltZcp receiver = BuiltZcp.start(folder, "receive", "-q", sender.firstLine(), "-")) {
      BuiltZcp.Ended received = receiver.end();
      assertThat(received.exitCode()).as(received.err()).isZero();
      assertThat(receiver.out()).hasBinaryContent(large);
    }
    assertThat(sender.end().exitCode()).isZero();
  }

  @Test
  void aReceiverThatWasKilledGoesOnWhereItWas() throws Exception {
    listen("-q", "--limit-rate=3M", source.resolve("large").toString());
    Path inbox = inbox("inbox");
    try (BuiltZcp killed =
        BuiltZcp.start(folder, "receive", "-q", sender.firstLine(), inbox.toString())) {
      killed.await("half of the file", () -> TreeContent.partialBytes(inbox) > LARGE_BYTES / 2);
      killed.signal("KILL");
      killed.end();
    }
    assertThat(inbox.resolve("large")).doesNotExist();
    BuiltZcp.Ended received = receive("receive", "--json", sender.firstLine(), inbox.toString());
    assertThat(received.exitCode()).as(received.err()).isZero();
    assertThat(received.out()).doesNotContain("\"bytesResumed\":0,");
    assertThat(inbox.resolve("large")).hasBinaryContent(large);
  }

  @Test
  void aSenderThatWasKilledLeavesWhatTheNextOneCompletes() throws Exception {
    listen("-q", "--limit-rate=3M", source.resolve("large").toString());
    Path inbox = inbox("inbox");
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder, "receive", "-q", "--retries=0", sender.firstLine(), inbox.toString())) {
      receiver.await("half of the file", () -> TreeContent.partialBytes(inbox) > LARGE_BYTES / 2);
      sender.signal("KILL");
      BuiltZcp.Ended ended = receiver.end();
      assertThat(ended.exitCode()).as(ended.err()).isEqualTo(5);
      assertThat(ended.err()).contains("the same command again goes on");
    }
    assertThat(inbox.resolve("large")).doesNotExist();
    sender.close();
    listen("-q", source.resolve("large").toString());
    assertThat(receive("receive", "-q", sender.firstLine(), inbox.toString()).exitCode()).isZero();
    assertThat(inbox.resolve("large")).hasBinaryContent(large);
  }

  @Test
  void twoSendersOrTwoReceiversHaveNothingToSayToEachOther() throws Exception {
    listen("-q", "-r", source.toString());
    BuiltZcp.Ended sent = receive("send", "-q", sender.firstLine(), source + "/large");
    assertThat(sent.exitCode()).isEqualTo(8);
    assertThat(sent.err()).contains("the peer is a sender, too");
    try (BuiltZcp receiver =
        BuiltZcp.start(folder, "receive", "--listen=127.0.0.1:0", folder.toString())) {
      BuiltZcp.Ended received = receive("receive", "-q", receiver.firstLine(), folder.toString());
      assertThat(received.exitCode()).isEqualTo(8);
      assertThat(received.err()).contains("the peer is a receiver, too");
    }
  }

  @Test
  void aStreamGoesToTheFirstReceiverOnlyEvenIfThatFails() throws Exception {
    String[] words = {"send", "--listen=127.0.0.1:0", "--stall-timeout=5s", "-q", "-"};
    sender = BuiltZcp.start(folder, words);
    OutputStream stream = sender.process().getOutputStream();
    stream.write('a');
    stream.flush();
    Path one = inbox("one");
    Path two = inbox("two");
    try (BuiltZcp killed =
        BuiltZcp.start(folder, "receive", "-q", sender.firstLine(), one.toString())) {
      killed.await("a part of the stream", () -> TreeContent.partialBytes(one) > 0);
      killed.signal("KILL");
      killed.end();
    }
    BuiltZcp.Ended second = receive("receive", "-q", sender.firstLine(), two.toString());
    assertThat(second.exitCode()).as(second.err()).isNotZero();
    assertThat(two).isEmptyDirectory();
    assertThat(sender.end().exitCode()).isEqualTo(5);
  }

  @Test
  void whoHasAnotherKeyGetsNothing() throws Exception {
    listen("-q", "-r", source.toString());
    Path inbox = inbox("inbox");
    String other = "zcp+plain://AAAAAAAAAAAAAAAAAAAAAJrq@127.0.0.1:" + sender.port();
    BuiltZcp.Ended received = receive("receive", "-q", other, inbox.toString());
    assertThat(received.exitCode()).isEqualTo(6);
    assertThat(received.err())
        .isEqualTo(
            "zcp: 127.0.0.1:"
                + sender.port()
                + ": the sender has another key (use the URL that it printed)\n");
    assertThat(inbox).isEmptyDirectory();
  }

  @Test
  void whatTheReceiverRefusesIsToldAtBothEnds() throws Exception {
    listen("--once", source.resolve("large").toString());
    Path inbox = inbox("inbox");
    Files.writeString(inbox.resolve("large"), "is there");
    BuiltZcp.Ended received = receive("receive", sender.firstLine(), inbox.toString());
    assertThat(received.exitCode()).isEqualTo(9);
    assertThat(inbox.resolve("large")).hasContent("is there");
    assertThat(sender.end().exitCode()).isEqualTo(9);
  }

  @Test
  void aSourceThatIsNotThereIsToldBeforeAnybodyIsLetIn() throws Exception {
    BuiltZcp.Ended ended = receive("send", "--listen=127.0.0.1:0", "nothing-here");
    assertThat(ended.exitCode()).isEqualTo(3);
    assertThat(ended.out()).isEmpty();
    assertThat(ended.err()).contains("nothing-here: no such file");
  }
}
