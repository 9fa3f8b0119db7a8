package dev.zcp.report;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Prose;
import dev.zcp.core.Rate;
import dev.zcp.insight.Bottleneck;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.Latencies;
import dev.zcp.insight.Result;
import dev.zcp.insight.Result.Compressed;
import dev.zcp.insight.Result.EntryCounts;
import dev.zcp.insight.Result.Plan;
import dev.zcp.insight.Result.ProcessFacts.Pauses;
import dev.zcp.insight.Result.ProcessFacts.ProcessUsage;
import dev.zcp.insight.Result.Ran;
import dev.zcp.insight.Result.Session;
import dev.zcp.insight.Stage;
import dev.zcp.insight.WorkSide;
import dev.zcp.insight.WorstOperation;
import dev.zcp.report.LatencyTable.StageRow;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Tells a person what happens: failures and notes at once, a summary with its latencies at the
/// end.
///
/// A command that did nothing but fail once has said all with its one line, and gets no summary.
public final class TextReport implements Listener {

  private static final int COLUMNS = 80;
  private static final int COLUMNS_MIN = 20;
  private static final String PREFIX = "zcp: ";

  /// A rate of files says nothing about a few.
  private static final int FILES_RATED_MIN = 100;

  /// What a shorter run waited for is of no interest unless somebody asks.
  private static final long VERDICT_NS_MIN = 1_000_000_000;

  /// A space at which no line is broken.
  private static final char NO_BREAK = '\u00a0';

  /// How many failures are told once more below the latencies.
  private static final int FAILURES_MAX = 5;

  private final Screen screen;
  private final Detail detail;
  private final Form form;

  /// Whether failures are told at the end alone, since all is over when it begins.
  private final boolean isReplay;

  private final int worstMax;

  /// Whether what is lost in every run of this user is told, too.
  private boolean tellsUsual;

  /// Whether this end serves whoever comes: then each session has a line, and what it begins with.
  private boolean isListening;

  private String session = "";

  private int differing;

  /// The first failures, told already, and how many there were.
  private final List<String> failures = new ArrayList<>();

  private int failuresTold;

  /// What is known only at the end: what was lost and what was declined.
  private final List<String> losses = new ArrayList<>();

  /// @param worstMax how many of the slowest operations to tell
  public TextReport(Screen screen, Detail detail, Form form, int worstMax) {
    this(screen, detail, form, worstMax, false);
  }

  private TextReport(Screen screen, Detail detail, Form form, int worstMax, boolean isReplay) {
    this.worstMax = worstMax;
    this.screen = screen;
    this.detail = detail;
    this.form = form;
    this.isReplay = isReplay;
    this.tellsUsual = detail == Detail.VERBOSE || form != Form.LINE || isReplay;
  }

  /// Tells what is lost in every run of this user, since they asked for it by name.
  public TextReport tellingUsual() {
    tellsUsual = true;
    return this;
  }

  /// Tells a run that is over, as it was told then.
  public static void tell(SavedRun run, Screen screen, Form form) {
    TextReport report = new TextReport(screen, Detail.NORMAL, form, 0, true);
    if (form != Form.LINE && !run.origin().isEmpty()) {
      screen.lines(wrap(run.origin(), report.columns()));
    }
    report.failuresTold = (int) Math.min(run.failed() - run.failures().size(), 1_000_000_000);
    report.differing = run.differing();
    run.events().forEach(report::on);
  }

  static String sentence(SavedRun run) {
    return String.join("; ", parts(run.result(), run.differing(), true, false));
  }

  @Override
  public void on(Event event, SessionName of) {
    isListening |= event instanceof Event.Listening;
    boolean isOver = isListening && of != null && event instanceof Event.Finished;
    session = isOver ? Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + of.peer() + " " : "";
    on(event);
  }

  @Override
  public void on(Event event) {
    // Not a switch over the sealed type: no AOT cache holds what it is made of at run time, which
    // costs each process 3 ms.
    if (event instanceof Event.FileFailed failed) {
      differing += failed.failure().exitCode() == ExitCode.INTEGRITY ? 1 : 0;
      fail(failed.failure());
    } else if (event instanceof Event.Failed failed) {
      fail(failed.failure());
    } else if (event instanceof Event.Declined declined) {
      if (detail.isQuiet()) {
        screen.line(PREFIX + declined(declined));
      } else if (detail == Detail.NORMAL) {
        losses.add(PREFIX + declined(declined));
      }
    } else if (detail.isQuiet()) {
      return;
    } else if (event instanceof Event.Noted noted) {
      if (!noted.isUsual() || tellsUsual) {
        screen.line(PREFIX + noted.message());
      }
    } else if (event instanceof Event.Interrupted interrupted) {
      screen.line(PREFIX + interrupted.message());
    } else if (event instanceof Event.Skipped skipped) {
      if (!skipped.summedUp() || detail == Detail.VERBOSE) {
        screen.line(PREFIX + skipped.name() + ": " + skipped.reason());
      }
    } else if (event instanceof Event.Lost lost) {
      if (!lost.isUsual() || tellsUsual) {
        losses.add(PREFIX + lost.sentence());
      }
    } else if (event instanceof Event.Finished finished) {
      List<String> lines = ending(finished.result());
      if (!lines.isEmpty()) {
        screen.lines(lines);
      }
    } else if (detail == Detail.VERBOSE) {
      tellMore(event);
    }
  }

  @Override
  public boolean hearsEachFile() {
    return detail == Detail.VERBOSE;
  }

  private void fail(Failure failure) {
    String line = PREFIX + failure.getMessage();
    if (!isReplay) {
      screen.line(line);
    }
    failuresTold++;
    if (failures.size() < FAILURES_MAX) {
      failures.add(line);
    }
  }

  /// What went wrong comes last: it is what a person reads.
  private List<String> ending(Result result) {
    List<String> lines = new ArrayList<>();
    if (isWorthASummary(result)) {
      lines.addAll(summary(result));
    } else if (!session.isEmpty()) {
      lines.add(session + "nothing was transferred (exit code " + result.exitCode().number() + ")");
    }
    boolean isAnyLatency = !lines.isEmpty() && areLatenciesTold(result);
    if (isAnyLatency) {
      lines.addAll(latencies(result));
      addPauses(lines, result);
    }
    if (!lines.isEmpty()) {
      lines.addAll(worst(result));
    }
    if (isAnyLatency && !(losses.isEmpty() && failures.isEmpty())) {
      lines.add("");
    }
    lines.addAll(losses);
    if (isAnyLatency || isReplay) {
      lines.addAll(failures);
      if (failuresTold > failures.size()) {
        String more = Prose.count(failuresTold - failures.size(), "failure");
        lines.add(PREFIX + "and " + more + " more" + (isReplay ? "" : ", told above"));
      }
    }
    losses.clear();
    failures.clear();
    failuresTold = 0;
    return lines;
  }

  /// A few samples have no distribution, and what a dry run did is not what was asked for.
  private boolean areLatenciesTold(Result result) {
    if (result.tree().plan() != null || form == Form.LINE) {
      return false;
    }
    boolean isAny = isAllWanted() && !result.stages().isEmpty();
    return isAny || isDistributed(result.stages()) || isDistributed(result.findings().peerStages());
  }

  private boolean isAllWanted() {
    return detail == Detail.VERBOSE || form == Form.FULL;
  }

  private static boolean isDistributed(Map<Stage, Latencies> stages) {
    return stages.values().stream().anyMatch(each -> each.count() >= LatencyTable.SAMPLES_MIN);
  }

  private void tellMore(Event event) {
    if (event instanceof Event.Connected connected) {
      String whichDiscards = connected.link().discards() ? "; what is sent is discarded" : "";
      String by = connected.link().isEncrypted() ? " by " + connected.link().encryptedBy() : "";
      screen.line("connected to " + connected.link().peer() + by + whichDiscards);
    } else if (event instanceof Event.FileDone done) {
      screen.line(done.name() + ": " + arrival(done));
    } else if (event instanceof Event.Kept kept) {
      screen.line(PREFIX + kept.name() + ": " + kept.reason());
    } else if (event instanceof Event.Deleted deleted) {
      screen.line(deleted.name() + ": deleted");
    }
  }

  private static boolean isWorthASummary(Result result) {
    EntryCounts entries = result.tree().entries();
    boolean isDone = result.session() == null && result.exitCode() == ExitCode.OK;
    return isDone
        || result.filesDone() > 0
        || result.filesFailed() > 1
        || result.bytes() > 0
        || result.tree().plan() != null
        || entries.isAnyMade()
        || entries.kept() > 0
        || entries.corrected() > 0
        || entries.deleted() > 0;
  }

  /// `123 symbolic links left out, the first a/b: the receiver takes none`.
  static String declined(Event.Declined declined) {
    if (declined.entries() == 1) {
      return declined.firstName() + ": left out: " + declined.reason();
    }
    String what =
        Prose.grouped(declined.entries()) + " " + declined.what() + " left out, the first ";
    return what + declined.firstName() + ": " + declined.reason();
  }

  /// `1.00 GiB, 3.11 GiB/s, transferTo`.
  private static String arrival(Event.FileDone done) {
    String size = new ByteSize(done.bytes()).toString();
    if (done.bytes() == 0) {
      return size;
    }
    String rate = new Rate(done.bytes(), done.elapsedNs()).toString();
    return size + ", " + rate + ", " + Prose.list(names(done.ran()));
  }

  private List<String> summary(Result result) {
    List<String> lines = new ArrayList<>(whatWasDone(result));
    if (form == Form.LINE) {
      if (result.elapsedNs() >= VERDICT_NS_MIN) {
        lines.addAll(verdict(result));
      }
      return lines;
    }
    if (result.session() != null) {
      lines.addAll(sessionOf(result));
    }
    for (Ran ran : result.ran()) {
      if (!ran.fellBackBecause().isEmpty()) {
        lines.addAll(wrap(fallBack(ran)));
      }
    }
    ProcessUsage usage = result.process().usage();
    if (isAllWanted() && usage != null) {
      lines.addAll(wrap(process(usage)));
    }
    lines.addAll(verdict(result));
    return lines;
  }

  /// What limited it. That it is not known is told only to those who ask for it.
  private List<String> verdict(Result result) {
    Bottleneck found = result.findings().bottleneck();
    List<String> lines = new ArrayList<>();
    if (found == null || found.isTooShort() || result.filesDone() == 0) {
      return lines;
    }
    if (!found.isKnown() && found.advice().isEmpty() && !isAllWanted() && !isReplay) {
      return lines;
    }
    lines.addAll(wrap(found.sentence()));
    if (!found.advice().isEmpty()) {
      lines.addAll(wrap(found.advice()));
    }
    return lines;
  }

  /// One table for the stages of both ends, that of the sender first, and the picture of those of
  /// this end that have a distribution.
  private List<String> latencies(Result result) {
    WorkSide side = result.side();
    List<StageRow> rows = LatencyTable.rows(result.stages(), side, isAllWanted());
    List<StageRow> theirs =
        LatencyTable.rows(result.findings().peerStages(), side.other(), isAllWanted());
    rows.addAll(side == WorkSide.RECEIVER ? 0 : rows.size(), theirs);
    int stagesMax = form == Form.FULL ? rows.size() : LatencyTable.STAGES_MAX;
    LatencyTable table = new LatencyTable(rows, result.elapsedNs(), screen.isUnicode());
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(table.lines(screen.columns(), stagesMax));
    Map<Stage, Latencies> distributed = new LinkedHashMap<>(result.stages());
    distributed.values().removeIf(each -> each.count() < LatencyTable.SAMPLES_MIN);
    if (form == Form.FULL && !distributed.isEmpty()) {
      lines.add("");
      lines.addAll(LatencyPicture.lines(distributed, side, screen.isUnicode(), screen.columns()));
    }
    return lines;
  }

  private List<String> worst(Result result) {
    List<WorstOperation> worst = result.findings().worst();
    if (worst.isEmpty() || worstMax == 0) {
      return List.of();
    }
    Table table = new Table().right("slowest").left("stage", "side");
    table.right("bytes", "offset").left("began", "file");
    for (WorstOperation each : worst) {
      List<String> cells =
          List.of(
              LatencyTable.time(each.elapsedNs(), screen.isUnicode()),
              each.stage().label(each.side()),
              each.side().word(),
              each.bytes() == 0 ? "-" : new ByteSize(each.bytes()).toString(),
              each.offset() < 0 ? "-" : Long.toString(each.offset()),
              LatencyTable.moment(each.startedMs()));
      table.row(Table.Mark.NONE, cells, each.path().isEmpty() ? "-" : each.path());
    }
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(table.lines(screen.columns()));
    return lines;
  }

  private List<String> sessionOf(Result result) {
    Session session = result.session();
    List<String> lines = new ArrayList<>();
    if (!session.proof().isEmpty() && result.filesDone() > 0) {
      String level = result.verified().label();
      lines.addAll(wrap("verified: " + level + " (" + session.proof() + ")"));
    }
    addBytes(lines, "already there: ", session.bytesThere(), "");
    addBytes(lines, "resumed: ", bytesFoundInPart(session), " not sent again");
    addBytes(lines, "from former versions there: ", session.bytesReused(), "");
    addBytes(lines, "sent again: ", session.bytesResent(), "");
    Compressed compressed = session.compressed();
    if (compressed.bytes() > 0) {
      String to = new ByteSize(compressed.bytes()) + " to " + new ByteSize(compressed.toBytes());
      double ratio = (double) compressed.bytes() / compressed.toBytes();
      lines.add("compressed: " + to + " (" + Math.round(10 * ratio) / 10.0 + " to 1)");
    } else if (!compressed.whyNot().isEmpty() && detail == Detail.VERBOSE) {
      lines.addAll(wrap("compressed: nothing (" + compressed.whyNot() + ")"));
    }
    if (session.bytesDirect() > 0) {
      String direct = new ByteSize(session.bytesDirect()) + " by TLS 1.3, the rest by ssh";
      lines.addAll(wrap("direct: " + direct));
    }
    if (session.link().isEncrypted()) {
      lines.add("encrypted: " + session.link().encryptedBy());
    }
    SocketBuffer buffer = session.link().buffer();
    if (buffer.isAsked() || detail == Detail.VERBOSE) {
      lines.addAll(wrap(bufferOf(buffer)));
    }
    if (!session.congestion().isEmpty()) {
      lines.addAll(wrap("congestion control: " + session.congestion()));
    }
    return lines;
  }

  /// `copied 3 files, 1.20 GiB in 412 ms (2.91 GiB/s) by transferTo; verified: none`, in more lines
  /// if one would be too long.
  private List<String> whatWasDone(Result result) {
    List<String> parts = parts(result, differing, screen.isUnicode(), form == Form.LINE);
    parts.set(0, session + parts.getFirst());
    String first = parts.getFirst();
    String all = String.join("; ", parts);
    int columns = columns();
    if (!session.isEmpty()) {
      return List.of(all);
    }
    if (all.length() <= columns || first.length() >= columns) {
      return wrap(all, columns);
    }
    List<String> lines = new ArrayList<>(List.of(first + ";"));
    wrap(String.join("; ", parts.subList(1, parts.size())), columns - 2)
        .forEach(line -> lines.add("  " + line));
    return lines;
  }

  /// Tells one more thing, below what it told before.
  public static void tell(String sentence, Screen screen) {
    screen.lines(wrap(sentence, columns(screen)));
  }

  private int columns() {
    return columns(screen);
  }

  private static int columns(Screen screen) {
    return Math.clamp(screen.columns(), COLUMNS_MIN, COLUMNS);
  }

  private List<String> wrap(String text) {
    return wrap(text, columns());
  }

  /// As [Prose#wrap(String, int)], and no number is parted from its unit.
  private static List<String> wrap(String text, int columns) {
    StringBuilder unbroken = new StringBuilder(text);
    for (int i = 1; i < text.length(); i++) {
      if (text.charAt(i) == ' ' && Character.isDigit(text.charAt(i - 1))) {
        unbroken.setCharAt(i, NO_BREAK);
      }
    }
    List<String> lines = Prose.wrap(unbroken.toString(), columns);
    lines.replaceAll(line -> line.replace(NO_BREAK, ' '));
    return lines;
  }

  /// What was done, and what is to be said beside it.
  ///
  /// @param isBrief without how it was done, and without what is not worth a line
  private static List<String> parts(
      Result result, int differing, boolean unicode, boolean isBrief) {
    Plan plan = result.tree().plan();
    List<String> rest = new ArrayList<>();
    rest.add(plan == null ? moved(result, unicode, isBrief) : planned(plan));
    // What differs was compared, and only what could not be has failed.
    int differ = result.command().equals("compare") ? differing : 0;
    addCount(rest, differ, differ == 1 ? " differs" : " differ");
    if (result.filesFailed() > differ) {
      int failed = result.filesFailed() - differ;
      rest.add(Prose.grouped(failed) + (failed == 1 ? " entry" : " entries") + " failed");
    }
    if (plan != null) {
      addCount(rest, plan.replaced(), " replaced");
    }
    EntryCounts left = plan == null ? result.tree().entries() : plan.entries();
    addCount(rest, left.corrected(), " corrected");
    if (left.kept() > 0) {
      rest.add(Prose.count(left.kept(), "file") + " kept");
    }
    addCount(rest, left.skipped(), " skipped");
    addCount(rest, left.deleted(), " deleted");
    // If there is a proof, the level stands with it in a line of its own.
    boolean isTold = isBrief || result.session() != null && !result.session().proof().isEmpty();
    if (result.filesDone() > 0 && differ == 0 && !isTold) {
      rest.add("verified: " + result.verified().label());
    }
    if (isBrief && result.session() != null) {
      Session session = result.session();
      addBytes(rest, "", session.bytesThere(), " there already");
      addBytes(rest, "", bytesFoundInPart(session), " resumed");
      addBytes(rest, "", session.bytesReused(), " from former versions there");
      addBytes(rest, "", session.bytesResent(), " sent again");
    }
    long durable = result.tree().bytesDurable();
    if (durable >= 0 && plan == null) {
      String share = durable >= result.bytes() ? "all" : new ByteSize(durable) + " of it";
      rest.add(share + " on the device");
    }
    if (result.filesDone() > 0 && result.isDiscarded() && result.command().equals("send")) {
      rest.add("discarded by the receiver");
    }
    if (plan != null) {
      rest.add("nothing was done, as --dry-run asks");
    }
    return rest;
  }

  /// Without files that were there, and former versions.
  private static long bytesFoundInPart(Session session) {
    return session.bytesResumed() - session.bytesThere() - session.bytesReused();
  }

  private static void addBytes(List<String> to, String before, long bytes, String after) {
    if (bytes > 0) {
      to.add(before + new ByteSize(bytes) + after);
    }
  }

  private static void addCount(List<String> to, long count, String what) {
    if (count > 0) {
      to.add(Prose.grouped(count) + what);
    }
  }

  private static String moved(Result result, boolean unicode, boolean isBrief) {
    StringBuilder text = new StringBuilder(done(result));
    List<String> what = new ArrayList<>();
    String size = new ByteSize(result.bytes()) + onTheWire(result);
    if (result.filesDone() > 0) {
      what.add(Prose.count(result.filesDone(), "file"));
      what.add(size);
    } else if (result.bytes() > 0) {
      what.add(size + " but no whole file");
    }
    if (!isBrief || what.isEmpty()) {
      addEntries(what, result.tree().entries());
    }
    String elapsed = " in " + time(result.elapsedNs(), unicode);
    text.append(what.isEmpty() ? " nothing" : " " + String.join(", ", what) + elapsed);
    if (result.bytes() > 0) {
      text.append(" (").append(new Rate(result.bytes(), result.elapsedNs()));
      if (!isBrief && result.filesDone() >= FILES_RATED_MIN) {
        text.append(", ").append(filesPerSecond(result));
      }
      text.append(')');
    }
    if (isBrief) {
      return text.append(proved(result)).toString();
    }
    if (result.session() != null && result.session().connections() > 1) {
      text.append(" over ").append(Prose.count(result.session().connections(), "connection"));
    }
    if (!result.ran().isEmpty()) {
      text.append(" by ").append(Prose.list(names(result.ran())));
    }
    return text.toString();
  }

  /// ` as 1.90 MiB`, if compression made a difference to three digits. What was compressed for a
  /// connection that was lost may be more than has arrived: then nobody can say.
  private static String onTheWire(Result result) {
    Compressed compressed =
        result.session() == null ? Compressed.NOTHING : result.session().compressed();
    long savedBytes = compressed.bytes() - compressed.toBytes();
    boolean isSeen =
        savedBytes > 0 && savedBytes >= result.bytes() / 1000 && savedBytes < result.bytes();
    return isSeen ? " as " + new ByteSize(result.bytes() - savedBytes) : "";
  }

  /// `, verified: SHA-256`, or the level where no digest proved it.
  private static String proved(Result result) {
    if (result.filesDone() == 0 || result.verified() == Level.NONE) {
      return "";
    }
    List<String> digests = new ArrayList<>();
    if (result.verified() == Level.WIRE && result.session() != null) {
      digests.addAll(List.of("SHA-256", "CRC32C"));
      digests.removeIf(digest -> !result.session().proof().contains(digest));
    }
    boolean isLevel = digests.isEmpty();
    return ", verified: " + (isLevel ? result.verified().label() : Prose.list(digests));
  }

  private static String planned(Plan plan) {
    List<String> what = new ArrayList<>();
    if (plan.files() > 0) {
      what.add(Prose.count(plan.files(), "file"));
      what.add(new ByteSize(plan.bytes()).toString());
    }
    addEntries(what, plan.entries());
    return "would copy " + (what.isEmpty() ? "nothing" : String.join(", ", what));
  }

  private static void addEntries(List<String> what, EntryCounts entries) {
    addCount(
        what, entries.directories(), entries.directories() == 1 ? " directory" : " directories");
    if (entries.symlinks() + entries.hardLinks() > 0) {
      what.add(Prose.count(entries.symlinks() + entries.hardLinks(), "link"));
    }
    if (entries.specials() > 0) {
      what.add(Prose.count(entries.specials(), "special file"));
    }
  }

  /// `71,200 files/s`, to three significant figures.
  private static String filesPerSecond(Result result) {
    long perSecond = Math.round(result.filesDone() * 1e9 / Math.max(1, result.elapsedNs()));
    long unit = 1;
    while (perSecond / unit >= 1000) {
      unit *= 10;
    }
    return Prose.grouped((perSecond + unit / 2) / unit * unit) + " files/s";
  }

  /// `process: 812 ms user, 1.20 s system; context switches: 5,301 voluntary, 77 involuntary; 420
  /// system calls that read, 401 that wrote; 12.0 MiB read from a device`.
  private String process(ProcessUsage usage) {
    String text = "process: " + time(usage.userNs()) + " user, " + time(usage.systemNs());
    text += " system; context switches: " + Prose.grouped(usage.voluntarySwitches());
    text += " voluntary, " + Prose.grouped(usage.involuntarySwitches()) + " involuntary";
    if (usage.majorFaults() > 0) {
      text += "; " + Prose.count(usage.majorFaults(), "page fault") + " that waited for a device";
    }
    if (usage.readCalls() >= 0 && usage.writeCalls() >= 0 && usage.deviceReadBytes() >= 0) {
      text += "; " + Prose.count(usage.readCalls(), "system call") + " that read, ";
      text += Prose.grouped(usage.writeCalls()) + " that wrote; ";
      text += new ByteSize(usage.deviceReadBytes()) + " read from a device";
    }
    return text;
  }

  /// How much of the tail above was not the fault of a disk or a peer.
  private void addPauses(List<String> lines, Result result) {
    Pauses pauses = result.process().pauses();
    if (pauses == null || pauses.count() == 0) {
      return;
    }
    String samples =
        pauses.samplesOverlapped() == 0
            ? "no operation above includes one"
            : "they are part of " + partOfTail(result);
    String what = "this process stood still for " + time(pauses.totalNs()) + " in ";
    what += Prose.count(pauses.count(), "pause") + ", at most " + time(pauses.maxNs());
    what += " each (a collection of garbage, a signal, or no free processor); " + samples;
    lines.add("");
    lines.addAll(wrap(what));
  }

  /// How many of the operations that a pause could be part of include one.
  static String partOfTail(Result result) {
    return Prose.grouped(result.process().pauses().samplesOverlapped())
        + " of the "
        + Prose.count(result.slowSamples(), "operation")
        + " that took 10 ms or longer";
  }

  private static String fallBack(Ran ran) {
    String what = "fell back to " + ran.strategy() + " for " + new ByteSize(ran.bytes());
    return what + " (" + ran.fellBackBecause() + ")";
  }

  private String time(long elapsedNs) {
    return time(elapsedNs, screen.isUnicode());
  }

  private static String time(long elapsedNs, boolean unicode) {
    String text = new Elapsed(elapsedNs).toString();
    return unicode ? text : text.replace('µ', 'u');
  }

  private static String bufferOf(SocketBuffer buffer) {
    String given = new ByteSize(buffer.givenBytes()) + " given";
    String what =
        buffer.isAsked()
            ? new ByteSize(buffer.askedBytes()) + " asked, " + given
            : given + " at first";
    String why = buffer.isAsked() ? "Linux doubles it" : "the kernel tunes it";
    return "socket buffer: " + what + " (" + buffer.option() + "; " + why + ")";
  }

  private static String done(Result result) {
    return switch (result.command()) {
      case "compare" -> "compared";
      case "copy" -> "copied";
      case "send" -> "sent";
      case "receive" -> result.isDiscarded() ? "discarded" : "received";
      default -> result.command() + ":";
    };
  }

  private static List<String> names(List<Ran> all) {
    return all.stream().map(Ran::strategy).distinct().toList();
  }

  public enum Form {
    /// What was done.
    LINE,
    /// And how, with the latencies of the stages that took longest.
    TABLE,
    /// And how, with the latencies of all stages, and a picture of them.
    FULL
  }

  public enum Detail {
    /// Failures only: `-q`.
    QUIET,
    /// Failures only, beside the names of what is copied, which are on standard output: `-q -v`.
    NAMES,
    /// Failures, notes, the summary and the latencies.
    NORMAL,
    /// A line for each peer and each finished file besides: `-v`.
    VERBOSE;

    public boolean isQuiet() {
      return this == QUIET || this == NAMES;
    }
  }
}
