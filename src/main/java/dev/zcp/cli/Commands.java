package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import java.util.ArrayList;
import java.util.List;

/// The commands there are. Only the one that was named is built: building all of them would double
/// the time to start.
public final class Commands {

  static final List<String> NAMES =
      List.of("copy", "send", "receive", "bench", "strategies", "explain", "completion");

  private static final String HELP = "help";

  private Commands() {}

  /// `zcp` itself and every command, for manuals and completions.
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

  /// Whether this is `zcp help` or `zcp help COMMAND`.
  static boolean helpWanted(Arguments arguments) {
    return !arguments.isEmpty() && arguments.first().equals(HELP);
  }

  /// The command that the first argument names, or `zcp` itself.
  ///
  /// @throws Failure USAGE if there is no such command, with the nearest
  static Command chosen(Arguments arguments) throws Failure {
    Arguments words = helpWanted(arguments) ? arguments.rest() : arguments;
    if (words.isEmpty() || words.first().startsWith("-")) {
      return new RootCommand();
    }
    Command command = named(words.first());
    if (command == null) {
      String typed = RawText.printable(words.first());
      String hint = Nearest.to(typed, NAMES).map(n -> " (did you mean " + n + "?)").orElse("");
      throw Failure.of(ExitCode.USAGE, "there is no command '" + typed + "'" + hint);
    }
    return command;
  }

  /// What is left for the [#chosen] command.
  static Arguments argumentsOf(Arguments arguments) {
    Arguments words = helpWanted(arguments) ? arguments.rest() : arguments;
    return words.isEmpty() || words.first().startsWith("-") ? words : words.rest();
  }

  /// How messages call what was typed: `zcp copy`, or `zcp` if no command is known.
  static String titleOf(Arguments arguments) {
    Arguments words = helpWanted(arguments) ? arguments.rest() : arguments;
    boolean known = !words.isEmpty() && NAMES.contains(words.first());
    return known ? "zcp " + words.first() : "zcp";
  }

  /// What the command of this name does, as a phrase.
  static String summary(String name) {
    return named(name).manual().summary();
  }

  private static Command named(String name) {
    return switch (name) {
      case "copy" -> new CopyCommand();
      case "send" -> new SendCommand();
      case "receive" -> new ReceiveCommand();
      case "bench" -> new BenchCommand();
      case "strategies" -> new StrategiesCommand();
      case "explain" -> new ExplainCommand();
      case "completion" -> new CompletionCommand();
      default -> null;
    };
  }
}
