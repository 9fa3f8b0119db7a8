package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Keys;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp key`: a new key on standard output, for a file or a variable.
final class KeyCommand extends Command {

  private final PositionalParamSpec operands = operands("0..*", "OPERAND", List.of());

  KeyCommand() {
    super("zcp key");
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    atMost(0, valuesOf(operands));
    shell.out().print(Keys.newText() + "\n");
    return ExitCode.OK;
  }
}
