package dev.zcp.report;

import dev.zcp.core.Failure;
import dev.zcp.insight.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Saved output of `--json` with times that never change.
final class SavedSample {

  /// What a result may have besides; a saved file may have it although this zcp does not write it.
  private static final String MORE =
      """
      "verdict":{"sentence":"the target's disk was slow: 61 % of the time went into writes",\
      "limitedBy":"write","side":"receiver","share":0.61,"runnerUp":"digest",\
      "evidence":["write took 250 ms of 412 ms","the sender waited for acknowledgements"],\
      "confidence":"likely","advice":"copy to another disk"},\
      "worst":[{"stage":"write","side":"receiver","path":"photo.raw","offset":1048576,\
      "bytes":65536,"elapsedNs":70000000,"at":"2026-11-01T12:00:00Z"}],\
      "pauses":{"count":2,"totalNs":3000000,"maxNs":2000000,"samplesOverlapped":4},\
      "process":{"userNs":120000000,"systemNs":300000000,"voluntarySwitches":1200,\
      "involuntarySwitches":30,"majorFaults":2,\
      "readCalls":420,"writeCalls":401,"deviceReadBytes":12582912},\
      "heatMap":{"stepNs":100000000,"steps":4,"fromNs":[131072,262144],\
      "counts":{"copy":[0,90,1,0,100,0,0,13]}},\
      "throughput":{"stepNs":100000000,"movedBytes":[100000000,500000000,1000000000,1283457024,\
      1283457024],"durableBytes":[0,0,400000000,400000000,1283457024],\
      "carriedBytes":null}\
      """;

  private SavedSample() {}

  /// A copy of three files of which one failed, with everything that a result may have.
  static String rich() {
    String text = json(Recorded.copyWithAFailure());
    Matcher stage = Pattern.compile("\"copy\":(\\{\"count\":[^}]*)\\}").matcher(text);
    if (!stage.find()) {
      throw new AssertionError(text);
    }
    String peer = ",\"peerLatencies\":{\"write\":" + stage.group(1) + ",\"side\":\"receiver\"}}";
    return text.replace("\"heatMap\":null,\"throughput\":null", MORE + peer);
  }

  static String json(List<Event> events) {
    Page page = new Page();
    JsonReport report = new JsonReport(page.out());
    events.forEach(report::on);
    return page.text();
  }

  static List<SavedRun> runs(String text) throws IOException, Failure {
    SavedRuns saved = new SavedRuns();
    saved.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "run.json");
    return saved.runs();
  }

  static String page(String text) throws IOException, Failure {
    return new String(RunPage.of(runs(text)), StandardCharsets.UTF_8);
  }
}
