package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Width;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.Compressed;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Findings;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.ProcessFacts;
import dev.zcp.insight.Result.Ran;
import dev.zcp.insight.Result.Session;
import dev.zcp.insight.Result.Tree;
import dev.zcp.insight.Stage;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.report.TextReport.Form;
import dev.zcp.testing.SampleLatencies;
import java.util.ArrayList;
import java.util.Arrays;
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
              1 entry failed; verified: none
            fell back to copyFileRange for 1.00 GiB (reflink: the file system has no
              reflinks)
            fell back to direct for 200 MiB (copyFileRange: not across these file systems)

            latency        count   total  share     p50     p90     p99   p99.9     max
            copy             204  130 ms    31%  280 µs  360 µs  380 µs       -   70 ms
            whole file         2  410 ms    99%       -       -       -       -  320 ms
            publish            2   41 µs     0%       -       -       -       -   21 µs

            zcp: gone.raw: no such file
            """);
  }

  @Test
  void theFullReportHasAPictureAndTheLineHasNoTable() {
    Event end = Recorded.copyWithAFailure().getLast();
    Page full = new Page();
    new TextReport(full.screen(), Detail.NORMAL, Form.FULL, 0).on(end);
    assertThat(full.text())
        .endsWith(
            """
            publish            2   41 µs     0%       -       -       -       -   21 µs

                        100 µs              1 ms                10 ms               100 ms
            copy        ┊    ▅▆▆▇██▆        ┊                   ┊               ▁   ┊
            """);
    Page line = new Page();
    new TextReport(line.screen(), Detail.NORMAL, Form.LINE, 0).on(end);
    assertThat(line.text())
        .isEqualTo(
            """
            copied 2 files, 1.20 GiB in 412 ms (2.90 GiB/s); 1 entry failed
            """);
  }

  @Test
  void aSessionOfAnEndThatListensIsALineWithItsTimeAndPeer() {
    Page line = new Page();
    TextReport report = new TextReport(line.screen(), Detail.NORMAL, Form.LINE, 0);
    SessionName session = new SessionName(1, "192.0.2.7:41234");
    report.on(new Event.Listening("url", "command", List.of("192.0.2.1"), false), null);
    report.on(Recorded.sendOfOneStep().getLast(), session);
    report.on(new Event.Finished(Recorded.nothing("receive", 0, 0, ExitCode.NETWORK)), session);
    assertThat(line.text().lines())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .matches(
                        "20..-..-..T..:..:..Z 192\\.0\\.2\\.7:41234 sent 1 file, 1\\.00 KiB in .*,"
                            + " verified: wire"),
            second ->
                assertThat(second)
                    .endsWith(" 192.0.2.7:41234 nothing was transferred (exit code 5)"));
  }

  @Test
  void theTableHasTheEightStagesThatTookLongest() {
    Map<Stage, Latencies> stages = new EnumMap<>(Stage.class);
    long[] samplesNs = new long[10];
    for (Stage stage : Stage.values()) {
      Arrays.fill(samplesNs, 1000 * (stage.ordinal() + 1));
      stages.put(stage, SampleLatencies.of(samplesNs));
    }
    Event end = withStages(Recorded.nothing("copy", 1, 0, ExitCode.OK), stages);
    List<String> lines = told(Detail.NORMAL, List.of(end)).lines().toList();
    int header = lines.indexOf(lines.stream().filter(l -> l.startsWith("latency")).findAny().get());
    assertThat(
            lines.subList(header + 1, lines.size()).stream().map(l -> l.substring(0, 11).strip()))
        .containsExactly(
            "queue wait",
            "write",
            "journal",
            "read back",
            "flush",
            "metadata",
            "publish",
            "whole file");
  }

  @ParameterizedTest
  @CsvSource({
    "100, latency count total share p50 p90 p99 p99.9 max",
    "68, latency count total share p50 p90 p99 p99.9 max",
    "60, latency count total share p50 p90 p99 max",
    "50, latency count share p50 p99 max",
    "40, latency count share p50 max",
    "35, latency share p50 max",
    "30, latency p50 max",
  })
  void aNarrowScreenGetsFewerFiguresAndNoLineIsTooLong(int columns, String header) {
    Page page = new Page();
    Event end = Recorded.copyWithAFailure().getLast();
    new TextReport(page.screen(() -> columns), Detail.NORMAL, Form.TABLE, 0).on(end);
    List<String> lines = page.text().lines().toList();
    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(columns));
    assertThat(lines.stream().map(line -> line.replaceAll(" +", " "))).contains(header);
  }

  @Test
  void belowTheLatenciesFewFailuresAreToldOnceMoreAndMoreAreCounted() {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      String name = "f" + i;
      events.add(new Event.FileFailed(name, Failure.of(ExitCode.SOURCE, name, "no such file")));
    }
    events.add(new Event.Lost("times", 1, "a/b", "read-only file system"));
    events.add(Recorded.copyWithAFailure().getLast());
    assertThat(told(Detail.NORMAL, events))
        .containsOnlyOnce("zcp: f5: no such file")
        .endsWith(
            """

            zcp: a/b: times not kept: read-only file system
            zcp: f0: no such file
            zcp: f1: no such file
            zcp: f2: no such file
            zcp: f3: no such file
            zcp: f4: no such file
            zcp: and 2 failures more, told above
            """);
  }

  @Test
  void aFailureIsNotRepeatedIfNoLatenciesStandBelowIt() {
    List<Event> events = new ArrayList<>(Recorded.sendOfOneStep());
    events.add(
        4, new Event.FileFailed("gone", Failure.of(ExitCode.SOURCE, "gone", "no such file")));
    assertThat(told(Detail.NORMAL, events))
        .isEqualTo(
            """
            zcp: gone: no such file
            sent 1 file, 1.00 KiB in 1.35 ms (741 KiB/s) by transferTo; verified: wire
            """);
  }

  @Test
  void aPercentileIsShownIfOneSampleAtLeastLiesBeyondIt() {
    assertThat(rowOf(1)).isEqualTo("copy 1 1.0 µs 0% - - - - -");
    assertThat(rowOf(9)).isEqualTo("copy 9 9.0 µs 1% - - - - 1.0 µs");
    assertThat(rowOf(10)).isEqualTo("copy 10 10 µs 1% 1.0 µs 1.0 µs - - 1.0 µs");
    assertThat(rowOf(99)).isEqualTo("copy 99 99 µs 8% 1.0 µs 1.0 µs - - 1.0 µs");
    assertThat(rowOf(100)).isEqualTo("copy 100 100 µs 8% 1.0 µs 1.0 µs 1.0 µs - 1.0 µs");
    assertThat(rowOf(1000)).isEqualTo("copy 1000 1.0 ms 83%" + " 1.0 µs".repeat(5));
  }

  private static String rowOf(int samples) {
    long[] samplesNs = new long[samples];
    Arrays.fill(samplesNs, 1_000);
    Result plain = Recorded.nothing("copy", 1, 0, ExitCode.OK);
    Event end = withStages(plain, Map.of(Stage.COPY, SampleLatencies.of(samplesNs)));
    return new TextReportTest()
        .told(Detail.VERBOSE, List.of(end))
        .lines()
        .filter(line -> line.startsWith("copy "))
        .findFirst()
        .orElseThrow()
        .replaceAll(" +", " ");
  }

  @Test
  void noNumberIsPartedFromItsUnit() {
    Ran ran = new Ran("direct", 30_000_000, 9, "reflink: no");
    Session session =
        new Session(Recorded.LINK, 2, 0, 0, 0, 0, 0, "CRC32C of 28 blocks", "", Compressed.NOTHING);
    for (int columns = 20; columns <= 80; columns++) {
      int width = columns;
      Result result =
          new Result(
              "copy",
              "auto",
              List.of(ran),
              12_345,
              0,
              30_000_000,
              20_000_000,
              Level.WIRE,
              ExitCode.OK,
              "",
              Map.of(),
              session,
              Recorded.tree(new EntryCounts(3, 4, 5, 6, 7, 8, 0, 0), null, -1, List.of()).tree(),
              Findings.NONE,
              ProcessFacts.UNKNOWN);
      Page narrow = new Page();
      new TextReport(narrow.screen(() -> width), Detail.VERBOSE, Form.TABLE, 0)
          .on(new Event.Finished(result));
      assertThat(narrow.text().lines().toList().subList(0, 3))
          .as("%d columns", columns)
          .allSatisfy(line -> assertThat(Width.of(line)).isLessThanOrEqualTo(width));
      assertThat(narrow.text()).as("%d columns", columns).doesNotContainPattern("[0-9]\n");
    }
  }

  @Test
  void aFewSamplesOfEachStageAreShownOnlyToTheVerbose() {
    assertThat(told(Detail.NORMAL, Recorded.sendOfOneStep()))
        .isEqualTo(
            """
            sent 1 file, 1.00 KiB in 1.35 ms (741 KiB/s) by transferTo; verified: wire
            """);
    assertThat(new TextReportTest().told(Detail.VERBOSE, Recorded.sendOfOneStep()))
        .endsWith(
            """

            latency        count   total  share     p50     p90     p99   p99.9     max
            send               1   38 µs     3%       -       -       -       -       -
            digest             1  1.2 µs     0%       -       -       -       -       -
            whole file         1  910 µs    68%       -       -       -       -       -
            """);
  }

  @Test
  void whatTheReceiverDiscardsIsCalledReceivedByNeitherEnd() {
    Link link = new Link("h:1", true, "", Recorded.LINK.buffer());
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
    Event set = new Event.Finished(Recorded.overLink("receive", new Link("h:1", false, "", asked)));
    Event tuned = new Event.Finished(Recorded.overLink("send", Recorded.LINK));
    assertThat(told(Detail.NORMAL, List.of(set, tuned)))
        .isEqualTo(
            """
            received 1 file, 1.00 GiB in 1.00 s (1.00 GiB/s) by direct; verified: wire
            socket buffer: 64.0 KiB asked, 128 KiB given (SO_RCVBUF; Linux doubles it)
            sent 1 file, 1.00 GiB in 1.00 s (1.00 GiB/s) by direct; verified: wire
            """);
    Page verbose = new Page();
    new TextReport(verbose.screen(), Detail.VERBOSE, Form.TABLE, 0).on(tuned);
    assertThat(verbose.text())
        .contains("socket buffer: 2.50 MiB given at first (SO_SNDBUF; the kernel tunes it)\n");
  }

  @Test
  void aConnectionToAReceiverThatDiscardsIsToldAsSuch() {
    Event plain = new Event.Connected(Recorded.LINK);
    Event discarding = new Event.Connected(new Link("h:1", true, "", Recorded.LINK.buffer()));
    assertThat(told(Detail.VERBOSE, List.of(plain, discarding)))
        .isEqualTo("connected to 127.0.0.1:5230\nconnected to h:1; what is sent is discarded\n");
  }

  @Test
  void aTreeIsToldOnTwoLines() {
    EntryCounts entries = new EntryCounts(1234, 10, 2, 1, 0, 0, 0, 0);
    Event end = new Event.Finished(Recorded.tree(entries, null, -1, List.of()));
    assertThat(told(Detail.NORMAL, List.of(end)))
        .isEqualTo(
            """
            copied 15,036 files, 1.00 GiB, 1,234 directories, 12 links, 1 special file in
              211 ms (4.74 GiB/s, 71,300 files/s) by copyFileRange; verified: none
            """);
  }

  @Test
  void whatIsKeptSkippedAndOnTheDeviceIsTold() {
    EntryCounts entries = new EntryCounts(0, 0, 0, 0, 20_000, 3, 0, 0);
    Event all = new Event.Finished(Recorded.tree(entries, null, 1 << 30, List.of()));
    Event some = new Event.Finished(Recorded.tree(EntryCounts.NONE, null, 1 << 29, List.of()));
    assertThat(told(Detail.NORMAL, List.of(all, some)))
        .isEqualTo(
            """
            copied 15,036 files, 1.00 GiB in 211 ms (4.74 GiB/s, 71,300 files/s) by
              copyFileRange; 20,000 files kept; 3 skipped; verified: none; all on the device
            copied 15,036 files, 1.00 GiB in 211 ms (4.74 GiB/s, 71,300 files/s) by
              copyFileRange; verified: none; 512 MiB of it on the device
            """);
  }

  @Test
  void aTreeWithoutFilesStillHasASummary() {
    Result nothing = Recorded.nothing("copy", 0, 0, ExitCode.OK);
    assertThat(
            told(
                Detail.NORMAL,
                List.of(withEntries(nothing, new EntryCounts(1, 0, 1, 0, 0, 0, 0, 0)))))
        .isEqualTo("copied 1 directory, 1 link in 1.20 ms\n");
  }

  @Test
  void aDryRunSaysWhatWouldBeDoneAndThatNothingWas() {
    Plan plan = new Plan(15_036, 1 << 30, 7, new EntryCounts(12, 1, 0, 0, 1, 0, 2, 3));
    Event end = new Event.Finished(Recorded.tree(EntryCounts.NONE, plan, -1, List.of()));
    Plan nothing = new Plan(0, 0, 0, new EntryCounts(0, 0, 0, 0, 1, 0, 0, 0));
    Event idle = new Event.Finished(Recorded.tree(EntryCounts.NONE, nothing, -1, List.of()));
    assertThat(told(Detail.NORMAL, List.of(end, idle)))
        .isEqualTo(
            """
            would copy 15,036 files, 1.00 GiB, 12 directories, 1 link;
              7 replaced; 2 corrected; 1 file kept; 3 deleted; nothing was done, as
                --dry-run asks
            would copy nothing; 1 file kept; nothing was done, as --dry-run asks
            """);
  }

  @Test
  void aLossIsOneLineWhateverItHappenedTo() {
    Event one = new Event.Lost("times", 1, "a/b", "read-only file system");
    Event many = new Event.Lost("owner and group", 12_345, "a/b", "operation not permitted");
    Event end = new Event.Finished(Recorded.nothing("copy", 0, 0, ExitCode.OK));
    assertThat(told(Detail.NORMAL, List.of(one, many, end)))
        .isEqualTo(
            """
            copied nothing
            zcp: a/b: times not kept: read-only file system
            zcp: owner and group of 12,345 entries not kept: operation not permitted (the first: a/b)
            """);
  }

  @Test
  void deletedEntriesAreCountedAndNamedOnlyIfEachFileIs() {
    Result nothing = Recorded.nothing("copy", 0, 0, ExitCode.OK);
    List<Event> events =
        List.of(
            new Event.Deleted("t/d"),
            withEntries(nothing, new EntryCounts(0, 0, 0, 0, 0, 0, 0, 1)));
    assertThat(told(Detail.NORMAL, events)).isEqualTo("copied nothing; 1 deleted\n");
    assertThat(new TextReportTest().told(Detail.VERBOSE, events)).startsWith("t/d: deleted\n");
  }

  @Test
  void keptFilesAreCountedAndNamedOnlyIfEachFileIs() {
    Result nothing = Recorded.nothing("copy", 0, 0, ExitCode.OK);
    List<Event> events =
        List.of(
            new Event.Kept("k", "exists and is kept"),
            withEntries(nothing, new EntryCounts(0, 0, 0, 0, 1, 0, 0, 0)));
    assertThat(told(Detail.NORMAL, events)).isEqualTo("copied nothing; 1 file kept\n");
    assertThat(new TextReportTest().told(Detail.VERBOSE, events))
        .startsWith("zcp: k: exists and is kept\n");
    assertThat(new TextReportTest().told(Detail.QUIET, events)).isEmpty();
  }

  @Test
  void whatIsSkippedIsNamed() {
    Event socket = new Event.Skipped("a/s", "is a socket and is skipped", false);
    assertThat(told(Detail.NORMAL, List.of(socket)))
        .isEqualTo("zcp: a/s: is a socket and is skipped\n");
    assertThat(new TextReportTest().told(Detail.QUIET, List.of(socket))).isEmpty();
  }

  @Test
  void whatIsDeclinedIsSummedUpForMostAndNamedToTheVerbose() {
    List<Event> events =
        List.of(
            new Event.Skipped("a", "is a link", true),
            new Event.Skipped("p", "is a pipe", true),
            new Event.Declined("symbolic links", 12_345, "a", "the receiver takes none"),
            new Event.Declined("FIFOs", 1, "p", "the receiver takes none"),
            new Event.Finished(Recorded.nothing("send", 0, 0, ExitCode.SOME_FAILED)));
    assertThat(told(Detail.NORMAL, events))
        .isEqualTo(
            """
            zcp: 12,345 symbolic links left out, the first a: the receiver takes none
            zcp: p: left out: the receiver takes none
            """);
    assertThat(new TextReportTest().told(Detail.VERBOSE, events))
        .isEqualTo("zcp: a: is a link\nzcp: p: is a pipe\n");
    assertThat(new TextReportTest().told(Detail.QUIET, events))
        .as("what does not arrive goes wrong")
        .isEqualTo(
            """
            zcp: 12,345 symbolic links left out, the first a: the receiver takes none
            zcp: p: left out: the receiver takes none
            """);
  }

  @Test
  void aSessionTellsItsConnectionsWhatItNeedNotSendAndHowItWasProved() {
    Session session =
        new Session(
            Recorded.LINK,
            4,
            6 << 20,
            5 << 20,
            1 << 20,
            2 << 20,
            3 << 20,
            "CRC32C, read from the page cache",
            "bbr",
            new Compressed(4 << 20, 1 << 20, ""));
    assertThat(
            told(Detail.NORMAL, List.of(new Event.Finished(Recorded.overSession("send", session)))))
        .isEqualTo(
            """
            sent 1 file, 1.00 GiB as 1021 MiB in 1.00 s (1.00 GiB/s) over 4 connections by
              direct
            verified: wire (CRC32C, read from the page cache)
            already there: 1.00 MiB
            resumed: 2.00 MiB not sent again
            from former versions there: 2.00 MiB
            sent again: 3.00 MiB
            compressed: 4.00 MiB to 1.00 MiB (4.0 to 1)
            direct: 6.00 MiB by TLS 1.3, the rest by ssh
            congestion control: bbr
            """);
  }

  @Test
  void whatWasSentIsNotToldIfItIsAsGoodAsTheSame() {
    Compressed little = new Compressed(2 << 10, 1 << 10, "");
    Session session = new Session(Recorded.LINK, 1, 0, 0, 0, 0, 0, "", "", little);
    assertThat(
            told(Detail.NORMAL, List.of(new Event.Finished(Recorded.overSession("send", session)))))
        .startsWith("sent 1 file, 1.00 GiB in 1.00 s");
  }

  /// It ended a sender that lost its connection, with 70.
  @Test
  void whatWasSentIsNotToldIfMoreWasCompressedThanArrived() {
    Compressed lost = new Compressed(2L << 30, 1 << 10, "");
    Session session = new Session(Recorded.LINK, 1, 0, 0, 0, 0, 0, "", "", lost);
    assertThat(
            told(Detail.NORMAL, List.of(new Event.Finished(Recorded.overSession("send", session)))))
        .startsWith("sent 1 file, 1.00 GiB in 1.00 s");
  }

  @Test
  void onlyTheVerboseHearEachFile() {
    assertThat(new TextReport(page.screen(), Detail.NORMAL, Form.TABLE, 0).hearsEachFile())
        .isFalse();
    assertThat(new TextReport(page.screen(), Detail.VERBOSE, Form.TABLE, 0).hearsEachFile())
        .isTrue();
  }

  @Test
  void aScreenThatIsNotUtf8IsWrittenInAscii() {
    tell(
        new TextReport(page.asciiScreen(), Detail.NORMAL, Form.FULL, 0),
        Recorded.copyWithAFailure());
    assertThat(page.text())
        .contains(
            """

            latency        count   total  share     p50     p90     p99   p99.9     max
            copy             204  130 ms    31%  280 us  360 us  380 us       -   70 ms
            whole file         2  410 ms    99%       -       -       -       -  320 ms
            publish            2   41 us     0%       -       -       -       -   21 us

                        100 us              1 ms                10 ms               100 ms
            copy        |    +**#@@*        |                   |               .   |
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
        "0 | 2 | copied nothing; 2 entries failed",
        "1 | 0 | copied 1 file, 0 B in 1.20 ms; verified: none",
        "2 | 0 | copied 2 files, 0 B in 1.20 ms; verified: none",
        "2 | 1 | copied 2 files, 0 B in 1.20 ms; 1 entry failed; verified: none",
      })
  void noBytesAndNoFilesReadWell(int filesDone, int filesFailed, String line) {
    ExitCode exitCode = filesFailed > 0 ? ExitCode.SOURCE : ExitCode.OK;
    Result result = Recorded.nothing("copy", filesDone, filesFailed, exitCode);
    assertThat(told(Detail.NORMAL, List.of(new Event.Finished(result))))
        .isEqualTo(line.isEmpty() ? "" : line + "\n");
  }

  @Test
  void whatIsOfNoWholeFileIsNotNothing() {
    Result none = Recorded.nothing("receive", 0, 1, ExitCode.NETWORK);
    Result some =
        new Result(
            none.command(),
            none.strategyAsked(),
            none.ran(),
            none.filesDone(),
            none.filesFailed(),
            57 << 20,
            none.elapsedNs(),
            none.verified(),
            none.exitCode(),
            none.message(),
            none.stages(),
            none.session(),
            none.tree(),
            Findings.NONE,
            ProcessFacts.UNKNOWN);
    assertThat(told(Detail.NORMAL, List.of(new Event.Finished(some))))
        .isEqualTo("received 57.0 MiB but no whole file in 1.20 ms (46.4 GiB/s); 1 entry failed\n");
  }

  @Test
  void anEmptyFileHasNoRate() {
    Event done = new Event.FileDone("empty", 0, 1000, List.of(), Level.NONE);
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
        stages.put(stage, SampleLatencies.of(samplesNs));
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
              Level.WIRE,
              ExitCode.OK,
              "",
              stages,
              null,
              Tree.NONE,
              Findings.NONE,
              ProcessFacts.UNKNOWN);
      boolean unicode = random.nextBoolean();
      Page wide = new Page();
      Screen screen = unicode ? wide.screen() : wide.asciiScreen();
      new TextReport(screen, Detail.NORMAL, Form.TABLE, 0).on(new Event.Finished(result));
      assertThat(wide.text().lines()).as("seed %d", seed).allMatch(line -> Width.of(line) <= 80);
      if (!unicode) {
        assertThat(wide.text()).as("seed %d", seed).matches("\\p{ASCII}*").doesNotContain("\\u");
      }
    }
  }

  @Test
  void aProcessThatStoodStillSaysSoBelowTheLatencies() {
    assertThat(told(Detail.NORMAL, List.of(new Event.Finished(Recorded.withPauses()))))
        .doesNotContain("process:")
        .endsWith(
            """

            this process stood still for 430 ms in 2 pauses, at most 410 ms each (a
              collection of garbage, a signal, or no free processor); they are part of 3 of
              the 4 operations that took 10 ms or longer
            """);
  }

  @Test
  void withAllDetailsTheReportTellsWhatTheProcessUsed() {
    assertThat(told(Detail.VERBOSE, List.of(new Event.Finished(Recorded.withPauses()))))
        .contains(
            """
            process: 812 ms user, 1.20 s system; context switches: 5,301 voluntary,
              77 involuntary; 2 page faults that waited for a device; 420 system calls that
              read, 401 that wrote; 12.0 MiB read from a device
            """);
  }

  private static Event withStages(Result result, Map<Stage, Latencies> stages) {
    return new Event.Finished(
        new Result(
            result.command(),
            result.strategyAsked(),
            result.ran(),
            result.filesDone(),
            result.filesFailed(),
            result.bytes(),
            result.elapsedNs(),
            result.verified(),
            result.exitCode(),
            result.message(),
            stages,
            result.session(),
            result.tree(),
            Findings.NONE,
            ProcessFacts.UNKNOWN));
  }

  private static Event withEntries(Result result, EntryCounts entries) {
    return new Event.Finished(
        new Result(
            result.command(),
            result.strategyAsked(),
            result.ran(),
            result.filesDone(),
            result.filesFailed(),
            result.bytes(),
            result.elapsedNs(),
            result.verified(),
            result.exitCode(),
            result.message(),
            result.stages(),
            result.session(),
            new Tree(
                result.tree().bytesDurable(),
                entries,
                result.tree().plan(),
                result.tree().losses(),
                result.tree().declined(),
                result.tree().paths()),
            Findings.NONE,
            ProcessFacts.UNKNOWN));
  }

  private String told(Detail detail, List<Event> events) {
    tell(new TextReport(page.screen(), detail, Form.TABLE, 0), events);
    return page.text();
  }

  private static void tell(TextReport report, List<Event> events) {
    for (Event event : events) {
      report.on(event);
    }
  }
}
