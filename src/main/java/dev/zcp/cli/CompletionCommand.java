package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

final class CompletionCommand extends Command {

  private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  private final PositionalParamSpec operands = operands("0..*", "SHELL", SHELLS);

  CompletionCommand() {
    super("zcp completion");
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    List<String> shells = valuesOf(operands);
    if (shells.isEmpty()) {
      throw usage("SHELL is missing: bash, zsh or fish");
    }
    atMost(1, shells);
    String resource =
        switch (shells.getFirst()) {
          case "bash" -> "completions/zcp.bash";
          case "zsh" -> "completions/_zcp";
          case "fish" -> "completions/zcp.fish";
          default -> {
            String typed = RawText.printable(shells.getFirst());
            throw usage("there is no completion for '" + typed + "'")
                .with("one of: " + String.join(", ", SHELLS));
          }
        };
    shell.out().print(Manual.resource(resource));
    return ExitCode.OK;
  }
}
