package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Prose;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;

/// The texts of `--help` and `--help=all`, 80 columns wide. picocli's own layout would cost 20 ms
/// of the start.
public final class Help {

  /// The exit code that no [ExitCode] holds, since the kernel sets it: signal(7).
  public static final String SIGNAL_CODE = "128+n";

  public static final String SIGNAL_SENTENCE = "ended by signal n";

  /// Where the descriptions of options and commands begin.
  private static final int TEXT_COLUMN = 28;

  private static final int COMMAND_COLUMN = 14;
  private static final int VARIABLE_COLUMN = 24;
  private static final int CODE_COLUMN = 9;

  static final int COLUMNS = 80;

  /// How many the short help has.
  private static final int EXAMPLES = 3;

  private Help() {}

  /// What most people need, on a screen or two.
  static String of(Command command) {
    Manual manual = command.manual();
    StringBuilder text = begun(command, manual.description().subList(0, 1));
    examples(text, manual.examples().subList(0, EXAMPLES));
    Map<String, List<OptionSpec>> groups = groups(command);
    text.append("\nOptions:\n");
    List<OptionSpec> needed = groups.values().iterator().next();
    for (OptionSpec option : needed) {
      String meaning = firstSentence(manual.options().get(option.longestName()));
      option(text, option, withDefault(option, meaning));
    }
    int more = groups.values().stream().mapToInt(List::size).sum() - needed.size();
    String also = more == 0 ? "" : "the other " + more + " options, ";
    String rest = "'" + command.title() + " --help=all' has " + also + "exit codes and more.";
    append(text.append('\n'), rest, 0);
    return text.toString();
  }

  /// All there is, as in the manual page.
  static String ofAll(Command command) {
    Manual manual = command.manual();
    StringBuilder text = begun(command, manual.description());
    groups(command)
        .forEach(
            (title, options) -> {
              text.append('\n').append(title).append(":\n");
              options.forEach(option -> option(text, option, description(option, manual)));
            });
    examples(text, manual.examples());
    if (!manual.environment().isEmpty()) {
      text.append("\nEnvironment:\n");
      for (Manual.Term variable : manual.environment()) {
        entry(text, variable.word(), variable.meaning(), VARIABLE_COLUMN);
      }
    }
    text.append("\nExit codes:\n");
    for (ExitCode code : ExitCode.values()) {
      entry(text, Integer.toString(code.number()), code.sentence(), CODE_COLUMN);
    }
    entry(text, SIGNAL_CODE, SIGNAL_SENTENCE, CODE_COLUMN);
    return text.toString();
  }

  private static StringBuilder begun(Command command, List<String> description) {
    StringBuilder text = new StringBuilder(4096);
    String start = "usage: " + command.title() + " ";
    append(text.append(start), command.manual().synopsis(), start.length());
    for (String paragraph : description) {
      append(text.append('\n'), paragraph, 0);
    }
    if (command instanceof Commands.RootCommand) {
      text.append("\nCommands:\n");
      for (String name : Commands.NAMES) {
        entry(text, name, Manual.of(name).summary(), COMMAND_COLUMN);
      }
    }
    return text;
  }

  private static void examples(StringBuilder text, List<Manual.Term> examples) {
    text.append("\nExamples:\n");
    for (Manual.Term example : examples) {
      text.append("  ").append(example.word()).append("\n      ");
      append(text, example.meaning(), 6);
    }
  }

  /// The options below their titles, those that are needed most first.
  public static Map<String, List<OptionSpec>> groups(Command command) {
    Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
    List<OptionSpec> others = new ArrayList<>(command.spec().options());
    others.removeIf(OptionSpec::hidden);
    for (Manual.OptionGroup group : command.manual().groups()) {
      List<OptionSpec> options = new ArrayList<>();
      for (String name : group.options()) {
        OptionSpec option = command.spec().findOption(name);
        options.add(option);
        others.remove(option);
      }
      groups.put(group.title(), options);
    }
    groups.put(groups.isEmpty() ? "Options" : "Other options", others);
    return groups;
  }

  /// `-q, --quiet`, `--chunk-size=SIZE`: an option as help and manual show it.
  private static String heading(OptionSpec option) {
    StringBuilder heading = new StringBuilder();
    for (String name : option.names()) {
      heading.append(heading.isEmpty() ? "" : ", ").append(name);
    }
    if (!takesValue(option)) {
      return heading.toString();
    }
    String value = "=" + option.paramLabel();
    return heading.append(isValueOptional(option) ? "[" + value + "]" : value).toString();
  }

  public static String description(OptionSpec option, Manual manual) {
    return withDefault(option, manual.options().get(option.longestName()));
  }

  private static String withDefault(OptionSpec option, String text) {
    String standard = option.defaultValue();
    return standard == null ? text : text + " (default: " + standard + ")";
  }

  private static String firstSentence(String text) {
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  public static boolean takesValue(OptionSpec option) {
    return option.arity().max() > 0;
  }

  /// Whether the option may stand without its value, which else follows a `=`.
  public static boolean isValueOptional(OptionSpec option) {
    return takesValue(option) && option.arity().min() == 0;
  }

  private static void option(StringBuilder text, OptionSpec option, String meaning) {
    String heading = heading(option);
    // Long names stand in one column, whether a short one comes before them or not.
    String line = heading.startsWith("--") ? "      " + heading : "  " + heading;
    text.append(line);
    if (line.length() + 2 > TEXT_COLUMN) {
      text.append('\n').repeat(' ', TEXT_COLUMN);
    } else {
      text.repeat(' ', TEXT_COLUMN - line.length());
    }
    append(text, meaning, TEXT_COLUMN);
  }

  /// A word and what it means, which begins at `column`.
  private static void entry(StringBuilder text, String word, String meaning, int column) {
    text.append("  ").append(word).repeat(' ', column - 2 - word.length());
    append(text, meaning, column);
  }

  /// Appends `text` and a line feed.
  ///
  /// @param column where each line begins: what is left of it in the first is in `target` already
  static void append(StringBuilder target, String text, int column) {
    String before = "";
    for (String line : Prose.wrap(text, COLUMNS - column, 0)) {
      target.append(before).append(line);
      before = "\n" + " ".repeat(column);
    }
    target.append('\n');
  }
}
