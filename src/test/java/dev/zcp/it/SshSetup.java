package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Programs;
import dev.zcp.testing.TreeSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What tests of copies by ssh share: a folder with what is copied and where it goes, and the sshd
/// by which the built zcp starts the other end.
abstract class SshSetup {

  static final int LARGE_BYTES = 64 << 20;
  private static final int PATH_BYTES_MAX = 4095;

  /// Less than the 30 s after which an end gives up by itself that nobody ends.
  private static final long END_S_MAX = 25;

  /// No `@TempDir`: that would warn of each link that leads out of it, and what it deletes may be
  /// in use for a while yet.
  Path folder;

  Path from;
  Path to;

  /// Null until a test starts it.
  Sshd sshd;

  @BeforeEach
  void makeFolders() throws IOException {
    folder = Files.createTempDirectory("zcp-ssh").toRealPath();
    from = Files.createDirectory(folder.resolve("from"));
    to = Files.createDirectory(folder.resolve("to"));
  }

  @AfterEach
  void removeFolders() throws IOException {
    if (sshd != null) {
      sshd.close();
    }
    if (folder != null) {
      Programs.succeeds("chattr", "-R", "-ia", folder.toString());
      Programs.run("rm", "-rf", "--one-file-system", folder.toString());
    }
  }

  /// The words of a command whose other end is the built zcp.
  String[] words(String command, String... arguments) {
    return through(BuiltZcp.LAUNCHER.toString(), command, arguments);
  }

  /// As [#words], with this command to start the other end: a path, or the beginning of a shell's
  /// command.
  String[] through(String remote, String command, String... arguments) {
    boolean isPath = remote.indexOf(' ') < 0;
    // zcp adds the word that comes behind it.
    String started = isPath ? remote : "sh -c 'shift; " + remote.replace("'", "''") + " serve' sh";
    List<String> words =
        new ArrayList<>(List.of(command, "--ssh=" + sshd.ssh(), "--remote-command=" + started));
    words.addAll(List.of(arguments));
    return words.toArray(String[]::new);
  }

  BuiltZcp.Ended zcp(String command, String... arguments) throws Exception {
    return BuiltZcp.run(folder, words(command, arguments));
  }

  void succeed(String command, String... arguments) throws Exception {
    BuiltZcp.Ended ended = zcp(command, arguments);
    assertThat(ended.exitCode()).as(Arrays.toString(arguments) + ended.err()).isZero();
  }

  static String box(Path path) {
    return "box:" + path;
  }

  /// Writes a file that shrinks well, of 3 million bytes.
  Path text() throws IOException {
    return Files.writeString(from.resolve("text"), "a line of text\n".repeat(200_000));
  }

  /// Writes a file `large` to copy.
  byte[] large() throws IOException {
    byte[] large = new byte[LARGE_BYTES];
    new Random(LARGE_BYTES).nextBytes(large);
    Files.write(from.resolve("large"), large);
    return large;
  }

  static String[] with(String[] options, String... operands) {
    return Stream.concat(Stream.of(options), Stream.of(operands)).toArray(String[]::new);
  }

  long partialBytes() throws IOException {
    return TreeContent.partialBytes(to);
  }

  /// Makes a tree with one of everything.
  Path oneOfEverything() throws Exception {
    Programs.assume("setfattr", "setfacl", "setpriv");
    Path source = from.resolve("source");
    if (Programs.isRoot()) {
      OneOfEverything.ofRoot(source, PATH_BYTES_MAX / 2);
    } else {
      OneOfEverything.ofUser(source, PATH_BYTES_MAX / 2);
    }
    return source;
  }

  /// Each of `copies` is as cp(1) makes it of [#oneOfEverything].
  void assertAsWithCp(Path source, Path... copies) throws Exception {
    Path cp = folder.resolve("cp");
    Programs.run("cp", "-a", source.toString(), cp.toString());
    TreeSnapshot expected = TreeSnapshot.of(cp);
    for (Path each : copies) {
      assertThat(expected.differences(TreeSnapshot.of(each)))
          .containsExactly(OneOfEverything.SOCKET + ": missing");
    }
  }

  /// Makes what is copied by several names, and what is there already in each of `targets`.
  void makeNames(Path... targets) throws IOException {
    List<Path> roots = new ArrayList<>(List.of(targets));
    roots.add(from);
    for (Path root : roots) {
      Files.createDirectories(root.resolve("dir"));
      Files.writeString(root.resolve("there"), "old");
    }
    makeFiles("file", "other", "tree/below", "tree/sub/deep");
  }

  /// Makes files of which only `keep` and `yes.o` are copied with the options that this returns.
  String[] makeFiltered() throws IOException {
    makeFiles("keep", "no.o", "yes.o", "build/out", "listed");
    Path list = Files.writeString(folder.resolve("patterns"), "# comment\nlisted\n");
    return new String[] {
      "-rq", "--exclude=*.o", "--include=yes.o", "--exclude-from=" + list, "--exclude=build/"
    };
  }

  private void makeFiles(String... names) throws IOException {
    for (String name : names) {
      Files.createDirectories(from.resolve(name).getParent());
      Files.writeString(from.resolve(name), name);
    }
  }

  /// The ssh to this host that `zcp` has started.
  static ProcessHandle ssh(BuiltZcp zcp, String host) {
    return zcp.process()
        .children()
        .filter(each -> proc(each, "cmdline").contains("\0--\0" + host + "\0"))
        .findFirst()
        .orElseThrow();
  }

  /// The ends that this test's sshd has started.
  List<ProcessHandle> served() {
    return sshd.descendants()
        .filter(each -> proc(each, "cmdline").contains("dev.zcp.cli.Main\0serve"))
        .toList();
  }

  void awaitNoServe() throws Exception {
    awaitEmpty(this::served);
  }

  /// Waits until all of these have ended, and so have no command line any more.
  static void awaitEnd(List<ProcessHandle> processes) throws Exception {
    awaitEmpty(() -> processes.stream().filter(each -> !proc(each, "cmdline").isEmpty()).toList());
  }

  private static void awaitEmpty(Supplier<List<ProcessHandle>> processes) throws Exception {
    long startedNs = System.nanoTime();
    while (!processes.get().isEmpty()) {
      assertThat(System.nanoTime() - startedNs).isLessThan(TimeUnit.SECONDS.toNanos(END_S_MAX));
      Thread.sleep(20);
    }
  }

  /// A file of proc(5) of this process; empty if it has ended.
  static String proc(ProcessHandle process, String name) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/" + name));
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
