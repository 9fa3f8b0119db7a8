package dev.zcp.cli;

import dev.zcp.core.Consent;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.insight.Event;
import dev.zcp.insight.HistogramLog;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Result;
import dev.zcp.report.JsonReport;
import dev.zcp.report.Listeners;
import dev.zcp.report.OutputLines;
import dev.zcp.report.Progress;
import dev.zcp.report.Screen;
import dev.zcp.report.TextReport;
import dev.zcp.report.TextReport.Detail;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/// Everyone who hears what a command does, and what remains to be done when it is over.
final class Reports {

  private final Shell shell;
  private final Screen screen;
  private final Listener listener;

  /// Why the latencies could not be written; null while they could.
  private Failure histogramFailure;

  private Reports(ReportRequest request, Shell shell) {
    this.shell = shell;
    this.screen = new Screen(shell.err(), shell.isUnicode());
    List<Listener> all = new ArrayList<>();
    if (request.json()) {
      all.add(new JsonReport(shell.out()));
    } else {
      all.add(new OutputLines(request.dataOnStandardOutput() ? shell.err() : shell.out()));
    }
    all.add(new Lines(request.dataOnStandardOutput()));
    if (isProgressWanted(request, shell)) {
      all.add(new Progress(screen, Progress.columns(shell.variable("COLUMNS"))));
    }
    all.add(new TextReport(screen, detail(request)));
    if (request.histogram() != null) {
      all.add(new Histograms(request.histogram()));
    }
    this.listener = new Listeners(all);
  }

  static Reports of(ReportRequest request, Shell shell) {
    return new Reports(request, shell);
  }

  Listener listener() {
    return listener;
  }

  /// Whom to ask, below what is told.
  Consent consent() {
    return new Question(screen, shell.in());
  }

  /// Says goodbye to the terminal.
  ///
  /// @return the exit code of the process
  /// @throws Failure DESTINATION if the transfer is fine and the latencies could not be written
  ExitCode finish(Result result) throws Failure {
    screen.close();
    if (result.exitCode() != ExitCode.OK) {
      // The cause of that is told already, and standard output may have failed of the same.
      shell.out().flush();
    } else if (histogramFailure != null) {
      throw histogramFailure;
    }
    return result.exitCode();
  }

  /// Knows whether the lines that a program reads could be written.
  private final class Lines implements Listener {

    private final boolean onStandardError;

    Lines(boolean onStandardError) {
      this.onStandardError = onStandardError;
    }

    @Override
    public void on(Event event) {}

    @Override
    public boolean hearsEachFile() {
      return false;
    }

    @Override
    public void requireHeard() throws Failure {
      shell.finish();
      if (onStandardError && shell.err().checkError()) {
        throw Failure.of(ExitCode.DESTINATION, "standard error", "cannot be written");
      }
    }
  }

  /// Writes the latencies into a file at the end.
  private final class Histograms implements Listener {

    private final RawPath file;

    Histograms(RawPath file) {
      this.file = file;
    }

    @Override
    public void on(Event event) {
      if (event instanceof Event.Finished(Result result)) {
        try {
          HistogramLog.write(result, file.toPath());
        } catch (IOException e) {
          histogramFailure =
              Failure.of(ExitCode.DESTINATION, file.toString(), String.valueOf(e.getMessage()))
                  .with("the transfer is complete, its latencies are not written")
                  .because(e);
        }
      }
    }

    @Override
    public boolean hearsEachFile() {
      return false;
    }
  }

  private static boolean isProgressWanted(ReportRequest request, Shell shell) {
    return switch (request.progress()) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> !request.quiet() && shell.isTerminal();
    };
  }

  private static Detail detail(ReportRequest request) {
    if (request.quiet()) {
      return Detail.QUIET;
    }
    return request.verbose() ? Detail.VERBOSE : Detail.NORMAL;
  }

  /// How a transfer is to be reported.
  ///
  /// @param quiet only what goes wrong
  /// @param verbose every file; never together with `quiet`
  /// @param json events on standard output; never together with `dataOnStandardOutput`
  /// @param histogram where to write the latencies, or null
  /// @param dataOnStandardOutput whether standard output carries the bytes of a file and nothing
  ///   else may
  record ReportRequest(
      boolean quiet,
      boolean verbose,
      boolean json,
      ProgressWhen progress,
      RawPath histogram,
      boolean dataOnStandardOutput) {}

  /// Asks on the terminal, one question at a time: whoever asks meanwhile waits.
  ///
  /// The answer is a line. `y` and `yes` are yes, whatever the locale and the case; all else is no,
  /// and so is the end of the input.
  static final class Question implements Consent {

    /// What a terminal takes as one line: termios(3).
    private static final int LINE_BYTES_MAX = 4096;

    private static final int END = -1;

    private final Screen screen;
    private final InputStream in;

    Question(Screen screen, InputStream in) {
      this.screen = screen;
      this.in = in;
    }

    @Override
    public synchronized boolean isGiven(String question) {
      screen.ask("zcp: " + question + " (y/n) ");
      boolean ended = false;
      try {
        StringBuilder line = new StringBuilder();
        ended = !read(line);
        String answer = line.toString().strip();
        return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
      } catch (IOException e) {
        // The terminal hung up, and nobody is there any more.
        return false;
      } finally {
        screen.answered(!ended);
      }
    }

    /// Whether the line ended, and not the input.
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
