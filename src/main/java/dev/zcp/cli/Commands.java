package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import dev.zcp.linux.FileStatus;
import dev.zcp.ssh.SshCommand;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The commands there are. Only the one that was named is built: building all of them would double
/// the time to start.
public final class Commands {

  static final List<String> NAMES =
      List.of(
          "copy sync send receive serve deploy plan report bench strategies explain key config completion"
              .split(" "));

  private static final String HELP = "help";

  private Commands() {}

  /// `zcp` itself and every command that people type, for manuals and completions.
  public static List<Command> all() {
    List<Command> commands = new ArrayList<>();
    commands.add(new RootCommand());
    for (String name : NAMES) {
      commands.add(named(name));
    }
    return commands;
  }

  /// Whether this is `zcp --version`, which is answered before anything is built.
  static boolean onlyVersionWanted(Arguments arguments) {
    return arguments.latin1().size() == 1 && arguments.first().equals("--version");
  }

  static boolean helpWanted(Arguments arguments) {
    return !arguments.isEmpty() && arguments.first().equals(HELP);
  }

  /// What was typed without a `help` before it.
  private static Arguments words(Arguments arguments) {
    return helpWanted(arguments) ? arguments.rest() : arguments;
  }

  /// The command that the first argument names, or `zcp` itself.
  static Command chosen(Arguments arguments) throws Failure {
    Arguments words = words(arguments);
    if (words.isEmpty() || words.first().startsWith("-")) {
      return new RootCommand();
    }
    Command command = named(words.first());
    if (command == null) {
      String typed = RawText.printable(words.first());
      String near = typed.equals("version") ? "--version" : Nearest.to(typed, NAMES).orElse("");
      String hint = near.isEmpty() ? "" : " (did you mean " + near + "?)";
      if (hint.isEmpty() && FileStatus.exists(RawText.path(words.first()))) {
        hint = " (to copy that: zcp copy " + typed + " TARGET)";
      }
      throw Failure.of(ExitCode.USAGE, "there is no command '" + typed + "'" + hint);
    }
    return command;
  }

  static Arguments argumentsOf(Arguments arguments) {
    Arguments words = words(arguments);
    return words.isEmpty() || words.first().startsWith("-") ? words : words.rest();
  }

  /// The settings of the [#chosen] command; null if it has none, or if only help or the version is
  /// wanted.
  static Settings settingsOf(Arguments arguments, Command command, Shell shell) throws Failure {
    boolean isWanted =
        Settings.COMMANDS.contains(arguments.isEmpty() ? "" : arguments.first())
            && !arguments.hold("--help")
            && !arguments.hold("--help=all")
            && !arguments.hold("-h")
            && !arguments.hold("--version")
            && !arguments.hold("-V");
    if (!isWanted) {
      return null;
    }
    shell.requireNamedConfiguration();
    return Settings.of(arguments.first(), command, shell);
  }

  /// How messages call what was typed: `zcp copy`, or `zcp` if no command is known.
  static String titleOf(Arguments arguments) {
    Arguments words = words(arguments);
    boolean known = !words.isEmpty() && NAMES.contains(words.first());
    return known ? "zcp " + words.first() : "zcp";
  }

  static Command named(String name) {
    return switch (name) {
      case "copy" -> new CopyCommand();
      case "sync" -> new SyncCommand();
      case "send" -> new SendCommand();
      case "receive" -> new ReceiveCommand();
      case "deploy" -> new DeployCommand();
      case "plan" -> new PlanCommand();
      case "report" -> new ReportCommand();
      case "bench" -> new BenchCommand();
      case "strategies" -> new StrategiesCommand();
      case "explain" -> new ExplainCommand();
      case "key" -> new KeyCommand();
      case "config" -> new ConfigCommand();
      case "completion" -> new CompletionCommand();
      case SshCommand.SERVE -> new ServeCommand();
      default -> null;
    };
  }

  static final class RootCommand extends Command {

    private final PositionalParamSpec operands = operands("0..*", "COMMAND", NAMES);

    RootCommand() {
      super("zcp");
    }

    @Override
    ExitCode run(Shell shell) throws Failure {
      List<String> words = valuesOf(operands);
      if (!words.isEmpty()) {
        throw usage(
            "the command comes first: zcp "
                + RawText.printable(words.getFirst())
                + " [OPTIONS] ...");
      }
      shell.complain(
          "usage: zcp COMMAND [OPTIONS] ...\n"
              + "commands: "
              + String.join(", ", NAMES)
              + "\ntry 'zcp --help'");
      return ExitCode.USAGE;
    }
  }
}
