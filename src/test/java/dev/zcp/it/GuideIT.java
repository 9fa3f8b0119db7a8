package dev.zcp.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.house.Markdown;
import dev.zcp.testing.FreePort;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The commands of the guide in docs/ work as they are written, page by page and in their order.
///
/// Three machines stand in the guide: the reader's, `nas` and `office`. Here each is a directory,
/// its home, and the other two are reached by a real sshd on loopback. A block runs on the machine
/// that its fence names. One with the word `background` runs until the next such block or the end
/// of the page; others go on when it has printed its URL.
@Timeout(300)
class GuideIT extends SshSetup {

  private static final Path PAGES = Path.of("docs");
  private static final Path BUILT = BuiltZcp.LAUNCHER.getParent().getParent();
  private static final String HERE = "here";
  private static final long BLOCK_S_MAX = 120;

  /// The disk for backups of any machine.
  private static final Pattern BACKUP = Pattern.compile("(?:(nas|office):)?/backup\\b");

  private int port;
  private Process background;
  private Path backgroundOut;

  static List<String> pages() throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theCommandsOfAPageWork(String page) throws Exception {
    makeMachines();
    int ran = 0;
    for (Markdown.Block block : Markdown.blocks(Files.readString(PAGES.resolve(page)))) {
      List<String> info = List.of(block.info().split(" "));
      if (!info.getFirst().equals("sh") || info.contains("not-run:")) {
        continue;
      }
      String machine = info.contains("nas") ? "nas" : HERE;
      String script = String.join("\n", block.lines());
      if (info.contains("background")) {
        begin(machine, script);
      } else {
        run(machine, script);
      }
      ran++;
    }
    assertThat(ran > 0).isEqualTo(!page.equals("comparison.md"));
  }

  private void makeMachines() throws Exception {
    port = FreePort.find();
    for (String machine : List.of(HERE, "nas", "office")) {
      Files.createDirectories(folder.resolve(machine).resolve("backup"));
    }
    Random random = new Random(5);
    for (String name :
        List.of(
            "film",
            "photos/1.jpg",
            "photos/2.jpg",
            "photos/old/3.jpg",
            "photos/cache/small.jpg",
            "photos/work.tmp")) {
      Path file = folder.resolve(HERE).resolve(name);
      byte[] content = new byte[name.equals("film") ? 3 << 20 : 70_000];
      random.nextBytes(content);
      Files.createDirectories(file.getParent());
      Files.write(file, content);
    }
    sshd =
        Sshd.start(
            folder,
            "ListenAddress 127.0.0.2",
            "Match LocalAddress 127.0.0.1",
            "ForceCommand " + login("nas"),
            "Match LocalAddress 127.0.0.2",
            "ForceCommand " + login("office"));
    Files.writeString(
        sshd.config(),
        "Host nas gate\n  HostName 127.0.0.1\nHost office\n  HostName 127.0.0.2\n",
        StandardOpenOption.APPEND);
    Files.createDirectory(folder.resolve("bin"));
    String path = System.getenv("PATH");
    program("bin/ssh", "PATH='" + path + "' exec " + sshd.ssh() + " \"$@\"");
  }

  /// What sshd runs for whoever logs in to this machine.
  private Path login(String machine) throws IOException {
    Path home = folder.resolve(machine);
    return program(
        "login-" + machine,
        "cd '%s' && HOME='%s' PATH='%s/bin':$PATH exec sh -c \"$SSH_ORIGINAL_COMMAND\""
            .formatted(home, home, BUILT));
  }

  private Path program(String name, String line) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + line + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void run(String machine, String script) throws Exception {
    Path said = Files.createTempFile(folder, "said", "");
    Process shell = shell(machine, script).redirectOutput(said.toFile()).start();
    boolean ended = shell.waitFor(BLOCK_S_MAX, TimeUnit.SECONDS);
    assertThat(ended && shell.exitValue() == 0)
        .as(() -> script + "\n\n" + text(said) + (ended ? shell.exitValue() : "it hangs"))
        .isTrue();
  }

  private void begin(String machine, String script) throws Exception {
    endBackground();
    backgroundOut = Files.createTempFile(folder, "out", "");
    Path said = Files.createTempFile(folder, "said", "");
    background =
        shell(machine, script)
            .redirectErrorStream(false)
            .redirectOutput(backgroundOut.toFile())
            .redirectError(said.toFile())
            .start();
    long startedNs = System.nanoTime();
    while (!text(backgroundOut).contains("\n")) {
      assertThat(background.isAlive()).as(() -> script + "\n\n" + text(said)).isTrue();
      assertThat(System.nanoTime() - startedNs).isLessThan(TimeUnit.SECONDS.toNanos(BLOCK_S_MAX));
      Thread.sleep(20);
    }
  }

  private ProcessBuilder shell(String machine, String script) {
    Path home = folder.resolve(machine);
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-ec", replaced(machine, script))
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("ZCP_") || name.startsWith("XDG_"));
    environment.put("HOME", home.toString());
    environment.put("PATH", folder + "/bin:" + BUILT + "/bin:" + environment.get("PATH"));
    return builder;
  }

  /// The script with the places, the port and the key of this run.
  private String replaced(String machine, String script) {
    String text =
        script
            .replace("/opt/zcp", BUILT.toString())
            .replace("nas:5230", "127.0.0.1:" + port)
            .replace("--listen=5230", "--listen=" + port);
    if (background != null) {
      String url = text(backgroundOut).lines().findFirst().orElseThrow();
      int end = url.indexOf('@');
      // One that was given is not printed.
      String key = end < 0 ? "" : url.substring(url.indexOf("//") + 2, end);
      text =
          url.startsWith("http")
              ? text.replace("/KEY/", URI.create(url).getPath())
              : text.replace("KEY@", key + "@").replace("ZCP_KEY=KEY ", "ZCP_KEY=" + key + " ");
    }
    Matcher matcher = BACKUP.matcher(text);
    return matcher.replaceAll(
        match -> {
          String other = match.group(1);
          return (other == null ? "" : other + ":")
              + folder.resolve(other == null ? machine : other).resolve("backup");
        });
  }

  @AfterEach
  void endBackground() throws Exception {
    if (background != null) {
      List<ProcessHandle> processes =
          Stream.concat(background.descendants(), Stream.of(background.toHandle())).toList();
      processes.forEach(ProcessHandle::destroy);
      awaitEnd(processes);
      background = null;
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
