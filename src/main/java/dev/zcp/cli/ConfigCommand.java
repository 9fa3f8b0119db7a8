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
    atMost(1, typed);
    List<String> names =
        typed.isEmpty()
            ? Settings.COMMANDS
            : List.of(oneOf(Settings.COMMANDS, RawText.printable(typed.getFirst()), "COMMAND"));
    StringBuilder text = new StringBuilder();
    RawPath file = shell.configuration();
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
