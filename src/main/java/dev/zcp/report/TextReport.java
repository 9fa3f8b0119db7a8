package dev.zcp.report;

import dev.zcp.core.ByteSize;
import dev.zcp.core.Elapsed;
import dev.zcp.core.Prose;
import dev.zcp.core.Rate;
import dev.zcp.insight.Event;
import dev.zcp.insight.Listener;
import dev.zcp.insight.Ran;
import dev.zcp.insight.Result;
import dev.zcp.insight.SocketBuffer;
import java.util.ArrayList;
import java.util.List;

/// Tells a person what happens: failures and notes at once, a summary with its latencies at the
/// end.
///
/// A command that did nothing but fail once has said all with its one line, and gets no summary.
public final class TextReport implements Listener {

  private static final int COLUMNS = 80;
  private static final String PREFIX = "zcp: ";

  private final Screen screen;
  private final Detail detail;

  public TextReport(Screen screen, Detail detail) {
    this.screen = screen;
    this.detail = detail;
  }

  @Override
  public void on(Event event) {
    // Not a switch over the sealed type: no AOT cache holds what it is made of at run time, which
    // costs
    // each process 3 ms.
    if (event instanceof Event.FileFailed failed) {
      screen.line(PREFIX + failed.failure().getMessage());
    } else if (event instanceof Event.Failed failed) {
      screen.line(PREFIX + failed.failure().getMessage());
    } else if (detail == Detail.QUIET) {
      return;
    } else if (event instanceof Event.Noted noted) {
      screen.line(PREFIX + noted.message());
    } else if (event instanceof Event.Finished finished) {
      if (isWorthASummary(finished.result())) {
        screen.lines(summary(finished.result()));
      }
    } else if (detail == Detail.VERBOSE) {
      tellMore(event);
    }
  }

  private void tellMore(Event event) {
    if (event instanceof Event.Connected connected) {
      String whichDiscards = connected.link().discards() ? "; what is sent is discarded" : "";
      screen.line("connected to " + connected.link().peer() + whichDiscards);
    } else if (event instanceof Event.FileDone done) {
      screen.line(done.name() + ": " + arrival(done));
    }
  }

  private static boolean isWorthASummary(Result result) {
    return result.filesDone() > 0 || result.filesFailed() > 1 || result.bytes() > 0;
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
    if (result.link() != null && isWorthTelling(result.link().buffer())) {
      lines.addAll(Prose.wrap(bufferOf(result.link().buffer()), COLUMNS));
    }
    for (Ran ran : result.ran()) {
      if (!ran.fellBackBecause().isEmpty()) {
        lines.addAll(Prose.wrap(fallBack(ran), COLUMNS));
      }
    }
    if (!result.stages().isEmpty()) {
      lines.add("");
      lines.addAll(LatencyTable.lines(result.stages(), screen.isUnicode()));
      lines.add("");
      lines.addAll(LatencyPicture.lines(result.stages(), screen.isUnicode()));
    }
    return lines;
  }

  /// `copied 3 files, 1.20 GiB in 412 ms (2.91 GiB/s) by transferTo; verified: none`, in two lines
  /// where one would be too long.
  private List<String> whatWasDone(Result result) {
    String moved = moved(result);
    StringBuilder rest = new StringBuilder();
    if (result.filesFailed() > 0) {
      rest.append("; ").append(Prose.count(result.filesFailed(), "file")).append(" failed");
    }
    if (result.filesDone() > 0) {
      rest.append("; verified: ").append(result.verified().label());
    }
    if (result.filesDone() > 0 && result.isDiscarded() && result.command().equals("send")) {
      rest.append("; discarded by the receiver");
    }
    if (moved.length() + rest.length() <= COLUMNS) {
      return List.of(moved + rest);
    }
    List<String> lines = new ArrayList<>(Prose.wrap(moved + ";", COLUMNS));
    lines.add(" " + rest.substring(1));
    return lines;
  }

  private String moved(Result result) {
    StringBuilder text = new StringBuilder(done(result));
    text.append(
        result.filesDone() == 0 ? " nothing" : " " + Prose.count(result.filesDone(), "file"));
    if (result.filesDone() > 0 || result.bytes() > 0) {
      text.append(", ").append(new ByteSize(result.bytes())).append(" in ");
      text.append(time(result.elapsedNs()));
    }
    if (result.bytes() > 0) {
      text.append(" (").append(new Rate(result.bytes(), result.elapsedNs())).append(")");
    }
    if (!result.ran().isEmpty()) {
      text.append(" by ").append(Prose.list(names(result.ran())));
    }
    return text.toString();
  }

  private static String fallBack(Ran ran) {
    String what = "fell back to " + ran.strategy() + " for " + new ByteSize(ran.bytes());
    return what + " (" + ran.fellBackBecause() + ")";
  }

  private String time(long elapsedNs) {
    String text = new Elapsed(elapsedNs).toString();
    return screen.isUnicode() ? text : text.replace('µ', 'u');
  }

  private boolean isWorthTelling(SocketBuffer buffer) {
    return buffer.isAsked() || detail == Detail.VERBOSE;
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

  /// The strategies that ran, each once.
  private static List<String> names(List<Ran> all) {
    List<String> names = new ArrayList<>();
    for (Ran ran : all) {
      if (!names.contains(ran.strategy())) {
        names.add(ran.strategy());
      }
    }
    return names;
  }
}
