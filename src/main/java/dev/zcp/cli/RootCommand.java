package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp` if no command is named.
final class RootCommand implements Command {

  private final CommonOptions common = new CommonOptions();
  private final PositionalParamSpec operands =
      Options.operands("0..*", "COMMAND").completionCandidates(Commands.NAMES).build();
  private final CommandSpec spec = Options.spec(this);

  RootCommand() {
    common.addTo(spec);
    spec.addPositional(operands);
  }

  @Override
  public String title() {
    return "zcp";
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
            new Manual.Example(
                "zcp copy --strategy=mmap disk.img /backup/", "Copy a file with one strategy."),
            new Manual.Example(
                "zcp receive inbox", "Wait for files, and print the URL to send them to."),
            new Manual.Example(
                "zcp send zcp+plain://KEY@127.0.0.1:5230 disk.img", "Send a file to that URL.")),
        ProfilePath.with(PeerOptions.VARIABLES));
  }

  @Override
  public CommandSpec spec() {
    return spec;
  }

  @Override
  public CommonOptions common() {
    return common;
  }

  @Override
  public ExitCode run(Shell shell) throws Failure {
    List<String> words = Options.valuesOf(operands);
    if (!words.isEmpty()) {
      throw Failure.of(
          ExitCode.USAGE,
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
