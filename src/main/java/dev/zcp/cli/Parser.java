package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Parses what was typed after a command, and words the mistakes.
final class Parser {

  private Parser() {}

  /// Leaves what was typed in the options of `command`.
  ///
  /// @throws Failure USAGE if the command does not understand it
  static void parse(Command command, Arguments arguments) throws Failure {
    CommandLine line =
        new CommandLine(command.spec())
            // A file may be called @name; it is not to be read for more arguments.
            .setExpandAtFiles(false)
            // The last one wins, as everywhere: an alias may have set the first.
            .setOverwrittenOptionsAllowed(true);
    try {
      line.parseArgs(spelledOut(command.spec(), arguments.latin1()));
    } catch (ParameterException e) {
      throw Failure.of(ExitCode.USAGE, explain(e, command.spec())).because(e);
    }
  }

  /// Gives each option that may stand without its value the one that it then has: picocli would
  /// take the operand that follows for it.
  private static String[] spelledOut(CommandSpec spec, List<String> arguments) {
    String[] words = arguments.toArray(String[]::new);
    for (int i = 0; i < words.length && !words[i].equals("--"); i++) {
      if (words[i].startsWith("--")) {
        OptionSpec option = spec.optionsMap().get(words[i]);
        if (option != null && Help.isValueOptional(option)) {
          words[i] += "=" + option.fallbackValue();
        }
      }
    }
    return words;
  }

  private static String explain(ParameterException mistake, CommandSpec spec) {
    return switch (mistake) {
      case UnmatchedArgumentException e -> unknown(e.getUnmatched().getFirst(), spec);
      case MissingParameterException e when !e.getMissing().isEmpty() ->
          missingValue(e.getMissing().getFirst());
      // A flag is the only option whose value picocli converts, so the only one it can fault.
      case ParameterException e when e.getArgSpec() instanceof OptionSpec option ->
          "option '" + option.longestName() + "' takes no value";
      default -> RawText.printable(mistake.getMessage());
    };
  }

  private static String missingValue(ArgSpec argument) {
    String name =
        argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    return "option '" + name + "' needs a value: " + name + "=" + argument.paramLabel();
  }

  private static String unknown(String typed, CommandSpec spec) {
    int equals = typed.indexOf('=');
    String name = equals < 0 ? typed : typed.substring(0, equals);
    String hint = nearest(name, spec);
    return "unknown option '"
        + RawText.printable(name)
        + "'"
        + (hint.isEmpty() ? "" : " (did you mean " + hint + "?)");
  }

  /// The option that begins as `typed` does or the other way round, else the one with the fewest
  /// edits, else nothing.
  private static String nearest(String typed, CommandSpec spec) {
    if (!typed.startsWith("--")) {
      return "";
    }
    List<String> words = new ArrayList<>();
    for (OptionSpec option : spec.options()) {
      String word = option.longestName();
      if (!option.hidden() && word.startsWith("--")) {
        if (word.startsWith(typed) || typed.startsWith(word)) {
          return word;
        }
        words.add(word.substring(2));
      }
    }
    return Nearest.to(typed.substring(2), words).map("--"::concat).orElse("");
  }
}
