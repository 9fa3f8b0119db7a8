package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.testing.Cli;
import dev.zcp.testing.ZcpProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What limits a transfer is planted here, and found. A pause is so long that no machine is as
/// slow.
@Timeout(120)
class WhatLimitedTest {

  private static final int PIECES = 6;
  private static final int PIECE_BYTES = 64 << 10;
  private static final long PAUSE_MS = 500;

  @TempDir Path folder;

  @Test
  void aSlowSourceOfACopyIsFound() {
    Cli.Result copied =
        run(new SlowSource(), "copy", "--json", "-", folder.resolve("a").toString());
    assertThat(verdict(copied.out())).contains("\"limitedBy\":\"read\",\"side\":\"local\"");
  }

  @Test
  void aSlowTargetOfACopyIsFound() throws Exception {
    Path source = Files.write(folder.resolve("a"), new byte[PIECES * PIECE_BYTES]);
    Map<String, String> state = Map.of("XDG_STATE_HOME", folder.resolve("state").toString());
    Cli.Result copied =
        Cli.run(
            Arguments.of("copy", "--strategy=heap", "--chunk-size=64K", source.toString(), "-"),
            InputStream.nullInputStream(),
            new SlowTarget(),
            state);
    assertThat(copied.err())
        .containsPattern("limited by write: [0-9]+ % of the time")
        .endsWith("'zcp report last' shows where the time went\n");
    Cli.Result last = Cli.run(state, "report", "last");
    assertThat(last.out()).containsPattern("limited by write: [0-9]+ % of the time");
  }

  @Test
  void aSlowSourceOfASessionIsFoundByBothEnds() throws Exception {
    try (ZcpProcess receiver = receiver()) {
      Cli.Result sent = run(new SlowSource(), "send", "--json", url(receiver), "-");
      String bySender = verdict(sent.out());
      String byReceiver = verdict(receiver.end().out());
      assertThat(bySender).contains("\"limitedBy\":\"read\",\"side\":\"sender\"");
      assertThat(withoutEvidence(byReceiver)).isEqualTo(withoutEvidence(bySender));
    }
  }

  @Test
  void aLimitOfTheRateIsFoundByBothEnds() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[6 << 20]);
    try (ZcpProcess receiver = receiver()) {
      Cli.Result sent =
          Cli.run("send", "--json", "--limit-rate=2M", url(receiver), file.toString());
      String bySender = verdict(sent.out());
      assertThat(bySender).contains("\"limitedBy\":\"rateLimit\",\"side\":null");
      assertThat(withoutEvidence(verdict(receiver.end().out())))
          .isEqualTo(withoutEvidence(bySender));
    }
  }

  @Test
  void theSlowestOperationsAreNamedIfSomebodyWantsThem() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[1000]);
    String target = folder.resolve("copy").toString();
    assertThat(Cli.run("copy", file.toString(), target).err()).doesNotContain("slowest");
    assertThat(Cli.run("copy", "--worst=2", "-f", file.toString(), target).err())
        .containsPattern("(?s)\nslowest +stage .* began .* file\\n.*/file\\n")
        .satisfies(
            text -> assertThat(text.lines().filter(line -> line.contains(" local "))).hasSize(2));
    assertThat(Cli.run("copy", "--worst=1001", file.toString(), target).err())
        .contains("--worst: '1001' is not a number from 0 to 1000\n");
  }

  private static Cli.Result run(InputStream in, String... arguments) {
    return Cli.run(Arguments.of(arguments), in, Map.of("ZCP_REPORT", "table"));
  }

  private ZcpProcess receiver() throws Exception {
    String inbox = Files.createDirectories(folder.resolve("inbox")).toString();
    return ZcpProcess.start(
        folder, Map.of(), "receive", "-q", "--once", "--json", "--listen=127.0.0.1:0", inbox);
  }

  private static String url(ZcpProcess receiver) throws Exception {
    return receiver.line().replaceAll(".*\"url\":\"([^\"]+)\".*", "$1");
  }

  private static String verdict(String json) {
    String result = json.lines().filter(each -> each.contains("\"result\"")).findFirst().orElse("");
    return result.replaceAll(".*\"verdict\":", "");
  }

  /// Each end adds what it knows of its own machine.
  private static String withoutEvidence(String verdict) {
    return verdict.replaceAll(",\"evidence\".*", "");
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static final class SlowSource extends InputStream {

    private int pieces;

    @Override
    public int read() throws IOException {
      throw new IOException("nobody reads single bytes");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      pause();
      return pieces++ == PIECES ? -1 : Math.min(length, PIECE_BYTES);
    }
  }

  private static final class SlowTarget extends OutputStream {

    @Override
    public void write(int one) throws IOException {
      pause();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      pause();
    }
  }
}
