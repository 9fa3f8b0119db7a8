package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.Programs;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The built zcp on a terminal, which script(1) makes. In a thread of its own, since a read from a
/// program cannot be interrupted.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TerminalIT {

  /// Gives a MiB at once, and its end when the test says so.
  private static final String SLOW_SOURCE =
      "(head -c 1048576 /dev/zero; until test -e go; do sleep 0.1; done)";

  private static final String ERASE = "\u001b[K";

  @TempDir Path folder;

  @BeforeEach
  void requireScript() {
    Programs.assume("script");
  }

  @Test
  void aTransferThatTakesItsTimeShowsHowFarItIsAndLeavesOnlyItsSummary() throws Exception {
    try (ZcpProcess terminal = onTerminal(SLOW_SOURCE + " | zcp copy - target")) {
      String shown = awaitStatus(terminal);
      assertThat(shown).contains("1.00 MiB  ").contains("/s  ").endsWith("-");
      Files.createFile(folder.resolve("go"));
      Cli.Result end = terminal.end();
      assertThat(end.exitCode()).isZero();
      assertThat(end.out()).contains(ERASE + "copied 1 file, 1.00 MiB in ");
    }
  }

  /// As a terminal shows it: what is longer than a row goes on in the next.
  @Test
  void noRedrawLeavesALineBehindInANarrowTerminal() throws Exception {
    String narrow = "stty cols 30; unset COLUMNS; " + SLOW_SOURCE + " | zcp copy - target";
    try (ZcpProcess terminal = onTerminal(narrow)) {
      String shown = awaitStatus(terminal);
      assertThat(shown.replace(ERASE, "")).hasSizeLessThan(30).contains("1.00 MiB");
      Files.createFile(folder.resolve("go"));
      assertThat(terminal.end().exitCode()).isZero();
    }
  }

  @Test
  void theOneWhoAsksForQuietIsShownNothing() throws Exception {
    try (ZcpProcess terminal = onTerminal(SLOW_SOURCE + " | zcp copy -q - target; echo ended")) {
      // Longer than a transfer without progress; where it is not long enough, nothing is proved.
      Thread.sleep(1_000);
      Files.createFile(folder.resolve("go"));
      assertThat(terminal.end().out()).isEqualTo("ended\r\n");
    }
  }

  @Test
  void whoeverListensTellsAPersonWhatToTypeAtTheOtherEnd() throws Exception {
    String untilToldTo =
        "zcp receive --listen=127.0.0.1:0 & until test -e go; do sleep 0.1; done; kill $!; wait";
    try (ZcpProcess terminal = onTerminal(untilToldTo)) {
      String url = terminal.line();
      assertThat(url).startsWith("zcp+plain://");
      String key = url.substring(url.indexOf("//") + 2, url.indexOf('@'));
      String send = "zcp send " + url.replace(key + "@", "") + " FILE...";
      // Without a place for keys of this user, the sender must be given it.
      assertThat(terminal.line())
          .isIn("on this machine: " + send, "on this machine: ZCP_KEY=" + key + " " + send);
      Files.createFile(folder.resolve("go"));
      terminal.end();
    }
  }

  private ZcpProcess onTerminal(String command) throws IOException {
    Files.writeString(folder.resolve("command"), command);
    return ZcpProcess.script(folder, Map.of("LC_ALL", "C.UTF-8"), "script -qec 'sh command' log");
  }

  /// A reader's lines end at carriage returns, too.
  private static String awaitStatus(ZcpProcess terminal) throws IOException {
    String line = terminal.line();
    while (line != null && !line.contains(" MiB")) {
      line = terminal.line();
    }
    return line;
  }
}
