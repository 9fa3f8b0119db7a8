package dev.zcp.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.RemoteTransfer;
import dev.zcp.ssh.SshCommand;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/// The options of a command that can start the other end by ssh.
final class RemoteOptions extends Options {

  private final OptionSpec ssh = option("-e, --ssh=COMMAND");
  private final OptionSpec rsh = option("--rsh=COMMAND");
  private final OptionSpec remoteCommand = option("--remote-command=PROGRAM");

  /// What was typed of these, as words for another command line.
  List<byte[]> words() {
    List<byte[]> words = new ArrayList<>();
    for (OptionSpec each : all()) {
      if (isGiven(each)) {
        words.add((each.longestName() + "=" + valueOf(each)).getBytes(ISO_8859_1));
      }
    }
    return words;
  }

  List<OptionSpec> all() {
    return List.of(ssh, rsh, remoteCommand);
  }

  /// The path on another machine that was typed where an address may stand; null if it is none.
  static RemotePath path(String typed) throws Failure {
    return Address.isUrl(typed) || RemotePath.hasPort(typed) ? null : RemotePath.of(typed);
  }

  /// @param shell prints what the other end says on its standard error
  RemoteTransfer transfer(ReportRequest report, CommandEnvironment environment, Shell shell)
      throws Failure {
    if (isGiven(ssh) && isGiven(rsh)) {
      throw usage("--ssh and --rsh cannot be combined");
    }
    String remote =
        isKnown(remoteCommand) ? RawText.text(valueOf(remoteCommand)) : SshCommand.REMOTE;
    SshCommand command =
        isKnown(rsh) && !isGiven(ssh)
            ? SshCommand.ofOther(RawText.text(valueOf(rsh)), remote)
            : SshCommand.of(isKnown(ssh) ? RawText.text(valueOf(ssh)) : SshCommand.SSH, remote);
    return new RemoteTransfer(
        command, Version.NUMBER, report.detail() == Detail.VERBOSE, environment, shell::passOn);
  }
}
