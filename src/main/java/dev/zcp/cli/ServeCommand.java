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
import dev.zcp.ssh.ServedEnd.ServedLimits;
import dev.zcp.ssh.ServedEnd.ServedPlace;
import dev.zcp.ssh.SshCommand;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp serve`, which another zcp starts by ssh. Its options are for a command that an account is
/// limited to.
final class ServeCommand extends Command {

  private final Option below = option("--below=DIR");
  private final Option readOnly = option("--read-only");
  private final Option writeOnly = option("--write-only");
  private final Option noOverwrite = option("--no-overwrite");
  private final Option noDelete = option("--no-delete");
  private final PositionalParamSpec operands = operands("0..*", "OPERAND", List.of());

  ServeCommand() {
    super("zcp serve");
  }

  @Override
  public List<OptionConflict> conflicts() {
    return List.of(
        OptionConflict.of("--read-only", "--write-only", "nothing would be left"),
        OptionConflict.of("--read-only", "--no-overwrite --no-delete", "nothing is written"));
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    atMost(0, valuesOf(operands));
    ServedLimits limits = limits();
    if (limits != null && shell.variable("SSH_CONNECTION") != null) {
      requireZcp(shell.variable("SSH_ORIGINAL_COMMAND"));
    }
    Strategies strategies = Strategies.load(List.of());
    String home = shell.variable("HOME");
    ServedPlace place =
        new ServedPlace(
            Version.NUMBER,
            home == null || home.isEmpty() ? null : RawPath.of(home),
            shell.variable("SSH_CONNECTION"),
            limits);
    return ServedEnd.run(
        shell.environment(strategies, new ServedFailures(shell)),
        place,
        new RemoteReporting(shell));
  }

  /// @return null if it may be asked for anything
  ServedLimits limits() throws Failure {
    if (isKnown(below)) {
      return new ServedLimits(
          pathOf(below),
          !isSet(writeOnly),
          !isSet(readOnly),
          !isSet(noOverwrite),
          !isSet(noDelete));
    }
    for (Option each : List.of(readOnly, writeOnly, noOverwrite, noDelete)) {
      if (isSet(each)) {
        throw usage(each.longestName() + " needs --below");
      }
    }
    return null;
  }

  /// Tells whoever logs in for something else, who would wait for an answer in vain. It limits
  /// nothing.
  ///
  /// @param asked what sshd was asked to run, see sshd(8); null for a login shell
  private static void requireZcp(String asked) throws Failure {
    if (asked == null || !asked.contains("zcp") || !asked.contains(SshCommand.SERVE)) {
      throw Failure.of(ExitCode.USAGE, "this account is for zcp, and for nothing else")
          .with("zcp copy FILE HOST: copies to it");
    }
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
      if (failure.exitCode() != ExitCode.NETWORK && !failure.isOfPeer()) {
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
