package dev.zcp.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How often each end of a session books what: a sample is one operation that was timed.
@Timeout(120)
class SessionStagesTest {

  private static final int FILES = 20;
  private static final int LARGE_BYTES = 3 << 20;

  private static final Pattern STAGE = Pattern.compile("\"(\\w+)\":\\{\"count\":(\\d+)");

  private static final Set<String> SOON_MORE = Set.of("queue", "file");

  @TempDir Path folder;

  private Map<String, Integer> sent;
  private Map<String, Integer> received;

  @Test
  void smallFilesThatGoOutByOneCallAreOneSampleOfIt() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(Files.write(folder.resolve("f" + i), new byte[100 + i]).toString());
    }
    transfer(new byte[0], files);
    assertThat(sent)
        .containsEntry("open", FILES)
        .containsEntry("read", FILES)
        .containsEntry("file", FILES);
    // All go in one part, or in two if the walk is slow.
    assertThat(sent.get("send")).isLessThan(FILES);
    assertThat(received)
        .containsEntry("create", FILES)
        .containsEntry("write", FILES)
        .containsEntry("readback", FILES)
        .containsEntry("metadata", FILES)
        .containsEntry("publish", FILES)
        .containsEntry("file", FILES)
        .containsKey("queue")
        .doesNotContainKey("journal");
    assertThat(received.get("receive")).isLessThan(FILES);
    assertThat(received.get("digest")).isLessThan(FILES);
  }

  @Test
  void aLargeFileIsBookedByItsSteps() throws Exception {
    Path file = Files.write(folder.resolve("large"), new byte[LARGE_BYTES]);
    transfer(new byte[0], List.of(file.toString()), "--verify=media");
    assertThat(sent).containsEntry("open", 1).containsEntry("file", 1).containsKey("send");
    assertThat(received)
        .containsEntry("create", 1)
        .containsEntry("readback", LARGE_BYTES >> 18)
        .containsEntry("metadata", 1)
        .containsEntry("publish", 1)
        .containsKey("receive")
        .containsKey("queue")
        .containsKey("journal");
  }

  @Test
  void whatAStreamGivesIsReadAndDigestedPieceByPiece() throws Exception {
    int pieces = 4;
    transfer(new byte[pieces << 18], List.of("-"), "--strategy=direct");
    assertThat(sent)
        .containsEntry("open", 1)
        // And the one that finds the end, for which a pipe may let it wait.
        .containsEntry("read", pieces + 1)
        .containsEntry("digest", pieces)
        .containsEntry("send", pieces);
  }

  @Test
  void whatIsThereAlreadyIsNotSaidToBeResumed() throws Exception {
    Path file = Files.write(folder.resolve("large"), new byte[LARGE_BYTES]);
    transfer(new byte[0], List.of(file.toString()));
    try (ZcpProcess receiver = receive()) {
      Cli.Result again = Cli.run("send", url(receiver), file.toString());
      assertThat(again.err()).contains("already there: 3.00 MiB\n").doesNotContain("resumed");
      receiver.end();
    }
  }

  /// The kernel says that such a file is a page long.
  @Test
  void aFileThatEndsBeforeItsSizeArrivesAndItsTimesAreTold() throws Exception {
    Path early = Path.of("/sys/devices/system/cpu/online");
    assumeTrue(
        Files.exists(early) && Files.readAllBytes(early).length < Files.size(early),
        "no file here ends before its size");
    try (ZcpProcess receiver = receive()) {
      Cli.Result sender = Cli.run("send", "-q", "--json", url(receiver), early.toString());
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      assertThat(folder.resolve("inbox/online")).hasBinaryContent(Files.readAllBytes(early));
      assertThat(counts(receiver.end().out(), "peerLatencies")).containsKey("read");
    }
  }

  private void transfer(byte[] in, List<String> files, String... options) throws Exception {
    try (ZcpProcess receiver = receive()) {
      List<String> arguments = new ArrayList<>(List.of("send", "-q", "--json"));
      arguments.addAll(List.of(options));
      arguments.add(url(receiver));
      arguments.addAll(files);
      Cli.Result sender = Cli.run(in, arguments.toArray(String[]::new));
      assertThat(sender.exitCode()).as(sender.err()).isZero();
      String receivers = receiver.end().out();
      sent = counts(sender.out(), "latencies");
      received = counts(receivers, "latencies");
      Map<String, Integer> told = counts(sender.out(), "peerLatencies");
      Map<String, Integer> heard = counts(receivers, "peerLatencies");
      // The queue goes on, and the last file has no acknowledgement yet when the last word is said.
      told.keySet().removeAll(SOON_MORE);
      heard.keySet().removeAll(SOON_MORE);
      assertThat(told).as("what the sender shows of the receiver").isNotEmpty();
      assertThat(received).containsAllEntriesOf(told);
      assertThat(heard).as("what the receiver shows of the sender").isNotEmpty();
      assertThat(sent).containsAllEntriesOf(heard);
    }
  }

  private ZcpProcess receive() throws Exception {
    Path inbox = Files.createDirectories(folder.resolve("inbox"));
    return ZcpProcess.start(
        folder,
        Map.of(),
        "receive",
        "-q",
        "--once",
        "--json",
        "--verify=readback",
        "--listen=127.0.0.1:0",
        inbox.toString());
  }

  private static String url(ZcpProcess receiver) throws Exception {
    return receiver.line().replaceAll(".*\"url\":\"([^\"]+)\".*", "$1");
  }

  private static Map<String, Integer> counts(String json, String field) {
    String line = json.lines().filter(each -> each.contains("\"result\"")).findFirst().orElse("");
    String result = line.replaceAll(".*\"" + field + "\":(\\{(\"\\w+\":\\{[^}]*},?)*}).*", "$1");
    Map<String, Integer> counts = new TreeMap<>();
    STAGE
        .matcher(result)
        .results()
        .forEach(match -> counts.put(match.group(1), Integer.valueOf(match.group(2))));
    return counts;
  }
}
