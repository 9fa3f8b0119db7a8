package dev.zcp.session.receive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A receiver of its own process, and the directory that it fills.
final class Reception implements Closeable {

  private static final int TRIES_MAX = 3000;
  private static final long TRY_MS = 20;

  private final Path directory;
  private final ZcpProcess receiver;
  private final Key key;
  private final int port;

  private Reception(Path directory, ZcpProcess receiver, Key key) throws IOException {
    this.directory = directory;
    this.receiver = receiver;
    this.key = key;
    String url = receiver.line();
    assertThat(url).as(receiver.errors()).startsWith("zcp+plain://");
    this.port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
  }

  /// Starts a receiver that fills `directory`, which is made if it is not there. Its stall timeout
  /// is longer than the second after which a good sender says that it lives, also on a busy
  /// machine.
  static Reception open(Path directory, String... options) throws IOException {
    return open(directory, new String[0], options);
  }

  /// As [#open], in a JVM with these flags.
  static Reception open(Path directory, String[] flags, String... options) throws IOException {
    Key key = Key.random();
    List<String> arguments = new ArrayList<>(List.of("receive", "--listen=127.0.0.1:0"));
    arguments.add("--stall-timeout=3s");
    arguments.addAll(List.of(options));
    arguments.add(Files.createDirectories(directory).toString());
    ZcpProcess receiver =
        ZcpProcess.start(
            directory.getParent(),
            Map.of("ZCP_KEY", key.text()),
            List.of(flags),
            arguments.toArray(String[]::new));
    try {
      return new Reception(directory, receiver, key);
    } catch (IOException | RuntimeException | Error e) {
      receiver.close();
      throw e;
    }
  }

  /// As [#open], by the built zcp, with the heap of its launcher.
  static Reception openBuilt(Path directory, String... options) throws IOException {
    Key key = Key.random();
    Files.createDirectories(directory);
    String command = "exec zcp receive --listen=127.0.0.1:0 " + String.join(" ", options);
    ZcpProcess receiver =
        ZcpProcess.script(directory, Map.of("ZCP_KEY", key.text()), command + " .");
    try {
      return new Reception(directory, receiver, key);
    } catch (IOException | RuntimeException | Error e) {
      receiver.close();
      throw e;
    }
  }

  Path directory() {
    return directory;
  }

  ZcpProcess receiver() {
    return receiver;
  }

  Key key() {
    return key;
  }

  int port() {
    return port;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /// Sends these by a good sender.
  Cli.Result send(Key key, Path... files) {
    List<String> arguments = new ArrayList<>(List.of("send", "-q", address()));
    for (Path file : files) {
      arguments.add(file.toString());
    }
    return Cli.run(Map.of("ZCP_KEY", key.text()), arguments.toArray(String[]::new));
  }

  Cli.Result send(Path... files) {
    return send(key, files);
  }

  /// The names in the directory, in order.
  List<String> held() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  void awaitHeld(String... names) throws Exception {
    for (int tries = 0; tries < TRIES_MAX && !held().equals(List.of(names)); tries++) {
      Thread.sleep(TRY_MS);
    }
    assertThat(held()).containsExactly(names);
  }

  /// Waits until only a file is there that is not whole yet.
  void awaitPartial() throws Exception {
    for (int tries = 0; tries < TRIES_MAX && held().isEmpty(); tries++) {
      Thread.sleep(TRY_MS);
    }
    assertThat(held()).singleElement().asString().matches("\\.zcp-[0-9a-f]{16}\\.part");
  }

  /// How much the receiver has said so far on standard error.
  int said() throws IOException {
    return receiver.errors().length();
  }

  /// Waits at most a minute until it has said `text` since [#said] was `before`. It looks less and
  /// less often: a receiver that says megabytes needs the processor itself.
  ///
  /// @return all that it has said since
  String awaitSaid(int before, String text) throws Exception {
    String said = "";
    long endNs = System.nanoTime() + 60_000_000_000L;
    for (long pauseMs = TRY_MS;
        !said.contains(text) && System.nanoTime() < endNs;
        pauseMs = Math.min(2 * pauseMs, 500)) {
      Thread.sleep(pauseMs);
      said = receiver.errors().substring(before);
    }
    assertThat(said).contains(text);
    return said;
  }

  void empty() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
        if (!file.equals(directory)) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    receiver.close();
  }
}
