package dev.zcp.cli;

import dev.zcp.cli.Manual.Variable;
import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.RemoteTransfer;
import dev.zcp.ssh.SshCommand;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/// The options of a command that can start the other end by ssh.
final class RemoteOptions extends Options {

  private static final String SSH_VARIABLE = "ZCP_SSH";
  private static final String REMOTE_VARIABLE = "ZCP_REMOTE_COMMAND";

  static final List<Variable> VARIABLES =
      List.of(
          new Variable(SSH_VARIABLE, "What --ssh is if it is not given."),
          new Variable(REMOTE_VARIABLE, "What --remote-command is if it is not given."));

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
            chosen(ssh, shell.variable(SSH_VARIABLE), SshCommand.SSH),
            chosen(remoteCommand, shell.variable(REMOTE_VARIABLE), SshCommand.REMOTE));
    return new RemoteTransfer(command, Version.NUMBER, isVerbose, environment);
  }

  private static String chosen(OptionSpec option, String variable, String usual) {
    if (isGiven(option)) {
      return RawText.text(valueOf(option));
    }
    return variable == null || variable.isEmpty() ? usual : variable;
  }
}
