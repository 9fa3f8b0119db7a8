package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Hearing;
import dev.zcp.testing.Programs;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A signal in the middle of a transfer: the exit code is that of the signal, nothing is told
/// beside it, no final name appears and no partial file stays. After SIGKILL one partial file may
/// stay.
class SignalsIT {

  private static final String PARTIAL = "\\.zcp-[0-9a-f]{16}\\.part";

  private static final List<String> STRATEGIES =
      List.of("auto", "direct", "stream", "transferTo", "copyFileRange", "splice", "mmap");

  private static final List<String> RECEIVING = List.of("direct", "transferTo", "splice", "mmap");

  /// More than any strategy moves before the signal comes, and not so much that a receiver finds no
  /// room for it. All of it is a hole.
  private static final long SOURCE_BYTES = 6L << 30;

  /// So far into it the signal comes.
  private static final long MIDDLE_BYTES = 8 << 20;

  /// By then zcp copies.
  private static final long STARTED_MS = 100;

  @TempDir Path folder;

  private Path source;
  private Path target;

  @BeforeEach
  void prepare() throws Exception {
    source = folder.resolve("source");
    Programs.zeros(source, SOURCE_BYTES);
    target = Files.createDirectory(folder.resolve("target"));
  }

  static Stream<Arguments> everySignalAndStrategy() {
    return signals(STRATEGIES);
  }

  static Stream<Arguments> everySignalAndReceivingStrategy() {
    return signals(RECEIVING);
  }

  private static Stream<Arguments> signals(List<String> strategies) {
    return strategies.stream()
        .flatMap(
            strategy ->
                Stream.of(
                    Arguments.of("HUP", 129, strategy),
                    Arguments.of("INT", 130, strategy),
                    Arguments.of("TERM", 143, strategy)));
  }

  @ParameterizedTest
  @MethodSource("everySignalAndStrategy")
  void aCopyEndsByTheSignalAndLeavesWhatTheNextOneGoesOnWith(
      String signal, int exitCode, String strategy) throws Exception {
    try (BuiltZcp copy = copy(strategy, source.toString())) {
      awaitTheMiddle(copy);
      copy.signal(signal);
      assertThat(copy.end()).isEqualTo(new BuiltZcp.Ended(exitCode, "", ""));
    }
    assertThat(names()).singleElement().asString().matches(PARTIAL);
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aCopyThatASignalEndsSaysWhatIsKept(String signal, int exitCode) throws Exception {
    try (BuiltZcp copy =
        BuiltZcp.start(
            folder,
            "copy",
            "--strategy=direct",
            source.toString(),
            target.resolve("final").toString())) {
      awaitTheMiddle(copy);
      copy.signal(signal);
      assertThat(copy.end())
          .isEqualTo(
              new BuiltZcp.Ended(
                  exitCode,
                  "",
                  "zcp: "
                      + target.resolve("final")
                      + ": interrupted (no file is copied; run the same command again; the large"
                      + " file goes on where it stopped)\n"));
    }
    assertThat(names()).singleElement().asString().matches(PARTIAL);
  }

  /// The same command would copy it into what the first one has made.
  @Test
  void aTreeOfANewNameGoesOnWithDashT() throws Exception {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    Files.write(tree.resolve("a"), new byte[1 << 20]);
    Path made = folder.resolve("made");
    try (BuiltZcp copy =
        BuiltZcp.start(folder, "copy", "-r", "--limit-rate=1K", tree.toString(), made.toString())) {
      copy.await("a target", () -> Files.exists(made));
      copy.signal("INT");
      String kept =
          "no file is copied; run the same command again with -T, since the target exists";
      assertThat(copy.end())
          .isEqualTo(
              new BuiltZcp.Ended(130, "", "zcp: " + made + ": interrupted (" + kept + " now)\n"));
    }
  }

  @Test
  void onATerminalTheLastWordsStandInALineOfTheirOwn() throws Exception {
    assertThat(interruptedOnATerminal("zcp copy fifo out"))
        .endsWith("\nzcp: out: interrupted (no file is copied; run the same command again)\r\n");
  }

  /// A shell goes on with its loop after a command that exits with 130, and ends after one that
  /// SIGINT killed.
  @Test
  void controlCEndsTheLoopOfAShell() throws Exception {
    Programs.assume("bash");
    String loop = "bash -c 'for i in 1 2 3; do zcp copy fifo out$i; done; echo after'";
    assertThat(interruptedOnATerminal(loop))
        .contains("zcp: out1: interrupted")
        .doesNotContain("after");
  }

  /// What a terminal shows of a command that copies a FIFO and is ended by Ctrl-C.
  private String interruptedOnATerminal(String command) throws Exception {
    Programs.assume("script");
    Programs.run("mkfifo", folder.resolve("fifo").toString());
    Path screen = folder.resolve("screen");
    List<String> words = new ArrayList<>(Hearing.PREFIX);
    words.addAll(List.of("script", "-qec", command, "/dev/null"));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(screen.toFile());
    builder.environment().merge("PATH", ZcpProcess.built() + ":", (old, zcp) -> zcp + old);
    builder.environment().put("SHELL", "/bin/sh");
    Process process = builder.start();
    try (RandomAccessFile writer = new RandomAccessFile(folder.resolve("fifo").toFile(), "rw")) {
      writer.write(1);
      while (!Files.readString(screen).contains("fifo")) {
        Thread.sleep(20);
      }
      process.getOutputStream().write(3);
      process.getOutputStream().flush();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(Files.readString(screen)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(screen);
  }

  /// By wait(2), which tells a death by a signal from an exit with 128 + n; shells and Java do not.
  @ParameterizedTest
  @CsvSource({"HUP, 1", "INT, 2", "QUIT, 3", "TERM, 15"})
  void whatASignalEndsHasDiedOfIt(String signal, int number) throws Exception {
    Programs.assume("perl");
    String wait = "system(@ARGV); print $? & 127";
    try (BuiltZcp perl =
        BuiltZcp.start(
            folder,
            List.of("perl", "-e", wait),
            "copy",
            "-q",
            source.toString(),
            target.resolve("final").toString())) {
      awaitTheMiddle(perl);
      ProcessHandle copy = perl.process().children().findFirst().orElseThrow();
      Programs.run("kill", "-" + signal, Long.toString(copy.pid()));
      assertThat(perl.end()).isEqualTo(new BuiltZcp.Ended(0, Integer.toString(number), ""));
    }
    assertThat(names()).singleElement().asString().matches(PARTIAL);
  }

  /// Of which the JVM would say that it could not start.
  @ParameterizedTest
  @CsvSource({"HUP, 129", "INT, 130", "QUIT, 131", "TERM, 143"})
  void aSignalWhileTheProcessStartsEndsItWithoutAWord(String signal, int exitCode)
      throws Exception {
    for (int delayMs = 0; delayMs < STARTED_MS; delayMs += 2) {
      try (BuiltZcp copy = copy("auto", "-");
          OutputStream _ = copy.process().getOutputStream()) {
        Thread.sleep(delayMs);
        copy.signal(signal);
        assertThat(copy.end())
            .as("%d ms after the start", delayMs)
            .isEqualTo(new BuiltZcp.Ended(exitCode, "", ""));
      }
      assertThat(names()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "QUIT, 131", "TERM, 143"})
  void aCopyThatWaitsForStandardInputEndsByTheSignal(String signal, int exitCode) throws Exception {
    for (String strategy : List.of("direct", "splice", "mmap")) {
      try (BuiltZcp copy = copy(strategy, "-");
          OutputStream input = copy.process().getOutputStream()) {
        input.write(new byte[(int) MIDDLE_BYTES]);
        input.flush();
        awaitTheMiddle(copy);
        copy.signal(signal);
        assertThat(copy.end()).isEqualTo(new BuiltZcp.Ended(exitCode, "", ""));
      }
      assertThat(names()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("everySignalAndReceivingStrategy")
  void aReceiverEndsByTheSignalAndLeavesNoFinalName(String signal, int exitCode, String strategy)
      throws Exception {
    try (BuiltZcp receiver = receive(strategy);
        BuiltZcp sender = send(receiver)) {
      awaitTheMiddle(sender);
      receiver.signal(signal);
      assertThat(receiver.end().exitCode()).isEqualTo(exitCode);
      assertThat(receiver.end().err()).isEmpty();
      // Nothing is wrong with the file or with the place it went to: a retry may help.
      BuiltZcp.Ended sent = sender.end();
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(5);
    }
    assertThat(finals()).isEmpty();
    assertThat(keys()).isEmpty();
  }

  @Test
  void aReceiverThatWaitsForSendersEndsByTheSignalAndForgetsItsKey() throws Exception {
    try (BuiltZcp receiver = receive("auto")) {
      receiver.firstLine();
      assertThat(keys()).hasSize(1);
      receiver.signal("INT");
      assertThat(receiver.end().exitCode()).isEqualTo(130);
      assertThat(receiver.end().err()).isEmpty();
    }
    assertThat(keys()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"HUP, 129", "INT, 130", "TERM, 143", "KILL, 137"})
  void aSenderEndsByTheSignalAndTheReceiverLeavesNoFinalNameAndGoesOn(String signal, int exitCode)
      throws Exception {
    try (BuiltZcp receiver = receive("auto")) {
      try (BuiltZcp sender = send(receiver)) {
        awaitTheMiddle(sender);
        sender.signal(signal);
        assertThat(sender.end()).isEqualTo(new BuiltZcp.Ended(exitCode, "", ""));
      }
      assertThat(finals()).isEmpty();
      Path small = Files.writeString(folder.resolve("small"), "small");
      BuiltZcp.Ended next =
          BuiltZcp.run(folder, "send", "-q", receiver.firstLine(), small.toString());
      assertThat(next).isEqualTo(new BuiltZcp.Ended(0, "", ""));
      assertThat(finals()).containsExactly("small");
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aSenderThatASignalEndsSaysWhatIsKept(String signal, int exitCode) throws Exception {
    try (BuiltZcp receiver = receive("auto");
        BuiltZcp sender = BuiltZcp.start(folder, "send", receiver.firstLine(), source.toString())) {
      awaitTheMiddle(sender);
      sender.signal(signal);
      BuiltZcp.Ended ended = sender.end();
      assertInterrupted(ended, exitCode);
    }
  }

  @Test
  void soDoesOneThatListensOfEachReceiver() throws Exception {
    try (BuiltZcp sender =
            BuiltZcp.start(folder, "send", "--listen=127.0.0.1:0", source.toString());
        BuiltZcp receiver =
            BuiltZcp.start(folder, "receive", "-q", sender.firstLine(), target.toString())) {
      awaitTheMiddle(receiver);
      sender.signal("INT");
      assertInterrupted(sender.end(), 130);
    }
  }

  private static void assertInterrupted(BuiltZcp.Ended ended, int exitCode) {
    assertThat(ended.exitCode()).isEqualTo(exitCode);
    assertThat(ended.err())
        .matches(
            "zcp: 127\\.0\\.0\\.1:[0-9]+: interrupted \\(([0-9.]+ [MG]iB had arrived and are"
                + " kept; the same command again sends the rest|nothing new had arrived; run the"
                + " same command again)\\)\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "direct", "splice", "mmap"})
  void aKilledCopyLeavesNoFinalName(String strategy) throws Exception {
    try (BuiltZcp copy = copy(strategy, source.toString())) {
      awaitTheMiddle(copy);
      copy.signal("KILL");
      assertThat(copy.end().exitCode()).isEqualTo(137);
    }
    assertOnlyAPartialFile();
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "splice", "mmap"})
  void aKilledReceiverLeavesNoFinalName(String strategy) throws Exception {
    try (BuiltZcp receiver = receive(strategy);
        BuiltZcp sender = send(receiver)) {
      awaitTheMiddle(sender);
      receiver.signal("KILL");
      assertThat(receiver.end().exitCode()).isEqualTo(137);
      BuiltZcp.Ended sent = sender.end();
      assertThat(sent.exitCode()).as(sent.err()).isEqualTo(5);
    }
    assertOnlyAPartialFile();
  }

  private BuiltZcp copy(String strategy, String from) throws IOException {
    return BuiltZcp.start(
        folder, "copy", "-q", "--strategy=" + strategy, from, target.resolve("final").toString());
  }

  private BuiltZcp receive(String strategy) throws IOException {
    return BuiltZcp.start(
        folder,
        "receive",
        "-q",
        "--listen=127.0.0.1:0",
        "--strategy=" + strategy,
        target.toString());
  }

  private BuiltZcp send(BuiltZcp receiver) throws Exception {
    // Whether it would find another receiver is another test's.
    return BuiltZcp.start(
        folder, "send", "-q", "--retries=0", receiver.firstLine(), source.toString());
  }

  /// Waits until the partial file has some bytes.
  private void awaitTheMiddle(BuiltZcp feeding) throws Exception {
    feeding.await(
        "a partial file of some size", () -> TreeContent.partialBytes(target) >= MIDDLE_BYTES);
  }

  /// A receiver keeps the journal of what it has verified beside it.
  private void assertOnlyAPartialFile() throws IOException {
    assertThat(finals()).isEmpty();
    assertThat(names())
        .hasSizeLessThanOrEqualTo(2)
        .allMatch(name -> name.matches("\\.zcp-.*\\.(part|journal)"));
  }

  private List<String> finals() throws IOException {
    return names().stream().filter(name -> !name.startsWith(".zcp-")).toList();
  }

  private List<String> names() throws IOException {
    return list(target);
  }

  /// The keys that receivers left for senders of the same user.
  private List<String> keys() throws IOException {
    Path place = folder.resolve("zcp");
    return Files.exists(place) ? list(place) : List.of();
  }

  private static List<String> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
