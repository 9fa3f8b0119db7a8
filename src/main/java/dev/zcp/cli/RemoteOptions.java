package dev.zcp.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.core.Words;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.ssh.Deployment;
import dev.zcp.ssh.Deployment.When;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.RemoteTransfer;
import dev.zcp.ssh.SshCommand;
import java.util.ArrayList;
import java.util.List;

/// The options of a command that can start the other end by ssh.
final class RemoteOptions extends Options {

  private final CarrierOptions carriers = group(new CarrierOptions());
  private final Option remoteCommand = option("--remote-command=PROGRAM");
  private final Option deploy =
      option("--deploy[=WHEN]", Words.of(When.ALWAYS), Words.of(When.values()));
  private final Option noDeploy = option("--no-deploy");

  /// What was typed of those that say how the other end is started, as words for another command
  /// line.
  List<byte[]> words() {
    List<byte[]> words = new ArrayList<>();
    for (Option each : all()) {
      if (isGiven(each)) {
        String value = each == noDeploy ? "" : "=" + valueOf(each);
        words.add((each.longestName() + value).getBytes(ISO_8859_1));
      }
    }
    return words;
  }

  List<Option> all() {
    return List.of(carriers.ssh, carriers.rsh, remoteCommand, deploy, noDeploy);
  }

  /// The path on another machine that was typed where an address may stand; null if it is none.
  static RemotePath path(String typed) throws Failure {
    return Address.isUrl(typed) || RemotePath.hasPort(typed) ? null : RemotePath.of(typed);
  }

  /// @param shell prints what the other end says on its standard error
  RemoteTransfer transfer(
      ReportRequest report, Reports reports, CommandEnvironment environment, Shell shell)
      throws Failure {
    String remote = isKnown(remoteCommand) ? RawText.text(valueOf(remoteCommand)) : null;
    return new RemoteTransfer(
        carriers.command(remote),
        new Deployment(Version.build(), when(shell), reports.deployments()),
        report.detail() == Detail.VERBOSE,
        environment,
        shell::passOn);
  }

  /// @return null if nobody can be asked
  private When when(Shell shell) throws Failure {
    if (isSet(noDeploy)) {
      if (isGiven(deploy)) {
        throw usage("--deploy and --no-deploy cannot be combined");
      }
      return When.NEVER;
    }
    When when = isKnown(deploy) ? constant(deploy, When.values()) : When.ASK;
    return when == When.ASK && !shell.isDialogue() ? null : when;
  }

  /// What leads to the other machine.
  static final class CarrierOptions extends Options {

    private final Option ssh = option("-e, --ssh=COMMAND");
    private final Option rsh = option("--rsh=COMMAND");

    /// @param remote the program there; null for whichever is found
    SshCommand command(String remote) throws Failure {
      if (isGiven(ssh) && isGiven(rsh)) {
        throw usage("--ssh and --rsh cannot be combined");
      }
      return isKnown(rsh) && !isGiven(ssh)
          ? SshCommand.ofOther(RawText.text(valueOf(rsh)), remote)
          : SshCommand.of(isKnown(ssh) ? RawText.text(valueOf(ssh)) : SshCommand.SSH, remote);
    }
  }
}
