package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import picocli.CommandLine.Model.CommandSpec;

/// One command: the words it understands, and what it makes of them. It turns flags into a request
/// and hands that on; it opens no file and resolves no host.
public interface Command {

  /// As it is typed: `zcp copy`.
  String title();

  /// What `--help` and the manual say beside the options.
  Manual manual();

  /// The options and operands. Always the same object: parsing leaves its findings in it.
  CommandSpec spec();

  /// The options that every command has.
  CommonOptions common();

  /// Does what the parsed options ask for.
  ///
  /// @return how it ended; what went wrong has been told
  /// @throws Failure if it went wrong and nobody has been told
  ExitCode run(Shell shell) throws Failure;
}
