package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/// The key of a session is where it must be, and nowhere else that somebody could look.
@Timeout(300)
class KeyOutOfSightIT {

  private static final long LARGE_BYTES = 8 << 20;

  @TempDir(cleanup = CleanupMode.ALWAYS)
  Path folder;

  private Path inbox;
  private Path large;

  /// Null until it is started.
  private BuiltZcp receiver;

  @BeforeEach
  void makeFiles() throws IOException {
    inbox = Files.createDirectory(folder.resolve("inbox"));
    large = Programs.zeros(folder.resolve("large"), LARGE_BYTES);
  }

  @AfterEach
  void endReceiver() throws IOException {
    if (receiver != null) {
      receiver.close();
    }
  }

  private static String keyOf(String url) {
    return url.substring(url.indexOf("://") + 3, url.indexOf('@'));
  }

  private static String newKey() throws Exception {
    return Programs.run(BuiltZcp.LAUNCHER.toString(), "key").strip();
  }

  private BuiltZcp receive(List<String> before, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("receive", "--tls", "--listen=127.0.0.1:0"));
    words.addAll(List.of(options));
    words.add(inbox.toString());
    receiver = BuiltZcp.start(folder, before, words.toArray(String[]::new));
    receiver.firstLine();
    return receiver;
  }

  /// A command line that some process has now, in which the key stands.
  private static Optional<String> commandLineWith(String key) throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes
          .map(each -> text(each.resolve("cmdline")))
          .filter(it -> it.contains(key))
          .findAny();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }

  private List<Path> filesWith(String key) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).filter(each -> text(each).contains(key)).toList();
    }
  }

  @Test
  void theKeyOfAUrlIsInNoListOfProcesses() throws Exception {
    String url = receive(List.of()).firstLine();
    String key = keyOf(url);
    try (BuiltZcp sender =
        BuiltZcp.start(folder, "send", "--limit-rate=2M", url, large.toString())) {
      sender.await("some of the file", () -> TreeContent.partialBytes(inbox) > 0);
      assertThat(commandLineWith(key)).isEmpty();
      String proc = "/proc/" + sender.process().pid();
      assertThat(text(Path.of(proc, "cmdline"))).contains("\0zcp://@127.0.0.1:");
      assertThat(sender.end().exitCode()).isZero();
    }
    assertThat(inbox.resolve("large")).hasSameBinaryContentAs(large);
  }

  @Test
  void aKeyThatWasGivenIsInNoOutputLogReportOrPage() throws Exception {
    String key = newKey();
    List<String> given = List.of("env", "ZCP_KEY=" + key, "XDG_STATE_HOME=" + folder);
    String[] told = {"-v", "--report-file=%s.html", "--metrics=%s.prom", "--histogram=%s.hlog"};
    BuiltZcp listening = receive(given, of(told, folder.resolve("r")));
    String address = listening.firstLine();
    assertThat(address).startsWith("zcp://127.0.0.1:");
    List<String> words =
        new ArrayList<>(List.of("send", "--json", "--compress=never", "--limit-rate=2M"));
    words.addAll(List.of(of(told, folder.resolve("s"))));
    words.addAll(List.of(address.replace("//", "//" + key + "@"), large.toString()));
    BuiltZcp.Ended sent = BuiltZcp.run(folder, given, words.toArray(String[]::new));
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    receiver.await("the report", () -> Files.exists(folder.resolve("r.html")));
    assertThat(sent.out()).doesNotContain(key);
    assertThat(folder.resolve("s.html")).content().contains("zcp://");
    assertThat(folder.resolve("zcp/last.json")).exists();
    // The file for the same user, which is what it is for.
    assertThat(filesWith(key)).hasSize(1).first().asString().endsWith(".key");
  }

  private static String[] of(String[] options, Path name) {
    return Stream.of(options).map(each -> each.formatted(name)).toArray(String[]::new);
  }

  @Test
  void aCrashTellsNoKey() throws Exception {
    String key = newKey();
    String url = receive(List.of("env", "ZCP_KEY=" + key)).firstLine();
    String withKey = url.replace("//", "//" + key + "@");
    for (String address : List.of(url, withKey)) {
      List<String> given = List.of("env", "ZCP_KEY=" + key);
      try (BuiltZcp sender =
          BuiltZcp.start(folder, given, "send", "--limit-rate=1M", address, large.toString())) {
        sender.await("some of the file", () -> TreeContent.partialBytes(inbox) > 0);
        sender.signal("SEGV");
        sender.end();
      }
    }
    receiver.close();
    assertThat(filesWith(key)).allSatisfy(each -> assertThat(each.toString()).endsWith(".key"));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.filter(each -> each.toString().contains("zcp-crash"))).hasSizeLessThan(2);
    }
  }

  /// What a receiver prints on a terminal.
  private List<String> printed(String listen) throws Exception {
    Programs.assume("script");
    String receive = BuiltZcp.LAUNCHER + " receive --listen=" + listen + " " + inbox;
    receiver =
        BuiltZcp.start(
            folder, List.of("sh", "-c", "exec script -qefc '" + receive + "' /dev/null", "sh"));
    receiver.await("the command", () -> text(receiver.out()).contains("FILE..."));
    return text(receiver.out()).lines().map(String::strip).toList();
  }

  @Test
  void whatIsPrintedForTheOtherMachineHasTheKeyInAVariable() throws Exception {
    List<String> lines = printed(":0");
    String url = lines.getFirst();
    String open = url.replace(keyOf(url) + "@", "");
    assertThat(lines.get(1))
        .startsWith("on the other machine: ZCP_KEY=" + keyOf(url) + " zcp send ");
    assertThat(lines.get(1)).endsWith(open + " FILE...");
  }

  @Test
  void onThisMachineNoKeyIsToBeTyped() throws Exception {
    List<String> lines = printed("127.0.0.1:0");
    assertThat(lines.get(1)).startsWith("on this machine: zcp send zcp+plain://127.0.0.1:");
    String open = lines.get(1).split(" ")[5];
    BuiltZcp.Ended sent = BuiltZcp.run(folder, List.of(), "send", open, large.toString());
    assertThat(sent.exitCode()).as(sent.err()).isZero();
  }

  @Test
  void aMistypedKeyIsSaidToBeMistyped() throws Exception {
    String url = receive(List.of()).firstLine();
    String key = keyOf(url);
    String mistyped = key.substring(0, 5) + (key.charAt(5) == 'x' ? 'y' : 'x') + key.substring(6);
    BuiltZcp.Ended sent =
        BuiltZcp.run(folder, List.of(), "send", url.replace(key, mistyped), large.toString());
    assertThat(sent)
        .isEqualTo(
            new BuiltZcp.Ended(
                2, "", "zcp: the address: the key is mistyped, or zcp did not make it\n"));
    assertThat(inbox).isEmptyDirectory();
  }
}
