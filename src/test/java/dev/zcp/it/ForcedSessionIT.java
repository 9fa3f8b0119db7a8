package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.FileContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What `zcp receive --fsync` forces to the device and when, as the kernel sees it, and what both
/// ends say of it.
@Timeout(300)
class ForcedSessionIT extends SshSetup {

  private static final int FILES = 40;
  private static final int MEDIUM_BYTES = 3 << 20;

  private BuiltZcp.Ended sent;
  private BuiltZcp.Ended received;

  @BeforeEach
  void prepare() throws IOException, InterruptedException {
    Trace.assumePossible();
  }

  @Test
  void bytesAreForcedBeforeANameIsGivenAndNamesBeforeTheLastWord() throws Exception {
    makeTree();
    List<SystemCall> calls = trace("--fsync");
    int forced = -1;
    int written = -1;
    int named = -1;
    int said = -1;
    int renames = 0;
    for (int i = 0; i < calls.size(); i++) {
      SystemCall call = calls.get(i);
      switch (call.name()) {
        case "syncfs", "fsync" -> forced = i;
        case "pwrite64", "write" -> written = isPartial(call) ? i : written;
        case "writev" -> said = Trace.Place.SOCKET.test(call.file(0)) ? i : said;
        case "renameat2" -> {
          renames++;
          named = i;
          assertThat(forced).as("forced before the name of %s", call.arguments()).isPositive();
        }
        case "mkdirat", "symlinkat", "utimensat" -> named = i;
        default -> {
          // Of no matter here.
        }
      }
    }
    assertThat(renames).isEqualTo(FILES);
    assertThat(forced).as("forced after the last name").isGreaterThan(named).isGreaterThan(written);
    assertThat(said).as("said after all was forced").isGreaterThan(forced);
    long flushes = calls.stream().filter(call -> call.name().matches("fsync|syncfs")).count();
    assertThat(flushes).as("flushes for %d files", FILES).isLessThan(FILES / 2);
  }

  @Test
  void aFileAloneIsForcedByItselfAndThenItsDirectory() throws Exception {
    Files.write(from.resolve("file"), random(MEDIUM_BYTES));
    List<String> order = new ArrayList<>();
    for (SystemCall call : trace("--fsync")) {
      if (call.name().equals("fsync")) {
        order.add(isPartial(call) ? "force file" : "force " + call.file(0));
      } else if (call.name().matches("renameat2|syncfs")) {
        order.add(call.name());
      }
    }
    // The directory that holds the file is made, so its own name has to be forced, too.
    assertThat(order).isSubsetOf("syncfs", "renameat2", "force file", "force " + to);
    assertThat(order.indexOf("renameat2")).isPositive();
    assertThat(order.lastIndexOf("syncfs")).isGreaterThan(order.indexOf("renameat2"));
  }

  @Test
  void withoutTheOptionNothingIsForced() throws Exception {
    makeTree();
    assertThat(trace()).extracting(SystemCall::name).doesNotContain("fsync", "syncfs", "fdatasync");
  }

  @Test
  void whatCannotBeForcedIsNotPublished() throws Exception {
    makeTree();
    transfer(failing("syncfs,fsync:error=EIO"), "--fsync");
    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(4);
    assertThat(received.exitCode()).as(received.err()).isEqualTo(4);
    assertThat(sent.err()).contains("file-0: refused there: input/output error");
    try (var entries = Files.walk(to)) {
      assertThat(entries.filter(Files::isRegularFile)).isEmpty();
    }
  }

  @Test
  void bothEndsFailIfTheDirectoriesCannotBeForced() throws Exception {
    makeTree();
    transfer(failing("syncfs:error=EIO"), "--fsync");
    assertThat(sent.exitCode()).as(sent.err()).isEqualTo(4);
    assertThat(received.exitCode()).as(received.err()).isEqualTo(4);
    assertThat(received.err()).contains("may not survive a power cut");
    assertThat(to.resolve("from/file-0")).exists();
  }

  @Test
  void theReceiverTellsWhatIsOnTheDevice() throws Exception {
    makeTree();
    long bytes = 0;
    for (int i = 0; i < FILES; i++) {
      bytes += Files.size(from.resolve("file-" + i));
    }
    for (String option : List.of("--fsync", "--verify=media")) {
      Path target = Files.createDirectory(folder.resolve(option));
      assertThat(resultOf(target, option))
          .contains("\"bytesDurable\":" + bytes + ",")
          .contains("\"flush\":{\"count\":");
    }
    Path target = Files.createDirectory(folder.resolve("unforced"));
    assertThat(resultOf(target, "--verify=readback")).contains("\"bytesDurable\":null,");
  }

  @Test
  void fewDescriptorsAreEnough() throws Exception {
    makeTree();
    transfer(List.of("prlimit", "--nofile=128"), "--fsync");
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(received.exitCode()).as(received.err()).isZero();
  }

  @Test
  void aCopyToAnotherMachineIsForcedThere() throws Exception {
    sshd = Sshd.start(folder);
    makeTree();
    Path log = folder.resolve("served");
    Path traced = folder.resolve("traced");
    Files.writeString(
        traced,
        "#!/bin/sh\nexec '"
            + String.join("' '", Trace.into(log))
            + "' "
            + BuiltZcp.LAUNCHER
            + " \"$@\"\n");
    Files.setPosixFilePermissions(traced, PosixFilePermissions.fromString("rwx------"));
    BuiltZcp.Ended ended =
        BuiltZcp.run(
            folder,
            through(
                traced.toString(),
                "copy",
                "-a",
                "--fsync",
                from.toString(),
                box(to.resolve("there"))));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("all on the device");
    List<String> names = Trace.read(log).calls().stream().map(SystemCall::name).toList();
    assertThat(names.indexOf("renameat2")).isGreaterThan(names.indexOf("syncfs"));
    assertThat(names.lastIndexOf("syncfs")).isGreaterThan(names.lastIndexOf("renameat2"));
    FileContent.assertSame(to.resolve("there/file-1"), from.resolve("file-1"));
  }

  @Test
  void aCopyFromAnotherMachineIsForcedHere() throws Exception {
    sshd = Sshd.start(folder);
    makeTree();
    Path log = folder.resolve("here");
    BuiltZcp.Ended ended =
        BuiltZcp.run(
            folder,
            Trace.into(log),
            words("copy", "-a", "--fsync", box(from), to.resolve("here").toString()));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("all on the device");
    assertThat(Trace.read(log).calls()).extracting(SystemCall::name).contains("syncfs");
  }

  private void makeTree() throws IOException {
    for (int i = 0; i < FILES; i++) {
      // One that does not come in a part.
      Files.write(from.resolve("file-" + i), random(i == 1 ? MEDIUM_BYTES : 1000 + i));
    }
  }

  /// The calls of a receiver of the tree.
  private List<SystemCall> trace(String... options) throws Exception {
    Path log = folder.resolve("trace");
    transfer(Trace.into(log), options);
    assertThat(sent.exitCode()).as(sent.err()).isZero();
    assertThat(received.exitCode()).as(received.err()).isZero();
    return Trace.read(log).calls();
  }

  private void transfer(List<String> before, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("receive", "--once", "--listen=127.0.0.1:0"));
    words.addAll(List.of(options));
    words.add(to.toString());
    try (BuiltZcp receiver = BuiltZcp.start(folder, before, words.toArray(String[]::new))) {
      sent = BuiltZcp.run(folder, "send", "-r", receiver.firstLine(), from.toString());
      received = receiver.end();
    }
  }

  /// What a receiver with this option says at the end.
  private String resultOf(Path target, String option) throws Exception {
    try (BuiltZcp receiver =
        BuiltZcp.start(
            folder,
            "receive",
            "--once",
            "--json",
            "--listen=127.0.0.1:0",
            option,
            target.toString())) {
      String url = receiver.firstLine().replaceAll(".*\"url\":\"([^\"]*)\".*", "$1");
      BuiltZcp.Ended ended = BuiltZcp.run(folder, "send", "-r", url, from.toString());
      assertThat(ended.exitCode()).as(ended.err()).isZero();
      return receiver.end().out().lines().toList().getLast();
    }
  }

  private List<String> failing(String injection) {
    return List.of(
        "strace",
        "-f",
        "-qq",
        "--seccomp-bpf",
        "-o",
        folder.resolve("lies").toString(),
        "-e",
        "trace=syncfs,fsync",
        "-e",
        "inject=" + injection);
  }

  private static boolean isPartial(SystemCall call) {
    return Trace.Place.PARTIAL.test(call.file(0));
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }
}
