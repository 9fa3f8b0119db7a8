package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Usual commands find all their classes in their AOT cache. The first that is missing opens the
/// jar, for 9 ms, and the first concatenation or comparison of records that is missing takes as
/// long to be made. What is missing belongs in `build/training`.
class AotCacheIT {

  private static final int TRIES_MAX = 3;

  private static final long RESUMED_BYTES = 256 << 20;

  @TempDir Path folder;

  private Path logs;
  private Path launcher;

  @BeforeEach
  void makeTreeAndLauncher() throws IOException {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    for (int i = 0; i < 20; i++) {
      Path each = Files.createDirectory(tree.resolve("folder" + i));
      Files.write(each.resolve("small"), new byte[1000 + i]);
      Files.createSymbolicLink(each.resolve("link"), Path.of("small"));
    }
    Files.write(tree.resolve("medium"), new byte[1 << 20]);
    try (RandomAccessFile large = new RandomAccessFile(folder.resolve("large").toFile(), "rw")) {
      large.setLength(RESUMED_BYTES);
    }
    logs = Files.createDirectory(folder.resolve("logs"));
    String home = BuiltZcp.LAUNCHER.getParent().getParent().toString();
    String text = Files.readString(BuiltZcp.LAUNCHER);
    launcher =
        Files.writeString(
            folder.resolve("launcher"),
            text.replace("home=${self%/*}/..", "home='" + home + "'")
                .replace(
                    "  ${signals:+",
                    "  -Xlog:class+load:file=" + logs.resolve("%p") + ":none ${signals:+"));
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--version",
        "copy -q tree/medium copied",
        "copy tree/medium copied",
        "copy -a tree copied",
        "copy -a --skip-same tree/. there",
        "copy -r --report=table tree copied",
        "copy --sparse=never large copied",
        "sync tree copied",
        "sync -n --delete tree there",
        "sync --delete tree there"
      })
  void onThisMachine(String command) throws Exception {
    loadsNothingElse(
        () -> {
          Path there = Files.createDirectories(folder.resolve("there/more/deeper"));
          Files.write(there.resolve("surplus"), new byte[1]);
          run(command.split(" "));
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"tree", "large"})
  void ofASession(String sent) throws Exception {
    loadsNothingElse(
        () -> {
          Path inbox = Files.createDirectories(folder.resolve("there"));
          Files.write(inbox.resolve("large"), new byte[2 << 20]);
          try (BuiltZcp receiver =
              start(
                  "receive",
                  "--once",
                  "--accept=all",
                  "--overwrite",
                  "--listen=127.0.0.1:0",
                  inbox.toString())) {
            run("send", "-a", receiver.firstLine(), sent);
            assertThat(receiver.end().exitCode()).isZero();
          }
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "copy -a tree box:FOLDER/there",
        "copy -aq tree USER@box:FOLDER/there",
        "copy -a box:FOLDER/tree there",
        "sync tree box:FOLDER/there"
      })
  void bySsh(String command) throws Exception {
    try (Sshd sshd = Sshd.start(folder)) {
      List<String> words = new ArrayList<>();
      for (String word : command.split(" ")) {
        words.add(
            word.replace("FOLDER", folder.toString())
                .replace("USER", System.getProperty("user.name")));
      }
      words.add("--ssh=ssh -F " + sshd.config());
      words.add("--remote-command=" + launcher);
      loadsNothingElse(() -> run(words.toArray(String[]::new)));
    }
  }

  /// Of several tries, since which thread is first decides what is loaded, too.
  private void loadsNothingElse(Use use) throws Exception {
    List<String> loaded = List.of("none was looked at");
    for (int i = 0; i < TRIES_MAX && !loaded.isEmpty(); i++) {
      for (String each : List.of("copied", "there")) {
        new ProcessBuilder("rm", "-rf", folder.resolve(each).toString()).start().waitFor();
      }
      use.run();
      loaded = uncached();
    }
    assertThat(loaded).isEmpty();
  }

  /// The classes that no cache held, of all processes since the last call. Those of the JDK's own
  /// image are left out: no cache takes some of them, and they do not open the jar.
  private List<String> uncached() throws IOException {
    List<String> uncached = new ArrayList<>();
    List<Path> found;
    try (Stream<Path> all = Files.list(logs)) {
      found = all.toList();
    }
    assertThat(found).isNotEmpty();
    for (Path log : found) {
      for (String line : Files.readAllLines(log)) {
        boolean isOfJdk = line.contains("source: jrt:");
        if (!isOfJdk && !line.contains("source: shared objects file")) {
          uncached.add(line);
        }
      }
      Files.delete(log);
    }
    return uncached;
  }

  private void run(String... words) throws Exception {
    try (BuiltZcp zcp = start(words)) {
      BuiltZcp.Ended ended = zcp.end();
      assertThat(ended.exitCode()).as(ended.err()).isZero();
    }
  }

  private BuiltZcp start(String... words) throws IOException {
    String there = "cd '" + folder + "'; shift; exec ./launcher \"$@\"";
    return BuiltZcp.start(folder, List.of("sh", "-c", there, "sh"), words);
  }

  private interface Use {

    void run() throws Exception;
  }
}
