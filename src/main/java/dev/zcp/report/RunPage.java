package dev.zcp.report;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.core.Prose;
import dev.zcp.core.Scale;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.HeatMap.HeatCounts;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.Compressed;
import dev.zcp.insight.Result.ProcessFacts.Pauses;
import dev.zcp.insight.Result.ProcessFacts.ProcessUsage;
import dev.zcp.insight.Result.Ran;
import dev.zcp.insight.Result.Session;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.json.JsonObject;
import dev.zcp.json.JsonObject.MalformedJson;
import dev.zcp.json.JsonType;
import dev.zcp.report.LatencyTable.StageRow;
import dev.zcp.report.Throughput.Course;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A run, or a comparison of several, as one page for a browser.
public final class RunPage {

  private static final String PERCENTILES =
      "A sample is one operation that was timed. p50, the large dot, is the time within which half"
          + " of all samples were done; p90, the small dot, 90 %; p99, the ring, 99 %; p99.9, the"
          + " small ring, 99.9 %; max, the stroke, is the slowest. Each row has one stage of the"
          + " work. The axis is logarithmic: each step to the right is a multiple. ns, µs, ms and s"
          + " are nano-, micro- and milliseconds, and seconds.";

  private static final String SHARES =
      "Each bar shows how much of the run the busiest thread of that end spent in the stage. Stages"
          + " below 1 % are left out. The bars do not add up: a step (copy, send, receive) contains"
          + " its reads and writes, and both ends and their threads work at the same time. If a bar"
          + " is nearly as long as the axis, the run waited for its stage, or the stage waited for"
          + " something else.";

  /// A shorter bar could not be seen.
  private static final double SHARE_TOLD_MIN = 0.01;

  private static final String HEAT =
      "The stages of this end that took longest. From left to right is the time of the run; each"
          + " row is a range of latencies that begins at the time at its left and is twice as wide"
          + " as the one below. The darker a field, the more operations ended at that time and took"
          + " so long: the five shades begin at 1, 4, 16, 64 and 256 operations.";

  /// A stage with fewer samples would be a few dots.
  private static final int HEAT_MIN = 100;

  private static final int HEATS_MAX = 3;

  private static final String OVERLAP =
      "Stages overlap: a step contains its reads and writes, and threads work side by side, so the"
          + " totals may be more than the time of the run. A percentile is shown if there are"
          + " enough samples: 10 for p50 and p90, 100 for p99, 1,000 for p99.9.";

  private static final int WORST_MAX = 100;

  private final HtmlPage to;

  private RunPage(String title) {
    to = new HtmlPage(title);
  }

  /// @param runs at least one
  /// @throws Failure SOURCE if a field that only the page has is not what it should be
  public static byte[] of(List<SavedRun> runs) throws Failure {
    try {
      String html = runs.size() == 1 ? page(runs.getFirst()) : comparison(runs);
      return html.getBytes(StandardCharsets.UTF_8);
    } catch (MalformedJson e) {
      throw Failure.of(ExitCode.SOURCE, runs.getFirst().file(), e.getMessage()).because(e);
    }
  }

  private static String comparison(List<SavedRun> runs) {
    RunPage page = new RunPage("zcp: " + runs.size() + " runs");
    page.to.open("header").element("h1", "zcp: " + runs.size() + " runs").close().line();
    RunComparison.of(runs).write(page.to);
    page.writeFailures(runs);
    page.writeWords(runs);
    return page.to.html();
  }

  private static String page(SavedRun run) {
    RunPage page = new RunPage("zcp " + run.result().command());
    page.writeTop(run);
    page.writeVerdict(run);
    page.writeShares(run);
    page.writeCourse(run);
    page.writeLatencies(run);
    page.writeHeat(run);
    page.writeWorst(run);
    page.writeMechanisms(run);
    page.writeFailures(List.of(run));
    page.writeWords(List.of(run));
    return page.to.html();
  }

  private void writeTop(SavedRun run) {
    Result result = run.result();
    to.open("header").element("h1", "zcp " + result.command()).line();
    to.element("p", TextReport.sentence(run), "class", "command").line();
    if (!run.origin().isEmpty()) {
      to.element("p", run.origin(), "class", "note").line();
    }
    if (result.exitCode() != ExitCode.OK) {
      String code = "exit code " + result.exitCode().number() + ": " + result.exitCode().sentence();
      to.element("p", code, "class", "bad").line();
    }
    to.close().line();
  }

  private void writeVerdict(SavedRun run) {
    Bottleneck verdict = run.verdict();
    if (verdict == null) {
      return;
    }
    to.open("section", "class", "verdict").element("h2", verdict.sentence()).line();
    to.open("dl").line();
    to.fact("Next", verdict.runnerUp());
    to.fact("How sure", verdict.confidence().word());
    to.close().line();
    if (!verdict.advice().isEmpty()) {
      to.element("p", verdict.advice()).line();
    }
    if (!verdict.evidence().isEmpty()) {
      to.open("ul", "class", "note");
      verdict.evidence().forEach(each -> to.element("li", each));
      to.close().line();
    }
    to.close().line();
  }

  private void writeCourse(SavedRun run) {
    Course course = run.course();
    if (course == null) {
      return;
    }
    to.section("Throughput over time").open("figure").line();
    CourseChart.writeRates(to, course, run);
    String each = LatencyTable.time(course.stepNs(), true);
    String moved =
        run.result().session() == null
            ? "bytes that were moved"
            : "bytes that the receiver had accepted";
    String caption = "Bars: " + moved + " in each " + each + ", as a rate";
    if (course.bytesCarried() != null) {
      boolean isSender = run.result().side() == WorkSide.SENDER;
      caption += ". Strokes: those that this end had " + (isSender ? "sent" : "received");
      caption += "; a receiver accepts many at once, at the end of a block or a part";
    }
    caption += ". The run starts at the left. KiB, MiB and GiB are 1024, 1024² and 1024³ bytes.";
    to.caption(caption);
    if (course.bytesDurable() != null) {
      to.open("figure").line();
      CourseChart.writeSums(to, course, run);
      to.caption(
          "Bars: all "
              + moved
              + " up to then. The line: how many of them were known to be on the device, so that"
              + " a power cut could not take them.");
    }
    to.close().line();
  }

  private void writeLatencies(SavedRun run) {
    List<StageRow> rows = run.rows();
    if (rows.isEmpty()) {
      return;
    }
    to.section("Latencies by stage");
    List<StageRow> distributed =
        rows.stream().filter(row -> row.latencies().count() >= LatencyTable.SAMPLES_MIN).toList();
    if (!distributed.isEmpty()) {
      to.open("figure").line();
      List<Latencies> all = distributed.stream().map(StageRow::latencies).toList();
      Chart chart = Chart.ofLatencies(to, all, "Latencies by stage");
      for (StageRow row : distributed) {
        Latencies each = row.latencies();
        String p50 = LatencyTable.percentile(each, 50, true);
        chart.row(Chart.label(row.name()), "other", p50, LatencyTable.percentile(each, 99, true));
        chart.percentiles(each).end();
      }
      chart.close();
      to.caption(PERCENTILES);
    }
    new LatencyTable(rows, run.result().elapsedNs(), true).write(to, "Latencies of each stage");
    to.note(OVERLAP);
    to.close().line();
  }

  /// Both ends over one axis: the time of the run.
  private void writeShares(SavedRun run) {
    long elapsedNs = run.result().elapsedNs();
    List<StageRow> rows =
        run.rows().stream()
            .filter(row -> row.latencies().busiestNs() >= SHARE_TOLD_MIN * elapsedNs)
            .toList();
    if (rows.isEmpty() || elapsedNs == 0) {
      return;
    }
    to.section("Where the time went");
    to.open("figure", "class", "times").line();
    Axis axis = Axis.forBars(elapsedNs, elapsedNs);
    Chart chart = new Chart(to, axis, rows.size(), "Where the time went", "time", "share");
    for (StageRow row : rows) {
      long busiestNs = Math.min(row.latencies().busiestNs(), elapsedNs);
      String share = Scale.percent((double) busiestNs / elapsedNs);
      chart.row(Chart.label(row.name()), "near", LatencyTable.time(busiestNs, true), share);
      chart.bar(busiestNs, 1, 14, "bar").end();
    }
    chart.close();
    to.caption(SHARES);
    to.close().line();
  }

  /// Of the stages that took longest, if there is enough to be seen.
  private void writeHeat(SavedRun run) {
    HeatCounts heat = run.heat();
    if (heat == null) {
      return;
    }
    Map<Stage, Latencies> stages = run.stages();
    List<Stage> longest =
        heat.counts().keySet().stream()
            .filter(stage -> stage != Stage.FILE && stages.containsKey(stage))
            .filter(stage -> stages.get(stage).count() >= HEAT_MIN)
            .sorted((a, b) -> Long.compare(stages.get(b).totalNs(), stages.get(a).totalNs()))
            .limit(HEATS_MAX)
            .toList();
    if (longest.isEmpty()) {
      return;
    }
    to.section("Latencies over time");
    for (Stage stage : longest) {
      to.open("figure").element("h3", stage.label(run.result().side())).line();
      CourseChart.writeHeat(to, heat, heat.counts().get(stage), run);
      to.close().line();
    }
    to.note(HEAT).close().line();
  }

  private void writeWorst(SavedRun run) {
    List<JsonObject> worst = run.json().get("worst", JsonObject.OBJECT.list());
    if (worst.isEmpty()) {
      return;
    }
    Table table = new Table().left("stage", "side").right("took").left("file");
    table.right("offset", "bytes").left("at");
    for (JsonObject each : worst.subList(0, Math.min(worst.size(), WORST_MAX))) {
      String side = each.get("side", JsonType.TEXT);
      table.row(
          List.of(
              SavedRun.label(each.get("stage", JsonType.TEXT), side),
              side,
              LatencyTable.time(each.get("elapsedNs", JsonType.COUNT), true),
              each.get("path", JsonType.TEXT.orNull("")),
              count(each.get("offset", JsonType.COUNT_IF_KNOWN)),
              count(each.get("bytes", JsonType.COUNT_IF_KNOWN)),
              each.get("at", JsonType.TEXT)));
    }
    to.section("The slowest operations");
    table.write(to, "Single operations that took longest");
    to.close().line();
  }

  private void writeMechanisms(SavedRun run) {
    Result result = run.result();
    to.section("How the bytes were moved");
    Table table = new Table().left("strategy").right("bytes", "share", "steps");
    table.left("what was tried before, and why it did not go on");
    for (Ran ran : result.ran()) {
      String share = Scale.percent(Math.min(1, (double) ran.bytes() / Math.max(1, result.bytes())));
      table.row(
          Table.Mark.NONE,
          List.of(
              ran.strategy(),
              new ByteSize(ran.bytes()).toString(),
              share,
              Prose.grouped(ran.steps())),
          ran.fellBackBecause().isEmpty() ? "nothing" : ran.fellBackBecause());
    }
    table.write(to, "Strategies that moved bytes");
    to.open("dl").line();
    to.fact("Strategy asked for", result.strategyAsked());
    to.fact("Verified", result.verified().label());
    for (Map.Entry<String, Long> path : result.tree().paths().entrySet()) {
      to.fact("Files by " + path.getKey(), Prose.grouped(path.getValue()));
    }
    if (result.session() != null) {
      writeSession(result.session());
    }
    writeProcess(run);
    to.close().close().line();
  }

  private void writeSession(Session session) {
    to.fact("Peer", session.link().peer());
    to.fact("Verified by", session.proof());
    to.fact("Connections at most", Integer.toString(session.connections()));
    to.fact(
        "Encrypted", session.link().isEncrypted() ? "by " + session.link().encryptedBy() : "no");
    to.fact("Past ssh, by TLS", bytes(session.bytesDirect()));
    to.fact("Resumed", bytes(session.bytesResumed()));
    to.fact("Sent again", bytes(session.bytesResent()));
    to.fact("Compressed", compressed(session.compressed()));
    to.fact("Congestion control", session.congestion());
    to.fact(
        "Socket buffer, " + session.link().buffer().option(),
        new ByteSize(session.link().buffer().givenBytes()).toString());
  }

  private static String compressed(Compressed compressed) {
    if (compressed.bytes() > 0) {
      return bytes(compressed.bytes()) + " to " + bytes(compressed.toBytes());
    }
    return compressed.whyNot().isEmpty() ? "" : "nothing: " + compressed.whyNot();
  }

  private void writeProcess(SavedRun run) {
    ProcessUsage usage = run.result().process().usage();
    if (usage != null) {
      to.fact("Processor time, own code", LatencyTable.time(usage.userNs(), true));
      to.fact("Processor time, kernel", LatencyTable.time(usage.systemNs(), true));
      to.fact("Switches while waiting", count(usage.voluntarySwitches()));
      to.fact("Switches by others", count(usage.involuntarySwitches()));
      to.fact("Page faults that waited for a device", count(usage.majorFaults()));
      to.fact("System calls that read", count(usage.readCalls()));
      to.fact("System calls that wrote", count(usage.writeCalls()));
      long readBytes = usage.deviceReadBytes();
      to.fact("Read from a device", readBytes < 0 ? "" : new ByteSize(readBytes).toString());
    }
    Pauses pauses = run.result().process().pauses();
    if (pauses != null) {
      to.fact("Pauses of the process", count(pauses.count()));
      to.fact("Pauses, in all", LatencyTable.time(pauses.totalNs(), true));
      to.fact("Longest pause", LatencyTable.time(pauses.maxNs(), true));
      if (pauses.count() > 0) {
        to.fact("Pauses are part of", TextReport.partOfTail(run.whole()));
      }
    }
  }

  private void writeFailures(List<SavedRun> runs) {
    List<String> lines = new ArrayList<>();
    for (SavedRun run : runs) {
      String before = runs.size() == 1 ? "" : run.name() + ": ";
      failures(run).forEach(line -> lines.add(before + line));
    }
    if (!lines.isEmpty()) {
      to.open("section", "class", "warnings").element("h2", "What went wrong").line().open("ul");
      lines.forEach(line -> to.element("li", line).line());
      to.close().close().line();
    }
  }

  private static List<String> failures(SavedRun run) {
    Result result = run.result();
    List<String> lines = new ArrayList<>();
    run.failures().forEach(failure -> lines.add(Printable.ofPhrase(failure)));
    if (lines.isEmpty() && !result.message().isEmpty()) {
      lines.add(result.message());
    }
    long more = Math.max(run.failed(), result.filesFailed()) - lines.size();
    if (more > 0) {
      lines.add(Prose.count(more, "failure") + " more");
    }
    result.tree().losses().forEach(lost -> lines.add(lost.sentence()));
    result.tree().declined().forEach(declined -> lines.add(TextReport.declined(declined)));
    return lines;
  }

  private void writeWords(List<SavedRun> runs) {
    Set<String> labels = new HashSet<>();
    for (SavedRun run : runs) {
      run.rows().forEach(row -> labels.add(row.label()));
    }
    to.section("What the stages are").open("dl").line();
    for (Stage stage : Stage.values()) {
      if (labels.contains(stage.label())) {
        to.fact(stage.label(), sample(stage));
      }
    }
    String fromPeer = Stage.READ.label(WorkSide.RECEIVER);
    if (labels.contains(fromPeer)) {
      to.fact(fromPeer, "one read from the other end");
    }
    String toPeer = Stage.WRITE.label(WorkSide.SENDER);
    if (labels.contains(toPeer)) {
      to.fact(toPeer, "one write to the other end");
    }
    if (labels.contains(LatencyTable.CORRECTED)) {
      to.fact(
          LatencyTable.CORRECTED.strip(),
          "the stage above, with the operations that a slow one kept from beginning when"
              + " --limit-rate allowed it");
    }
    to.close().close().line();
  }

  private static String sample(Stage stage) {
    return switch (stage) {
      case LOGIN -> "starting the other end by ssh, up to its answer";
      case OPEN -> "opening a source";
      case CREATE -> "making a partial file";
      case READ -> "one read of a step that goes through memory";
      case DIGEST -> "the checksum of one piece of a file";
      case COMPRESS -> "making a piece smaller, or at the receiver whole again";
      case WINDOW -> "a wait of the sender for acknowledgements";
      case PACE -> "a wait of a thread, so that no more than --limit-rate is moved";
      case COPY -> "one step from file to file: the bytes that one strategy moved at once";
      case SEND -> "one step into the socket, or one part";
      case RECEIVE -> "one step from the socket into a file, or one read of a part";
      case QUEUE -> "a wait of a task in the receiver for a thread that does it";
      case WRITE -> "one write of a step that goes through memory";
      case JOURNAL -> "a record in the receiver's journal";
      case READ_BACK -> "one piece of a target, read again and compared";
      case FLUSH -> "forcing a file, or a file system, to its device";
      case METADATA -> "giving a file or directory its owner, attributes, mode and times";
      case PUBLISH -> "closing a complete file and giving it its name";
      case FILE -> "a file, from its opening until it has its name or is acknowledged";
    };
  }

  private static String bytes(long bytes) {
    return bytes > 0 ? new ByteSize(bytes).toString() : "";
  }

  private static String count(long count) {
    return count < 0 ? "" : Prose.grouped(count);
  }
}
