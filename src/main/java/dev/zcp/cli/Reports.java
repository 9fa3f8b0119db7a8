package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Prose;
import dev.zcp.core.RawPath;
import dev.zcp.insight.CommandEnvironment.Consent;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.Live;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.HistogramLog;
import dev.zcp.insight.Result;
import dev.zcp.linux.Signals;
import dev.zcp.plan.Shard;
import dev.zcp.plan.ShardResult;
import dev.zcp.report.JsonReport;
import dev.zcp.report.Metrics;
import dev.zcp.report.OutputLines;
import dev.zcp.report.Progress;
import dev.zcp.report.ReportFile;
import dev.zcp.report.RunRecorder;
import dev.zcp.report.Screen;
import dev.zcp.report.TextReport;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.report.TextReport.Form;
import dev.zcp.report.Throughput;
import dev.zcp.ssh.Deployment;
import dev.zcp.ssh.ServeRequest.ReportOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Everyone who hears what a command does, and what remains to be done when it is over.
final class Reports implements Listener {

  /// The user has not said how many of the slowest operations to tell.
  static final int NOT_SAID = -1;

  /// A program can pass over what it does not want; a person did not ask for it.
  private static final int WORST_IN_JSON = 10;

  /// About what a message keeps in memory, with the exception that it tells of.
  private static final int MESSAGE_BYTES = 2_000;

  private final ReportRequest request;
  private final Shell shell;
  private final Screen screen;
  private final PrintQueue printing;

  /// In the order in which they hear of an event, on the thread that prints.
  private final List<Listener> listeners = new ArrayList<>();

  /// Null if nothing that is written has the rate over time. It looks at the clock, so it hears of
  /// an event at once.
  private final Throughput throughput;

  /// Null if neither a page of the run is wanted nor the run itself.
  private final RunRecorder recorder;

  private final Shard shard;

  private final long startedMs = System.currentTimeMillis();

  /// How many names were left out since the last message that said so.
  private final AtomicLong namesLeftOut = new AtomicLong();

  // Both belong to the thread that prints, until all is printed.

  /// Why a file of the report, or the result of a shard, could not be written, as was told; else
  /// OK.
  private ExitCode unwritten = ExitCode.OK;

  /// What failed since whoever read standard output has left, which is not told; or null.
  private Failure readerLeft;

  Reports(ReportRequest request, Shell shell) {
    this(request, shell, null);
  }

  /// @param shard the one whose copy is reported, and whose result is kept; or null
  Reports(ReportRequest request, Shell shell, Shard shard) {
    this.request = request;
    this.shard = shard;
    this.shell = shell;
    this.screen = shell.screen();
    this.printing = shell.printing();
    boolean isCourseWanted = request.json() || request.page() != null;
    boolean isRecorded = request.page() != null || request.last() != null;
    this.throughput =
        isCourseWanted ? new Throughput() : isRecorded ? new Throughput(LastRun.STEP_NS) : null;
    this.recorder = isRecorded ? new RunRecorder(throughput) : null;
    if (request.json()) {
      listeners.add(new JsonReport(shell.out(), throughput, shell.runContext()));
    } else {
      listeners.add(
          new OutputLines(
              request.dataOnStandardOutput() ? shell.err() : shell.out(),
              request.detail() == Detail.NAMES));
    }
    if (request.progress().isWanted(request.detail().isQuiet(), shell)) {
      listeners.add(new Progress(screen));
    }
    TextReport text =
        new TextReport(screen, request.detail(), request.form(), Math.max(0, request.worst()));
    listeners.add(request.tellsUsual() ? text.tellingUsual() : text);
  }

  /// Who sees how zcp is put on another machine.
  Deployment.View deployments() {
    return new DeploymentView();
  }

  /// Whom to ask, below what is told.
  Consent consent() {
    Question question = new Question(screen, shell.in(), shell.isDialogue());
    return asked -> {
      printing.await();
      return question.isGiven(asked);
    };
  }

  /// Waits until all is told, and says goodbye to the terminal.
  ///
  /// @return the exit code of the process: that of the transfer, unless it is fine and a file of
  ///   the report could not be written
  /// @throws Failure DESTINATION if whoever read standard output has left
  ExitCode finish(Result result) throws Failure {
    shell.awaitPrinted();
    screen.close();
    if (readerLeft != null) {
      throw readerLeft;
    }
    ExitCode code = result.exitCode() == ExitCode.OK ? unwritten : result.exitCode();
    if (code != ExitCode.OK) {
      // The cause of that is told already, and standard output may have failed for the same one.
      shell.out().flush();
    }
    return code;
  }

  @Override
  public void on(Event event) {
    on(event, null);
  }

  @Override
  public void on(Event event, SessionName session) {
    // What fails once a signal ends the process fails because of it.
    if (Signals.isEnding()
        && (event instanceof Event.Failed || event instanceof Event.FileFailed)) {
      return;
    }
    if (throughput != null) {
      throughput.on(event, session);
    }
    String name = nameOf(event);
    if (name == null) {
      printing.add(MESSAGE_BYTES, () -> hear(event, session));
    } else if (isTold(event)
        && !printing.addIfRead(2 * name.length(), () -> hear(event, session))) {
      namesLeftOut.incrementAndGet();
    }
    if (event instanceof Event.Interrupted) {
      printing.await();
    }
  }

  /// Null if it is not one of very many.
  private static String nameOf(Event event) {
    return event instanceof Event.OfEntry entry
        ? entry.name()
        : event instanceof Event.Skipped skipped && skipped.summedUp() ? skipped.name() : null;
  }

  /// Whether something is printed of this event, which is one of very many.
  private boolean isTold(Event event) {
    return event instanceof Event.Placed
        ? request.detail() == Detail.NAMES && !request.json()
        : !(event instanceof Event.FileStarted)
            && (request.json() || request.detail() == Detail.VERBOSE);
  }

  private void hear(Event event, SessionName session) {
    if (event instanceof Event.Interrupted && shell.isTerminal()) {
      screen.breakOff();
    }
    Failure cause =
        event instanceof Event.Failed failed
            ? failed.failure()
            : event instanceof Event.FileFailed failed ? failed.failure() : null;
    if (cause != null && Shell.isOfReaderThatLeft(cause)) {
      readerLeft = cause;
    }
    if (readerLeft != null) {
      return;
    }
    if (event instanceof Event.Finished || event instanceof Event.Interrupted) {
      tellWhatWasLeftOut(session);
    }
    tell(event, session);
    if (event instanceof Event.Listening listening && !request.detail().isQuiet()) {
      tellHow(listening);
    }
    if (event instanceof Event.Finished finished) {
      writeFiles(finished, session);
    }
    if (event instanceof Event.Finished finished && shard != null) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      new JsonReport(new PrintStream(line, false, StandardCharsets.UTF_8)).on(event);
      try {
        ShardResult.write(shard, Instant.ofEpochMilli(startedMs), line.toByteArray());
      } catch (Failure failure) {
        boolean isCopied = finished.result().exitCode() == ExitCode.OK;
        String how = isCopied ? "the shard is copied, but its plan" : "its plan";
        tellUnwritten(failure.with(how + " does not know of it"));
      }
    }
  }

  /// What a person is to do there; a program needs no more than the URL, unless there are details.
  private void tellHow(Event.Listening listening) {
    if (!shell.isTerminal() && listening.details().isEmpty()) {
      return;
    }
    String where = listening.isLocal() ? "on this machine: " : "on the other machine: ";
    screen.line(where + listening.command());
    List<String> others = listening.hosts().subList(1, listening.hosts().size());
    if (!others.isEmpty()) {
      screen.line("other addresses of this machine: " + String.join(", ", others));
    }
    listening.details().forEach(screen::line);
  }

  private void tellWhatWasLeftOut(SessionName session) {
    long names = namesLeftOut.getAndSet(0);
    if (names == 0) {
      return;
    }
    String message = Prose.count(names, "name") + " not shown, since nobody read what was printed";
    tell(new Event.Noted(message), session);
    if (request.detail().isQuiet()) {
      screen.line("zcp: " + message);
    }
  }

  private void tell(Event event, SessionName session) {
    if (recorder != null) {
      recorder.on(event, session);
    }
    for (Listener each : listeners) {
      each.on(event, session);
    }
  }

  private void writeFiles(Event.Finished finished, SessionName session) {
    Result result = finished.result();
    if (recorder != null) {
      boolean isKept = request.last() != null && result.elapsedNs() >= LastRun.NS_MIN;
      if (request.page() != null || isKept) {
        record(recorder.lines(finished, session, shell.runContext()), result, isKept);
      } else {
        recorder.forget(session);
      }
    }
    if (throughput != null) {
      throughput.forget(session);
    }
    RawPath histogram = request.histogram();
    if (histogram != null) {
      write(HistogramLog.of(result, histogram.toPath()), histogram, "the histograms", result);
    }
    RawPath metrics = request.metrics();
    if (metrics != null) {
      write(Metrics.of(result, finished.endedMs()), metrics, "the metrics", result);
    }
  }

  private void record(byte[] lines, Result result, boolean isKept) {
    if (request.page() != null) {
      try {
        write(RunRecorder.page(lines), request.page(), "the page", result);
      } catch (Failure failure) {
        tellUnwritten(failure, result);
      }
    }
    if (isKept
        && LastRun.keep(lines, request.last().toPath())
        && request.form() == Form.LINE
        && !request.json()
        && !request.detail().isQuiet()) {
      TextReport.tell("'zcp report " + LastRun.WORD + "' shows where the time went", screen);
    }
  }

  private void write(byte[] content, RawPath file, String what, Result result) {
    try {
      ReportFile.write(content, file.toPath(), what);
    } catch (Failure failure) {
      tellUnwritten(failure, result);
    }
  }

  private void tellUnwritten(Failure failure, Result result) {
    boolean isComplete = result.exitCode() == ExitCode.OK;
    tellUnwritten(isComplete ? failure.with("the transfer is complete") : failure);
  }

  private void tellUnwritten(Failure failure) {
    screen.line("zcp: " + failure.getMessage());
    unwritten = failure.exitCode();
  }

  /// Makes sure that the lines that a program reads were written.
  @Override
  public void requireHeard() throws Failure {
    printing.await();
    shell.finish();
    if (request.dataOnStandardOutput() && shell.err().checkError()) {
      throw Failure.of(ExitCode.DESTINATION, "standard error", "cannot be written");
    }
  }

  @Override
  public boolean hearsEachFile() {
    for (Listener each : listeners) {
      if (each.hearsEachFile()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int worstWanted() {
    return request.worst() == NOT_SAID && request.json()
        ? WORST_IN_JSON
        : Math.max(0, request.worst());
  }

  @Override
  public boolean wantsTotals() {
    for (Listener each : listeners) {
      if (each.wantsTotals()) {
        return true;
      }
    }
    return false;
  }

  /// How a transfer is to be reported.
  ///
  /// @param json events on standard output; never together with `dataOnStandardOutput`
  /// @param histogram where to write the latencies, or null
  /// @param metrics where to write the metrics, or null
  /// @param worst of how many of the slowest operations to tell what they were, or [#NOT_SAID]
  /// @param page where to write a page for a browser, or null
  /// @param last where to keep the run for `zcp report last`, or null
  /// @param dataOnStandardOutput whether standard output carries the bytes of a file and nothing
  ///   else may
  record ReportRequest(
      Detail detail,
      boolean json,
      Form form,
      ProgressWhen progress,
      RawPath histogram,
      RawPath metrics,
      int worst,
      RawPath page,
      RawPath last,
      boolean dataOnStandardOutput,
      boolean tellsUsual) {

    /// What another machine's zcp needs to know to report to the user of this one.
    ReportOptions forOther(Shell shell) {
      return new ReportOptions(
          detail.isQuiet(),
          detail == Detail.VERBOSE,
          json,
          progress.isWanted(detail.isQuiet(), shell),
          shell.isUnicode(),
          shell.columns(),
          form.ordinal(),
          tellsUsual);
    }

    /// The request of a user at another machine.
    static ReportRequest of(ReportOptions report) {
      return withoutFiles(
          report.quiet() ? Detail.QUIET : report.verbose() ? Detail.VERBOSE : Detail.NORMAL,
          report.json(),
          Form.values()[report.form()],
          report.progress() ? ProgressWhen.ALWAYS : ProgressWhen.NEVER,
          report.tellsUsual());
    }

    /// Of a run that no file tells of.
    static ReportRequest withoutFiles(
        Detail detail, boolean json, Form form, ProgressWhen progress, boolean tellsUsual) {
      return new ReportRequest(
          detail, json, form, progress, null, null, NOT_SAID, null, null, false, tellsUsual);
    }
  }

  enum ProgressWhen {
    AUTO,
    ALWAYS,
    NEVER;

    /// What the option says without a value, as that of rsync(1) and curl(1) does.
    static final String ALWAYS_WORD = "always";

    static ProgressWhen of(Option option) throws Failure {
      return !Options.isKnown(option) ? AUTO : Options.constant(option, values());
    }

    boolean isWanted(boolean quiet, Shell shell) {
      return this == ALWAYS || this == AUTO && !quiet && shell.isTerminal();
    }
  }

  /// Shows how zcp is put on another machine, as it shows a transfer.
  private final class DeploymentView implements Deployment.View {

    private final Progress progress = new Progress(screen);

    @Override
    public boolean isAgreed(String question) {
      return consent().isGiven(question);
    }

    @Override
    public void begin(String what, long bytes, LongSupplier sentBytes) {
      if (request.progress().isWanted(request.detail().isQuiet(), shell)) {
        printing.await();
        progress.on(
            new Event.Started(
                "",
                "",
                1,
                bytes,
                () -> new Live(sentBytes.getAsLong(), -1, -1, 0, 1, bytes, what)));
      }
    }

    @Override
    public void end() {
      progress.end();
    }

    @Override
    public void tell(String message) {
      on(new Event.Noted(message));
    }
  }

  /// Asks on standard error, one question at a time: whoever asks meanwhile waits.
  ///
  /// The answer is a line. `y` and `yes` are yes, whatever the locale and the case; all else is no,
  /// and so is the end of the input.
  static final class Question implements Consent {

    /// What a terminal takes as one line: termios(3).
    private static final int LINE_BYTES_MAX = 4096;

    private static final int END = -1;

    private final Screen screen;
    private final InputStream in;
    private final boolean isDialogue;

    /// @param isDialogue whether a terminal shows what is typed after the question. If not, the
    ///   question is a line of its own.
    Question(Screen screen, InputStream in, boolean isDialogue) {
      this.screen = screen;
      this.in = in;
      this.isDialogue = isDialogue;
    }

    @Override
    public synchronized boolean isGiven(String question) {
      String asked = "zcp: " + question + " (y/n)";
      if (isDialogue) {
        screen.ask(asked + " ");
      } else {
        screen.line(asked);
      }
      boolean ended = false;
      try {
        StringBuilder line = new StringBuilder();
        ended = !read(line);
        String answer = line.toString().strip();
        return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
      } catch (IOException e) {
        // Such as a terminal that hung up: nobody is there any more.
        return false;
      } finally {
        if (isDialogue) {
          screen.answered(!ended);
        }
      }
    }

    private boolean read(StringBuilder line) throws IOException {
      for (int b = in.read(); b != END; b = in.read()) {
        if (b == '\n') {
          return true;
        }
        if (line.length() < LINE_BYTES_MAX) {
          line.append((char) b);
        }
      }
      return false;
    }
  }
}
