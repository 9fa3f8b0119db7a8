package dev.zcp.cli;

import dev.zcp.cli.Settings.Setting;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

final class ConfigCommand extends Command {

  private static final int ORIGIN_COLUMN = 36;

  private final PositionalParamSpec operands = operands("0..*", "COMMAND", Settings.COMMANDS);

  ConfigCommand() {
    super("zcp config");
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    List<String> typed = valuesOf(operands);
    StringBuilder text = new StringBuilder();
    RawPath file = shell.configuration();
    List<String> names = typed.isEmpty() ? Settings.COMMANDS : List.of(chosen(typed, file));
    if (file == null) {
      text.append("# There is no file.\n");
    } else {
      text.append("# ").append(file).append(FileStatus.exists(file) ? "\n" : " (not there)\n");
    }
    for (String name : names) {
      Command command = Commands.named(name);
      Settings settings = Settings.of(name, command, shell);
      text.append("\n[").append(name).append("]\n");
      for (OptionSpec option : Settings.optionsOf(command)) {
        append(text, Settings.nameOf(option), settings.of(option));
      }
    }
    shell.out().print(text);
    return ExitCode.OK;
  }

  private static String chosen(List<String> typed, RawPath file) throws Failure {
    try {
      atMost(1, typed);
      return oneOf(Settings.COMMANDS, RawText.printable(typed.getFirst()), "COMMAND");
    } catch (Failure e) {
      throw file == null ? e : e.with("to set something, edit " + file);
    }
  }

  private static void append(StringBuilder text, String name, Setting setting) {
    if (setting.value() == null) {
      text.append("# ").append(name).append(" =\n");
      return;
    }
    int start = text.length();
    String value = RawText.printable(setting.value()).replace("\"", "\\\"");
    text.append(name).append(" = \"").append(value).append('"');
    text.repeat(' ', Math.max(1, ORIGIN_COLUMN - (text.length() - start)));
    text.append("# ").append(setting.origin()).append('\n');
  }
}
