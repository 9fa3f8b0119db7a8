package dev.zcp.cli;

import dev.zcp.cli.Reports.ProgressWhen;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.ssh.ServedEnd;
import java.util.List;

/// `zcp serve`, which another zcp starts by ssh. Nobody types it, so no help lists it.
final class ServeCommand extends Command {

  ServeCommand() {
    super("zcp serve");
  }

  @Override
  public Manual manual() {
    return new Manual(
        "be the other end of a copy, started by ssh",
        "",
        List.of(
            "Another zcp starts this by ssh and says on standard input what it is to do:"
                + " see PROTOCOL.md."),
        List.of(),
        List.of());
  }

  /// What goes wrong with a file is told on standard error, which ssh passes on.
  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = Strategies.load(List.of());
    Reports reports =
        new Reports(new ReportRequest(Detail.QUIET, false, ProgressWhen.NEVER, null, true), shell);
    String home = shell.variable("HOME");
    return ServedEnd.run(
        shell.environment(strategies, reports),
        Version.NUMBER,
        home == null || home.isEmpty() ? null : RawPath.of(home));
  }
}
