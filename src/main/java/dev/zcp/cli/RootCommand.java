package dev.zcp.cli;

import dev.zcp.cli.Manual.Example;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp` if no command is named.
final class RootCommand extends Command {

  private final PositionalParamSpec operands = operands("0..*", "COMMAND", Commands.NAMES);

  RootCommand() {
    super("zcp");
  }

  @Override
  public Manual manual() {
    return new Manual(
        "move files by the shortest path the kernel offers",
        "COMMAND [OPTIONS] ...",
        List.of(
            "zcp moves files, on one machine or between two, by the shortest path the kernel"
                + " offers, proves that they arrived, and shows where the time went.",
            "Standard output carries only data or --json. Messages for people go to"
                + " standard error."),
        List.of(
            new Example(
                "zcp copy --strategy=mmap disk.img /backup/", "Copy a file with one strategy."),
            new Example("zcp receive inbox", "Wait for files, and print the URL to send them to."),
            new Example(
                "zcp send zcp+plain://KEY@127.0.0.1:5230 disk.img", "Send a file to that URL.")),
        Manual.withProfile(PeerOptions.VARIABLES));
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    List<String> words = valuesOf(operands);
    if (!words.isEmpty()) {
      throw usage(
          "the command comes first: zcp " + RawText.printable(words.getFirst()) + " [OPTIONS] ...");
    }
    shell.complain(
        "usage: zcp COMMAND [OPTIONS] ...\n"
            + "commands: "
            + String.join(", ", Commands.NAMES)
            + "\ntry 'zcp --help'");
    return ExitCode.USAGE;
  }
}
