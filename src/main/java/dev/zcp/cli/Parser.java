package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Parses what was typed after a command, and words the mistakes.
final class Parser {

  /// What `--` becomes where it ends the options: nobody can type it.
  private static final String END_OF_OPTIONS = "\0";

  private Parser() {}

  /// Leaves what was typed in the options of `command`.
  ///
  /// @param settings the values of options that are not typed; null for their defaults
  static void parse(Command command, Arguments arguments, Settings settings) throws Failure {
    Set<Option> options = new LinkedHashSet<>(settings == null ? List.of() : settings.set(command));
    String[] words = spelledOut(command, arguments.latin1(), options);
    CommandSpec spec = options.contains(null) ? command.spec() : command.spec(options);
    CommandLine line =
        new CommandLine(spec)
            // A file may be called @name; it is not to be read for more arguments.
            .setExpandAtFiles(false)
            // The last one wins, as everywhere: an alias may have set the first.
            .setOverwrittenOptionsAllowed(true)
            // A value may look like an option, as getopt(3) has it: --exclude=-x, --exclude=--.
            .setAllowOptionsAsOptionParameters(true)
            .setEndOfOptionsDelimiter(END_OF_OPTIONS);
    if (settings != null) {
      line.setDefaultValueProvider(settings);
    }
    try {
      command.parsed(line.parseArgs(words));
    } catch (ParameterException e) {
      throw Failure.of(ExitCode.USAGE, explain(e, command)).because(e);
    }
    if (!command.isHelpWanted() && !command.isVersionWanted()) {
      command.refuse(OptionConflict.Use.ANY);
    }
  }

  /// Spells abbreviated names out. An option whose value is optional and not given gets the value
  /// that it then has, since picocli would take the next operand for the value.
  ///
  /// @param options gets those that are typed, and null for what is none
  private static String[] spelledOut(Command command, List<String> arguments, Set<Option> options)
      throws Failure {
    String[] words = arguments.toArray(String[]::new);
    for (int i = 0; i < words.length; i++) {
      Option last = null;
      if (words[i].equals("--")) {
        words[i] = END_OF_OPTIONS;
        break;
      }
      if (words[i].startsWith("--")) {
        words[i] = spelledOut(command, words[i]);
        int equals = words[i].indexOf('=');
        last = command.named(equals < 0 ? words[i] : words[i].substring(0, equals));
        options.add(last);
        last = equals < 0 ? last : null;
        if (last != null && Help.isValueOptional(last.spec())) {
          words[i] += "=" + last.spec().fallbackValue();
          last = null;
        }
      } else if (words[i].startsWith("-")) {
        last = lastOf(command, words[i], options);
      }
      if (last != null && last.spec().arity().min() > 0) {
        // The next word is its value, whatever it looks like.
        i++;
        if (i < words.length) {
          command.noteTaken(last, words[i]);
        }
      }
    }
    return words;
  }

  /// The last option of a word such as `-rS`; null if it has its value in the word, or is unknown.
  ///
  /// @throws Failure USAGE if one of several letters is unknown: picocli would name all that follow
  private static Option lastOf(Command command, String word, Set<Option> options) throws Failure {
    Option option = null;
    for (int i = 1; i < word.length(); i++) {
      if (option != null && option.spec().arity().min() > 0) {
        command.noteTaken(option, word.substring(i));
        return null;
      }
      String name = "-" + word.charAt(i);
      option = command.named(name);
      options.add(option);
      if (option == null) {
        if (word.length() > 2
            && Character.isLetterOrDigit(word.charAt(i))
            && word.charAt(i) < 0x80) {
          throw Failure.of(ExitCode.USAGE, unknown(name, word, command));
        }
        return null;
      }
    }
    return option;
  }

  /// An option of which only the beginning was typed, as getopt_long(3) takes it.
  private static String spelledOut(Command command, String typed) throws Failure {
    int equals = typed.indexOf('=');
    String name = equals < 0 ? typed : typed.substring(0, equals);
    if (command.named(name) != null) {
      return typed;
    }
    List<String> known = new ArrayList<>();
    for (OptionSpec option : command.spec().options()) {
      String word = option.longestName();
      if (!option.hidden() && word.startsWith(name)) {
        known.add(word);
      }
    }
    if (known.size() > 1) {
      List<String> familiar =
          command.familiarOptions().stream().filter(word -> word.startsWith(name)).toList();
      if (familiar.size() == 1 && known.contains(familiar.getFirst())) {
        return familiar.getFirst() + typed.substring(name.length());
      }
      throw Failure.of(
          ExitCode.USAGE,
          "option '" + RawText.printable(name) + "' is ambiguous: " + String.join(", ", known));
    }
    // A whole word that other commands know is a mistake and no abbreviation.
    return known.isEmpty() || !commandsWith(name).isEmpty()
        ? typed
        : known.getFirst() + typed.substring(name.length());
  }

  private static String explain(ParameterException mistake, Command command) {
    return switch (mistake) {
      case UnmatchedArgumentException e -> unknown(e.getUnmatched().getFirst(), "", command);
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

  /// @param word what was typed if the option is a letter of it, else empty
  private static String unknown(String typed, String word, Command command) {
    int equals = typed.indexOf('=');
    String name = equals < 0 ? typed : typed.substring(0, equals);
    boolean isLong = command.spec().optionsMap().containsKey("-" + word);
    String hint = isLong ? "did you mean -" + word + "?" : command.manual().hint(name);
    List<String> others = commandsWith(name);
    if (hint.isEmpty() && !others.isEmpty()) {
      hint =
          command.spec().name().equals("zcp")
              ? "it comes after the command: " + others.getFirst() + " " + RawText.printable(name)
              : "an option of " + String.join(", ", others);
    }
    if (hint.isEmpty()) {
      boolean isCommand = name.startsWith("--") && Commands.named(name.substring(2)) != null;
      String near = isCommand ? name.substring(2) : nearest(name, command.spec());
      hint = near.isEmpty() ? "" : "did you mean " + near + "?";
    }
    return "unknown option '"
        + RawText.printable(name)
        + (word.isEmpty() ? "'" : "' in '" + RawText.printable(word) + "'")
        + (hint.isEmpty() ? "" : " (" + hint + ")");
  }

  private static List<String> commandsWith(String name) {
    List<String> commands = new ArrayList<>();
    for (Command command : Commands.all()) {
      OptionSpec option = command.spec().findOption(name);
      if (option != null && name.startsWith("-") && !option.hidden()) {
        commands.add(command.spec().name());
      }
    }
    return commands;
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
