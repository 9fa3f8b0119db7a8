package dev.zcp.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.Compressed;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.Ran;
import dev.zcp.insight.Result.Session;
import dev.zcp.insight.Result.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class JsonReportTest {

  private static final Event.Lost LOST =
      new Event.Lost("owner and group", 3, "a/b", "operation not permitted");

  private static final Map<String, Object> LOST_FIELDS =
      Map.of(
          "what",
          "owner and group",
          "entries",
          3L,
          "firstName",
          "a/b",
          "reason",
          "operation not permitted");

  private final Page page = new Page();
  private final JsonReport report = new JsonReport(page.out());

  @Test
  void aCopyOfThreeFilesWithOneFailure() {
    Recorded.copyWithAFailure().forEach(report::on);
    assertThat(page.text().replaceAll("(\"histogram\":)\"[A-Za-z0-9+/]+=*\"", "$1\"...\""))
        .isEqualTo(
            """
            {"event":"started","command":"copy","strategyAsked":"auto","files":3,"bytes":null}
            {"event":"file","name":"photo.raw","strategyUsed":[{"strategy":"copyFileRange",\
            "bytes":1073741824,"steps":4,\
            "fellBackBecause":"reflink: the file system has no reflinks"}],"bytes":1073741824,\
            "seconds":0.322000000,"bytesPerSecond":3334601938,"verified":"none"}
            {"event":"fileFailed","name":"gone.raw","exitCode":3,"exit":"source",\
            "message":"gone.raw: no such file"}
            {"event":"note","message":"film.raw: the target's file system is nearly full"}
            {"event":"file","name":"film.raw","strategyUsed":[{"strategy":"direct",\
            "bytes":209715200,"steps":200,\
            "fellBackBecause":"copyFileRange: not across these file systems"}],\
            "bytes":209715200,"seconds":0.087000000,"bytesPerSecond":2410519540,\
            "verified":"none"}
            {"event":"result","command":"copy","strategyAsked":"auto",\
            "strategyUsed":[{"strategy":"copyFileRange","bytes":1073741824,"steps":4,\
            "fellBackBecause":"reflink: the file system has no reflinks"},{"strategy":"direct",\
            "bytes":209715200,"steps":200,\
            "fellBackBecause":"copyFileRange: not across these file systems"}],"files":2,\
            "filesFailed":1,"bytes":1283457024,"seconds":0.412000000,\
            "bytesPerSecond":3115186951,"verified":"none","discarded":false,"directories":0,\
            "symlinks":0,"hardLinks":0,"specials":0,"kept":0,"skipped":0,"corrected":0,\
            "deleted":0,"planned":null,\
            "losses":[],"declined":[],"paths":{},"bytesDurable":null,"connections":null,\
            "bytesDirect":null,"bytesResumed":null,"bytesThere":null,"bytesReused":null,"bytesResent":null,"verifiedBy":null,"congestion":null,"bytesCompressed":null,"bytesCompressedTo":null,"notCompressed":null,\
            "encrypted":null,"encryptedBy":null,"socketBuffer":null,"process":null,"pauses":null,"exitCode":1,"exit":"some-failed","message":"gone.raw: no such file","latencies":{"copy":{"count":204,"minNs":180000,\
            "p50Ns":281087,"p90Ns":363007,"p99Ns":382207,"p999Ns":70000000,"maxNs":70000000,\
            "meanNs":622775,"side":"local","totalNs":127046000,"busiestNs":127046000,"histogram":"..."},"file":{"count":2,"minNs":87000000,"p50Ns":87000000,\
            "p90Ns":322000000,"p99Ns":322000000,"p999Ns":322000000,"maxNs":322000000,\
            "meanNs":204500000,"side":"local","totalNs":409000000,"busiestNs":409000000,"histogram":"..."},"publish":{"count":2,"minNs":19800,"p50Ns":19800,"p90Ns":21300,\
            "p99Ns":21300,"p999Ns":21300,"maxNs":21300,"meanNs":20550,"side":"local","totalNs":41100,"busiestNs":41100,"histogram":"..."}},"peerLatencies":{},"worst":[],"verdict":null,"heatMap":null,"throughput":null,"peer":null,"session":null,"startedAt":null,"commandLine":null,"version":null,"machine":null}
            """);
  }

  private static Stream<Class<?>> kinds(Class<?> sealed) {
    return sealed.isSealed()
        ? Stream.of(sealed.getPermittedSubclasses()).flatMap(JsonReportTest::kinds)
        : Stream.of(sealed);
  }

  @Test
  void everyEventButAFilesStartIsOneObjectOnOneLine() {
    List<Event> events = oneOfEach();
    assertThat(events.stream().<Class<?>>map(Event::getClass))
        .as("a sample of each event there is")
        .containsExactlyInAnyOrderElementsOf(kinds(Event.class).toList());
    events.forEach(report::on);
    List<Map<String, Object>> lines = page.text().lines().map(JsonReportTest::parse).toList();
    assertThat(lines.stream().map(line -> line.get("event")))
        .containsExactly(
            "started",
            "listening",
            "connected",
            "file",
            "fileFailed",
            "failed",
            "counted",
            "kept",
            "deleted",
            "skipped",
            "planned",
            "lost",
            "declined",
            "note",
            "note",
            "result");
    assertThat(page.text()).endsWith("}\n");
  }

  @Test
  void theFieldsOfEachEventCanBeReadBack() {
    oneOfEach().forEach(report::on);
    List<Map<String, Object>> lines = page.text().lines().map(JsonReportTest::parse).toList();
    assertThat(lines.get(0))
        .containsEntry("command", "copy")
        .containsEntry("strategyAsked", "auto")
        .containsEntry("files", 3L)
        .containsEntry("bytes", null);
    assertThat(lines.get(1)).containsEntry("url", "zcp://KEY@host:1");
    assertThat(lines.get(2))
        .containsEntry("peer", "127.0.0.1:5230")
        .containsEntry("discards", false)
        .containsEntry("encrypted", false);
    assertThat(lines.get(3))
        .containsEntry("name", "a")
        .containsEntry("bytes", 2L)
        .containsEntry("seconds", 0.000000004)
        .containsEntry("bytesPerSecond", 500_000_000L)
        .containsEntry("verified", "wire")
        .containsEntry(
            "strategyUsed",
            List.of(
                Map.of("strategy", "heap", "bytes", 2L, "steps", 1L, "fellBackBecause", "why")));
    assertThat(lines.get(4))
        .containsEntry("name", "b")
        .containsEntry("exitCode", 3L)
        .containsEntry("exit", "source")
        .containsEntry("message", "b: gone");
    assertThat(lines.get(5)).containsEntry("exitCode", 5L).containsEntry("exit", "network");
    assertThat(lines.get(6)).containsEntry("files", 7L).containsEntry("bytes", 8L);
    assertThat(lines.get(7)).containsEntry("name", "c").containsEntry("reason", "is newer");
    assertThat(lines.get(8)).containsEntry("name", "c2");
    assertThat(lines.get(9)).containsEntry("name", "d").containsEntry("reason", "is a socket");
    assertThat(lines.get(10))
        .containsEntry("action", "makeDirectory")
        .containsEntry("name", "e")
        .containsEntry("target", "f")
        .containsEntry("bytes", null);
    assertThat(lines.get(11)).containsAllEntriesOf(LOST_FIELDS);
    assertThat(lines.get(12))
        .containsEntry("what", "links")
        .containsEntry("entries", 4L)
        .containsEntry("firstName", "l")
        .containsEntry("reason", "not asked for");
    assertThat(lines.get(13)).containsEntry("message", "note");
    assertThat(lines.get(14)).containsEntry("message", "interrupted");
    assertThat(lines.get(15))
        .containsEntry("exitCode", 0L)
        .containsEntry("exit", "ok")
        .containsEntry("message", "")
        .containsEntry("latencies", Map.of());
  }

  @Test
  void theResultOfATreeTellsItsEntriesItsLossesAndWhatTheDeviceHas() {
    EntryCounts entries = new EntryCounts(1, 2, 3, 4, 5, 6, 8, 7);
    report.on(new Event.Finished(Recorded.tree(entries, null, 512, List.of(LOST))));
    Map<String, Object> result = parse(page.text().strip());
    assertThat(result)
        .containsEntry("directories", 1L)
        .containsEntry("symlinks", 2L)
        .containsEntry("hardLinks", 3L)
        .containsEntry("specials", 4L)
        .containsEntry("kept", 5L)
        .containsEntry("skipped", 6L)
        .containsEntry("corrected", 8L)
        .containsEntry("deleted", 7L)
        .containsEntry("planned", null)
        .containsEntry("losses", List.of(LOST_FIELDS))
        .containsEntry("bytesDurable", 512L);
  }

  @Test
  void theResultOfADryRunTellsWhatWasPlanned() {
    Plan plan = new Plan(7, 8, 9, new EntryCounts(1, 2, 3, 4, 5, 6, 8, 7));
    report.on(new Event.Finished(Recorded.tree(EntryCounts.NONE, plan, -1, List.of())));
    Map<String, Object> planned = new LinkedHashMap<>();
    planned.put("files", 7L);
    planned.put("bytes", 8L);
    planned.put("replaced", 9L);
    planned.put("directories", 1L);
    planned.put("symlinks", 2L);
    planned.put("hardLinks", 3L);
    planned.put("specials", 4L);
    planned.put("kept", 5L);
    planned.put("skipped", 6L);
    planned.put("corrected", 8L);
    planned.put("deleted", 7L);
    assertThat(parse(page.text().strip())).containsEntry("planned", planned);
  }

  @Test
  void aResultOverASocketTellsItsBufferAndWhetherTheReceiverDiscards() {
    SocketBuffer asked = new SocketBuffer("SO_SNDBUF", 65_536, 131_072, "max");
    report.on(new Event.Finished(Recorded.overLink("send", new Link("h:1", true, "", asked))));
    report.on(new Event.Finished(Recorded.overLink("send", Recorded.LINK)));
    List<Map<String, Object>> lines = page.text().lines().map(JsonReportTest::parse).toList();
    Map<String, Object> tuned = new LinkedHashMap<>();
    tuned.put("option", "SO_SNDBUF");
    tuned.put("askedBytes", null);
    tuned.put("givenBytes", 2_626_560L);
    assertThat(lines.get(0))
        .containsEntry("discarded", true)
        .containsEntry(
            "socketBuffer",
            Map.of("option", "SO_SNDBUF", "askedBytes", 65_536L, "givenBytes", 131_072L));
    assertThat(lines.get(1)).containsEntry("discarded", false).containsEntry("socketBuffer", tuned);
  }

  @Test
  void secondsHaveNoExponentAndLoseNoNanosecond() {
    for (long elapsedNs : new long[] {0, 1, 999_999_999, 1_000_000_000, 1_000_000_001}) {
      report.on(new Event.FileDone("a", 0, elapsedNs, List.of(), Level.NONE));
    }
    assertThat(page.text().lines().map(line -> line.replaceAll(".*\"seconds\":([^,]*),.*", "$1")))
        .containsExactly("0.000000000", "0.000000001", "0.999999999", "1.000000000", "1.000000001");
  }

  @Test
  void anyStringIsValidJson() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 20; i++) {
        // Mostly control characters, quotes and surrogates, in pairs and alone.
        int from = random.nextInt(3);
        text.append((char) (from == 0 ? random.nextInt(128) : 0xd7f0 + random.nextInt(0x900)));
      }
      Page one = new Page();
      new JsonReport(one.out()).on(new Event.Noted(text.toString()));
      assertThat(one.text().indexOf('\n')).isEqualTo(one.text().length() - 1);
      assertThat(parse(one.text()).get("message"))
          .as("seed %d", seed)
          .isEqualTo(withoutLoneSurrogates(text.toString()));
    }
  }

  @Test
  void aResultTellsWhatBecameOfItsSession() {
    Session session =
        new Session(
            Recorded.LINK,
            4,
            64,
            512,
            128,
            64,
            256,
            "CRC32C of both ends",
            "bbr",
            new Compressed(32, 16, ""));
    report.on(new Event.Finished(Recorded.overSession("send", session)));
    report.on(new Event.Finished(Recorded.overLink("send", Recorded.LINK)));
    List<Map<String, Object>> lines = page.text().lines().map(JsonReportTest::parse).toList();
    assertThat(lines.get(0))
        .containsEntry("connections", 4L)
        .containsEntry("bytesDirect", 64L)
        .containsEntry("bytesResumed", 512L)
        .containsEntry("bytesReused", 64L)
        .containsEntry("bytesThere", 128L)
        .containsEntry("bytesResent", 256L)
        .containsEntry("bytesCompressed", 32L)
        .containsEntry("bytesCompressedTo", 16L)
        .containsEntry("notCompressed", null)
        .containsEntry("verifiedBy", "CRC32C of both ends")
        .containsEntry("congestion", "bbr");
    assertThat(lines.get(1))
        .containsEntry("connections", 1L)
        .containsEntry("bytesResumed", 0L)
        .containsEntry("bytesResent", 0L)
        .containsEntry("verifiedBy", null)
        .containsEntry("congestion", null);
  }

  @Test
  void aResultTellsWhatTheProcessUsedAndWhenItStoodStill() {
    Page page = new Page();
    new JsonReport(page.out()).on(new Event.Finished(Recorded.withPauses()));
    assertThat(page.text())
        .contains(
            "\"process\":{\"userNs\":812000000,\"systemNs\":1200000000,"
                + "\"voluntarySwitches\":5301,\"involuntarySwitches\":77,\"majorFaults\":2,"
                + "\"readCalls\":420,\"writeCalls\":401,\"deviceReadBytes\":12582912},"
                + "\"pauses\":{\"count\":2,\"totalNs\":430000000,\"maxNs\":410000000,"
                + "\"samplesOverlapped\":3},");
  }

  @Test
  void aResultTellsWhatTheReceiverDeclined() {
    Event.Declined links = new Event.Declined("links", 4, "l", "not asked for");
    Tree tree = new Tree(-1, EntryCounts.NONE, null, List.of(), List.of(links), Map.of());
    report.on(new Event.Finished(Recorded.withTree(tree)));
    assertThat(parse(page.text()))
        .containsEntry(
            "declined",
            List.of(
                Map.of(
                    "what", "links", "entries", 4L, "firstName", "l", "reason", "not asked for")));
  }

  private static String withoutLoneSurrogates(String text) {
    StringBuilder whole = new StringBuilder();
    text.codePoints().forEach(c -> whole.appendCodePoint(c >= 0xd800 && c < 0xe000 ? '?' : c));
    return whole.toString();
  }

  static List<Event> oneOfEach() {
    Result result = Recorded.nothing("copy", 1, 0, ExitCode.OK);
    return List.of(
        new Event.Started("copy", "auto", 3, -1, new At()),
        new Event.Listening("zcp://KEY@host:1", "", List.of("h"), false),
        new Event.Connected(Recorded.LINK),
        new Event.FileStarted("a", 2),
        new Event.FileDone("a", 2, 4, List.of(new Ran("heap", 2, 1, "why")), Level.WIRE),
        new Event.FileFailed("b", Failure.of(ExitCode.SOURCE, "b", "gone")),
        new Event.Failed(Failure.of(ExitCode.NETWORK, "host:2", "left")),
        new Event.Counted(7, 8),
        new Event.Placed("c0", "c1"),
        new Event.Kept("c", "is newer"),
        new Event.Deleted("c2"),
        new Event.Skipped("d", "is a socket", false),
        new Event.PlanLine(Planned.MAKE_DIRECTORY, "e", "f", -1),
        LOST,
        new Event.Declined("links", 4, "l", "not asked for"),
        new Event.Noted("note"),
        new Event.Interrupted("interrupted"),
        new Event.Finished(result));
  }

  static Map<String, Object> parse(String line) {
    try (JsonParser parser =
        JsonFactory.builder().build().createParser(ObjectReadContext.empty(), line)) {
      assertThat(parser.nextToken()).isEqualTo(JsonToken.START_OBJECT);
      Map<String, Object> object = object(parser);
      assertThat(parser.nextToken()).as("after the object").isNull();
      return object;
    }
  }

  private static Map<String, Object> object(JsonParser parser) {
    Map<String, Object> object = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      assertThat(object).doesNotContainKey(name);
      object.put(name, value(parser));
    }
    return object;
  }

  private static Object value(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(parser));
        }
        yield array;
      }
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new AssertionError("unexpected " + parser.currentToken());
    };
  }
}
