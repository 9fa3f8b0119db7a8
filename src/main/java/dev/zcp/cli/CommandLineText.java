package dev.zcp.cli;

import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// What was typed, for a record that somebody may want to repeat: options first, in the order of
/// the help. A word with blanks or the like stands in quotes, as sh(1) takes them.
final class CommandLineText {

  private CommandLineText() {}

  /// @param spec parsed
  static String of(CommandSpec spec) {
    StringBuilder text = new StringBuilder(spec.name());
    for (OptionSpec option : spec.options()) {
      for (String value : option.originalStringValues()) {
        text.append(' ').append(option.longestName());
        if (Help.takesValue(option)) {
          text.append('=').append(quoted(value));
        }
      }
    }
    for (PositionalParamSpec operand : spec.positionalParameters()) {
      for (String value : operands(operand)) {
        text.append(' ').append(quoted(value));
      }
    }
    return text.toString();
  }

  private static Iterable<String> operands(ArgSpec operand) {
    return Options.valuesOf(operand);
  }

  private static String quoted(String latin1) {
    String shown = RawText.printable(latin1);
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      boolean isPlain = Character.isLetterOrDigit(c) || "-_./,:=@%+".indexOf(c) >= 0;
      if (!isPlain) {
        return "'" + shown.replace("'", "'\\''") + "'";
      }
    }
    return shown.isEmpty() ? "''" : shown;
  }
}
