package dev.zcp.cli;

import dev.zcp.cli.Manual.Example;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

final class CompletionCommand extends Command {

  private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  private final PositionalParamSpec operands = operands("0..*", "SHELL", SHELLS);

  CompletionCommand() {
    super("zcp completion");
  }

  @Override
  public Manual manual() {
    return new Manual(
        "print the completion script of a shell",
        "[OPTIONS] SHELL",
        List.of("Prints the completion script for SHELL: bash, zsh or fish."),
        List.of(
            new Example(
                "source <(zcp completion bash)",
                "Complete in this shell. Add the line to ~/.bashrc to keep it."),
            new Example("zcp completion zsh > ~/.zfunc/_zcp", "For zsh, if ~/.zfunc is in fpath."),
            new Example("zcp completion fish > ~/.config/fish/completions/zcp.fish", "For fish.")),
        List.of());
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
    shell.out().print(script(resource));
    return ExitCode.OK;
  }

  /// The very file of the source tree's `completions` directory, which the build puts beside this
  /// class.
  private static String script(String name) {
    try (InputStream script = CompletionCommand.class.getResourceAsStream(name)) {
      if (script == null) {
        throw new IllegalStateException("the jar holds no " + name);
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the jar's " + name + " cannot be read", e);
    }
  }
}
