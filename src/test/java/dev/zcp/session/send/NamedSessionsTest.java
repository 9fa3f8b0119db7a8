package dev.zcp.session.send;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.secure.Key;
import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A program that reads the events of an end that listens can tell the peers apart.
@Timeout(120)
class NamedSessionsTest {

  private static final Map<String, String> ENVIRONMENT = Map.of("ZCP_KEY", Key.random().text());

  private static final Pattern NAME =
      Pattern.compile("\"peer\":\"(127\\.0\\.0\\.1:[0-9]+)\".*\"session\":([0-9]+)[,}]");

  @TempDir Path home;

  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = Files.write(home.resolve("file"), new byte[100]);
  }

  @Test
  void eachEventOfASenderThatListensNamesItsReceiver() throws Exception {
    try (ZcpProcess sender = start("send", "--listen=127.0.0.1:0", "--json", file.toString())) {
      String address = sender.address();
      for (String name : List.of("one", "two")) {
        Path inbox = Files.createDirectory(home.resolve(name));
        Cli.Result received = Cli.run(ENVIRONMENT, "receive", "-q", address, inbox.toString());
        assertThat(received).isEqualTo(new Cli.Result(0, "", ""));
      }
      assertNamed(sender, 8);
    }
  }

  @Test
  void eachEventOfAReceiverNamesItsSender() throws Exception {
    Path inbox = Files.createDirectory(home.resolve("inbox"));
    try (ZcpProcess receiver =
        start("receive", "--listen=127.0.0.1:0", "--overwrite", "--json", inbox.toString())) {
      String address = receiver.address();
      for (int i = 0; i < 2; i++) {
        Files.write(file, new byte[i]);
        assertThat(Cli.run(ENVIRONMENT, "send", "-q", address, file.toString()))
            .isEqualTo(new Cli.Result(0, "", ""));
      }
      assertNamed(receiver, 8);
    }
  }

  private ZcpProcess start(String... arguments) throws Exception {
    return ZcpProcess.start(home, ENVIRONMENT, arguments);
  }

  /// @param lines that it says of both sessions, the last of them the result of the second
  private static void assertNamed(ZcpProcess end, int lines) throws Exception {
    Set<String> peers = new TreeSet<>();
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < lines; i++) {
      Matcher name = NAME.matcher(end.line());
      assertThat(name.find()).as(name.toString()).isTrue();
      peers.add(name.group(1));
      names.add(name.group(1) + " " + name.group(2));
    }
    assertThat(peers).hasSize(2);
    assertThat(names).hasSize(2);
    assertThat(names.toString()).contains(" 1").contains(" 2");
  }
}
