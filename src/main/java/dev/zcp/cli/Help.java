package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Prose;
import picocli.CommandLine.Model.OptionSpec;

/// The text of `--help`, 80 columns wide. picocli's own layout would cost 20 ms of the start.
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

  private Help() {}

  static String of(Command command) {
    Manual manual = command.manual();
    StringBuilder text = new StringBuilder(4096);
    String start = "usage: " + command.title() + " ";
    text.append(start);
    append(text, manual.synopsis(), start.length());
    for (String paragraph : manual.description()) {
      append(text.append('\n'), paragraph, 0);
    }
    if (command instanceof Commands.RootCommand) {
      text.append("\nCommands:\n");
      for (String name : Commands.NAMES) {
        entry(text, name, Manual.of(name).summary(), COMMAND_COLUMN);
      }
    }
    text.append("\nOptions:\n");
    for (OptionSpec option : command.spec().options()) {
      if (!option.hidden()) {
        option(text, option, manual);
      }
    }
    text.append("\nExamples:\n");
    for (Manual.Term example : manual.examples()) {
      text.append("  ").append(example.word()).append("\n      ");
      append(text, example.meaning(), 6);
    }
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
    String text = manual.options().get(option.longestName());
    String standard = option.defaultValue();
    return standard == null ? text : text + " (default: " + standard + ")";
  }

  public static boolean takesValue(OptionSpec option) {
    return option.arity().max() > 0;
  }

  /// Whether the option may stand without its value, which else follows a `=`.
  public static boolean isValueOptional(OptionSpec option) {
    return takesValue(option) && option.arity().min() == 0;
  }

  private static void option(StringBuilder text, OptionSpec option, Manual manual) {
    String heading = heading(option);
    // Long names stand in one column, whether a short one comes before them or not.
    String line = heading.startsWith("--") ? "      " + heading : "  " + heading;
    text.append(line);
    if (line.length() + 2 > TEXT_COLUMN) {
      text.append('\n').repeat(' ', TEXT_COLUMN);
    } else {
      text.repeat(' ', TEXT_COLUMN - line.length());
    }
    append(text, description(option, manual), TEXT_COLUMN);
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
