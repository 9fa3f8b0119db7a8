package dev.zcp.cli;

import dev.zcp.cli.Reports.ProgressWhen;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.report.TextReport.Form;
import dev.zcp.ssh.Deployment;
import dev.zcp.ssh.Deployment.When;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.SshCommand;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Puts zcp on another machine beforehand, or takes it away again.
final class DeployCommand extends Command {

  private final Option remove = option("--remove");
  private final Option archive = option("--archive=FILE");
  private final RemoteOptions.CarrierOptions carriers = group(new RemoteOptions.CarrierOptions());
  private final Option quiet = option("-q, --quiet");
  private final PositionalParamSpec operands = operands("0..*", "HOST");

  DeployCommand() {
    super("zcp deploy");
  }

  @Override
  public List<OptionConflict> conflicts() {
    return List.of(OptionConflict.of("--remove", "--archive", "nothing is put there"));
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    List<String> typed = valuesOf(operands);
    if (typed.isEmpty()) {
      throw missing("HOST is missing");
    }
    atMost(1, typed);
    RemotePath there = host(typed.getFirst());
    SshCommand command = carriers.command(null);
    Detail detail = isSet(quiet) ? Detail.QUIET : Detail.NORMAL;
    ReportRequest report =
        ReportRequest.withoutFiles(detail, false, Form.LINE, ProgressWhen.AUTO, false);
    Reports reports = new Reports(report, shell);
    Deployment deployment =
        new Deployment(Version.build(), When.ALWAYS, reports.deployments(), pathOf(archive));
    if (isSet(remove)) {
      deployment.remove(command, there.login(), shell::passOn);
    } else {
      deployment.deploy(command, there.login(), shell::passOn);
    }
    return ExitCode.OK;
  }

  private static RemotePath host(String typed) throws Failure {
    boolean isWhole = typed.indexOf('/') >= 0 || typed.endsWith(":");
    RemotePath there = RemotePath.of(isWhole ? typed : typed + ":");
    if (there == null || there.path().length > 1) {
      throw usage(
          "'" + RawText.printable(typed) + "' is not a HOST, such as ann@nas or ssh://nas:22");
    }
    return there;
  }
}
