package dev.zcp.cli;

import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.RemoteTransfer;
import dev.zcp.ssh.SshCommand;
import picocli.CommandLine.Model.OptionSpec;

/// The options of a command that can start the other end by ssh.
final class RemoteOptions extends Options {

  private final OptionSpec ssh =
      option(
          "--ssh=COMMAND",
          "Start the other machine's zcp by this program with these options, such as"
              + " 'ssh -J jump -p 2222'. Quotes protect spaces; there is no shell. The default is"
              + " ssh.");
  private final OptionSpec remoteCommand =
      option(
          "--remote-command=PROGRAM",
          "The zcp on the other machine, if its login shell does not find it by the name zcp.");

  /// The path on another machine that was typed where an address may stand; null if it is none.
  static RemotePath path(String typed) throws Failure {
    return Address.isUrl(typed) || RemotePath.hasPort(typed) ? null : RemotePath.of(typed);
  }

  /// @throws Failure USAGE if an option names no program
  RemoteTransfer transfer(Shell shell, boolean isVerbose, CommandEnvironment environment)
      throws Failure {
    SshCommand command =
        SshCommand.of(
            isKnown(ssh) ? RawText.text(valueOf(ssh)) : SshCommand.SSH,
            isKnown(remoteCommand) ? RawText.text(valueOf(remoteCommand)) : SshCommand.REMOTE);
    return new RemoteTransfer(command, Version.NUMBER, isVerbose, environment);
  }
}
