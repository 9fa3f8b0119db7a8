package dev.zcp.cli;

import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.ssh.ServeRequest.ReportOptions;
import dev.zcp.ssh.ServedEnd;
import dev.zcp.ssh.ServedEnd.ServedPlace;
import java.util.List;

/// `zcp serve`, which another zcp starts by ssh. Nobody types it, so no help lists it.
final class ServeCommand extends Command {

  ServeCommand() {
    super("zcp serve");
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = Strategies.load(List.of());
    String home = shell.variable("HOME");
    ServedPlace place =
        new ServedPlace(
            Version.NUMBER,
            home == null || home.isEmpty() ? null : RawPath.of(home),
            shell.variable("SSH_CONNECTION"));
    return ServedEnd.run(
        shell.environment(strategies, new ServedFailures(shell)),
        place,
        new RemoteReporting(shell));
  }

  /// Reports to the user who typed the command on another machine, as `zcp send` there would.
  private static final class RemoteReporting implements ServedEnd.Reporting {

    private final Shell here;
    private Shell there;
    private Reports reports;

    RemoteReporting(Shell here) {
      this.here = here;
    }

    @Override
    public Listener begin(ReportOptions report) {
      there = here.of(report.unicode(), report.columns());
      reports = new Reports(ReportRequest.of(report), there);
      return reports;
    }

    @Override
    public ExitCode finish(Result result) throws Failure {
      ExitCode code = reports.finish(result);
      if (code == ExitCode.OK) {
        there.finish();
      }
      return code;
    }
  }

  /// Tells on standard error, which ssh passes on, what went wrong here and the other end does not
  /// hear of in full: each file that could not be given. That the connection is lost it knows.
  private record ServedFailures(Shell shell) implements Listener {

    @Override
    public void on(Event event) {
      if (event instanceof Event.FileFailed file) {
        tell(file.failure());
      } else if (event instanceof Event.Failed all) {
        tell(all.failure());
      }
    }

    private void tell(Failure failure) {
      if (failure.exitCode() != ExitCode.NETWORK) {
        String line = "zcp: " + failure.getMessage();
        shell.printing().add(2 * line.length(), () -> shell.say(line));
      }
    }

    @Override
    public boolean hearsEachFile() {
      return false;
    }
  }
}
