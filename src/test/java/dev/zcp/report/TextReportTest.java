package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Width;
import dev.zcp.insight.Event;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Link;
import dev.zcp.insight.Ran;
import dev.zcp.insight.Result;
import dev.zcp.insight.SocketBuffer;
import dev.zcp.insight.Stage;
import dev.zcp.insight.Verified;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextReportTest {

  private final Page page = new Page();

  @Test
  void aCopyOfThreeFilesWithOneFailure() {
    assertThat(told(Detail.NORMAL, Recorded.copyWithAFailure()))
        .isEqualTo(
            """
            zcp: gone.raw: no such file
            zcp: film.raw: the target's file system is nearly full
            copied 2 files, 1.20 GiB in 412 ms (2.90 GiB/s) by copyFileRange and direct;
              1 file failed; verified: none
            fell back to copyFileRange for 1.00 GiB (reflink: the file system has no
              reflinks)
            fell back to direct for 200 MiB (copyFileRange: not across these file systems)

            latency        count       min       p50       p90       p99     p99.9       max
            copy             204    180 µs    281 µs    363 µs    382 µs   70.0 ms   70.0 ms
            whole file         2   87.0 ms   87.0 ms    322 ms    322 ms    322 ms    322 ms
            publish            2   19.8 µs   19.8 µs   21.3 µs   21.3 µs   21.3 µs   21.3 µs

                        10 µs       100 µs      1 ms        10 ms       100 ms      1 s
            copy        ┊           ┊  ▅▆▇█▁    ┊           ┊         ▁ ┊           ┊
            whole file  ┊           ┊           ┊           ┊          █┊     █     ┊
            publish     ┊  █        ┊           ┊           ┊           ┊           ┊
            """);
  }

  @Test
  void aSendWithOneSampleForEachStage() {
    assertThat(told(Detail.NORMAL, Recorded.sendOfOneStep()))
        .isEqualTo(
            """
            sent 1 file, 1.00 KiB in 1.35 ms (741 KiB/s) by transferTo; verified: wire

            latency        count       min       p50       p90       p99     p99.9       max
            send               1   38.4 µs   38.4 µs   38.4 µs   38.4 µs   38.4 µs   38.4 µs
            digest             1   1.21 µs   1.21 µs   1.21 µs   1.21 µs   1.21 µs   1.21 µs
            whole file         1    912 µs    912 µs    912 µs    912 µs    912 µs    912 µs

                        1 µs                10 µs               100 µs              1 ms
            send        ┊                   ┊          █        ┊                   ┊
            digest      ┊█                  ┊                   ┊                   ┊
            whole file  ┊                   ┊                   ┊                  █┊
            """);
  }

  @Test
  void whatTheReceiverDiscardsIsCalledReceivedByNeitherEnd() {
    Link link = new Link("h:1", true, Recorded.LINK.buffer());
    Event sent = new Event.Finished(Recorded.overLink("send", link));
    Event taken = new Event.Finished(Recorded.overLink("receive", link));
    assertThat(told(Detail.NORMAL, List.of(sent, taken)))
        .isEqualTo(
            """
            sent 1 file, 1.00 GiB in 1.00 s (1.00 GiB/s) by direct;
              verified: wire; discarded by the receiver
            discarded 1 file, 1.00 GiB in 1.00 s (1.00 GiB/s) by direct; verified: wire
            """);
  }

  @Test
  void theSocketBufferIsToldWhereItWasAskedForAndElseToTheVerbose() {
    SocketBuffer asked = new SocketBuffer("SO_RCVBUF", 65_536, 131_072, "max");
    Event set = new Event.Finished(Recorded.overLink("receive", new Link("h:1", false, asked)));
    Event tuned = new Event.Finished(Recorded.overLink("send", Recorded.LINK));
    assertThat(told(Detail.NORMAL, List.of(set, tuned)))
        .isEqualTo(
            """
            received 1 file, 1.00 GiB in 1.00 s (1.00 GiB/s) by direct; verified: wire
            socket buffer: 64.0 KiB asked, 128 KiB given (SO_RCVBUF; Linux doubles it)
            sent 1 file, 1.00 GiB in 1.00 s (1.00 GiB/s) by direct; verified: wire
            """);
    Page verbose = new Page();
    new TextReport(verbose.screen(), Detail.VERBOSE).on(tuned);
    assertThat(verbose.text())
        .contains("socket buffer: 2.50 MiB given at first (SO_SNDBUF; the kernel tunes it)\n");
  }

  @Test
  void aConnectionToAReceiverThatDiscardsIsToldAsSuch() {
    Event plain = new Event.Connected(Recorded.LINK);
    Event discarding = new Event.Connected(new Link("h:1", true, Recorded.LINK.buffer()));
    assertThat(told(Detail.VERBOSE, List.of(plain, discarding)))
        .isEqualTo("connected to 127.0.0.1:5230\nconnected to h:1; what is sent is discarded\n");
  }

  @Test
  void aScreenThatIsNotUtf8IsWrittenInAscii() {
    tell(new TextReport(page.asciiScreen(), Detail.NORMAL), Recorded.sendOfOneStep());
    assertThat(page.text())
        .isEqualTo(
            """
            sent 1 file, 1.00 KiB in 1.35 ms (741 KiB/s) by transferTo; verified: wire

            latency        count       min       p50       p90       p99     p99.9       max
            send               1   38.4 us   38.4 us   38.4 us   38.4 us   38.4 us   38.4 us
            digest             1   1.21 us   1.21 us   1.21 us   1.21 us   1.21 us   1.21 us
            whole file         1    912 us    912 us    912 us    912 us    912 us    912 us

                        1 us                10 us               100 us              1 ms
            send        |                   |          @        |                   |
            digest      |@                  |                   |                   |
            whole file  |                   |                   |                  @|
            """);
  }

  @Test
  void verboseTellsOfEachPeerAndEachFile() {
    assertThat(told(Detail.VERBOSE, Recorded.copyWithAFailure().subList(0, 8)))
        .isEqualTo(
            """
            photo.raw: 1.00 GiB, 3.11 GiB/s, copyFileRange
            zcp: gone.raw: no such file
            zcp: film.raw: the target's file system is nearly full
            film.raw: 200 MiB, 2.24 GiB/s, direct
            """);
    assertThat(new TextReportTest().told(Detail.VERBOSE, Recorded.sendOfOneStep().subList(0, 4)))
        .isEqualTo(
            """
            connected to 127.0.0.1:5230
            note.txt: 1.00 KiB, 1.07 MiB/s, transferTo
            """);
  }

  @Test
  void quietTellsOfFailuresOnly() {
    assertThat(told(Detail.QUIET, Recorded.copyWithAFailure()))
        .isEqualTo(
            """
            zcp: gone.raw: no such file
            """);
    assertThat(new TextReportTest().told(Detail.QUIET, Recorded.sendOfOneStep())).isEmpty();
  }

  @Test
  void aCommandThatOnlyFailedHasSaidAllWithOneLine() {
    Failure failure = Failure.of(ExitCode.NETWORK, "localhost:5230", "nobody listens there");
    List<Event> events =
        List.of(
            new Event.Failed(failure),
            new Event.Finished(Recorded.nothing("send", 0, 0, ExitCode.NETWORK)));
    assertThat(told(Detail.NORMAL, events))
        .isEqualTo(
            """
            zcp: localhost:5230: nobody listens there
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | 1 | ''",
        "0 | 2 | copied nothing; 2 files failed",
        "1 | 0 | copied 1 file, 0 B in 1.20 ms; verified: none",
        "2 | 0 | copied 2 files, 0 B in 1.20 ms; verified: none",
        "2 | 1 | copied 2 files, 0 B in 1.20 ms; 1 file failed; verified: none",
      })
  void noBytesAndNoFilesReadWell(int filesDone, int filesFailed, String line) {
    ExitCode exitCode = filesFailed > 0 ? ExitCode.SOURCE : ExitCode.OK;
    Result result = Recorded.nothing("copy", filesDone, filesFailed, exitCode);
    assertThat(told(Detail.NORMAL, List.of(new Event.Finished(result))))
        .isEqualTo(line.isEmpty() ? "" : line + "\n");
  }

  @Test
  void anEmptyFileHasNoRate() {
    Event done = new Event.FileDone("empty", 0, 1000, List.of(), Verified.NONE);
    assertThat(told(Detail.VERBOSE, List.of(done))).isEqualTo("empty: 0 B\n");
  }

  @Test
  void noSummaryIsWiderThanATerminal() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      Map<Stage, Latencies> stages = new EnumMap<>(Stage.class);
      for (Stage stage : Stage.values()) {
        long[] samplesNs = new long[1 + random.nextInt(100)];
        for (int i = 0; i < samplesNs.length; i++) {
          samplesNs[i] = (long) Math.exp(random.nextDouble(35));
        }
        stages.put(stage, Latencies.of(samplesNs));
      }
      Ran ran =
          new Ran(
              "copyFileRange", random.nextLong(1L << 50), 9, "reflink: " + "a reason ".repeat(9));
      Ran other = new Ran("transferTo", random.nextLong(1L << 50), 9, "");
      Result result =
          new Result(
              "receive",
              "auto",
              List.of(ran, other),
              random.nextInt(Integer.MAX_VALUE),
              random.nextInt(Integer.MAX_VALUE),
              ran.bytes(),
              random.nextLong(1L << 50),
              Verified.WIRE,
              ExitCode.OK,
              "",
              stages);
      boolean unicode = random.nextBoolean();
      Page wide = new Page();
      Screen screen = unicode ? wide.screen() : wide.asciiScreen();
      new TextReport(screen, Detail.NORMAL).on(new Event.Finished(result));
      assertThat(wide.text().lines()).as("seed %d", seed).allMatch(line -> Width.of(line) <= 80);
      if (!unicode) {
        assertThat(wide.text()).as("seed %d", seed).matches("\\p{ASCII}*").doesNotContain("\\u");
      }
    }
  }

  private String told(Detail detail, List<Event> events) {
    tell(new TextReport(page.screen(), detail), events);
    return page.text();
  }

  private static void tell(TextReport report, List<Event> events) {
    for (Event event : events) {
      report.on(event);
    }
  }
}
