package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The values of one command's options that are not typed: from an environment variable such as
/// `ZCP_LIMIT_RATE`, else from the user's `config.toml`, else their defaults.
///
/// Unlike an option that was typed, a setting that a command has no use for is ignored.
final class Settings implements IDefaultValueProvider {

  /// The commands that have settings. The file has a table for each.
  static final List<String> COMMANDS = List.of("copy", "sync", "send", "receive");

  /// The options that can be set. They say how to work, not what to do: an option that deletes,
  /// overwrites, or makes a connection less safe has to be typed.
  private static final List<String> NAMES =
      List.of(
          ("accept chunk-size compress congestion connect-timeout connections deploy jobs "
                  + "limit-rate max-files max-size on-change progress remote-command report "
                  + "resume-verify retries socket-buffer ssh stall-timeout strategy verify")
              .split(" "));

  private static final String FILE = "config.toml";
  static final String FILE_VARIABLE = "ZCP_CONFIG";

  private final Shell shell;

  /// The values in the file by the names of their options; each byte a char.
  private final Map<String, String> table;

  /// @param value each byte a char; null if there is none
  /// @param origin where it is from, as a person says it
  record Setting(String value, String origin) {}

  private Settings(Shell shell, Map<String, String> table) {
    this.shell = shell;
    this.table = table;
  }

  /// @param name the command's
  static Settings of(String name, Command command, Shell shell) throws Failure {
    RawPath file = shell.configuration();
    if (file == null || !FileStatus.exists(file)) {
      return new Settings(shell, Map.of());
    }
    Map<String, Map<String, String>> tables = ConfigFile.read(file);
    for (String each : tables.keySet()) {
      if (!COMMANDS.contains(each)) {
        throw wrong(file, "there is no table '" + each + "'", each, COMMANDS);
      }
    }
    Map<String, String> table = tables.getOrDefault(name, Map.of());
    List<String> known = new ArrayList<>();
    for (OptionSpec option : optionsOf(command)) {
      known.add(nameOf(option));
    }
    for (String each : table.keySet()) {
      if (!known.contains(each)) {
        String what = "[" + name + "] cannot set '" + each + "'";
        throw command.spec().findOption("--" + each) == null
            ? wrong(file, what, each, known)
            : ConfigFile.wrong(file, what + " (type --" + each + " each time)");
      }
    }
    return new Settings(shell, table);
  }

  private static Failure wrong(RawPath file, String what, String typed, List<String> known) {
    String hint = Nearest.to(typed, known).map(near -> " (did you mean " + near + "?)").orElse("");
    return ConfigFile.wrong(file, what + hint);
  }

  /// The options of a command that are set, each to what [#defaultValue] gives.
  List<Option> set(Command command) {
    List<Option> set = new ArrayList<>();
    for (String name : NAMES) {
      Option option = setOf(name) == null ? null : command.named("--" + name);
      if (option != null) {
        set.add(option);
      }
    }
    return set;
  }

  static List<OptionSpec> optionsOf(Command command) {
    List<OptionSpec> options = new ArrayList<>();
    for (OptionSpec option : command.spec().options()) {
      if (isSettable(option)) {
        options.add(option);
      }
    }
    return options;
  }

  private static boolean isSettable(OptionSpec option) {
    return option.longestName().startsWith("--") && NAMES.contains(nameOf(option));
  }

  static String nameOf(OptionSpec option) {
    return option.longestName().substring(2);
  }

  /// The variable that sets `name`: `ZCP_LIMIT_RATE` sets `limit-rate`.
  private static String variableOf(String name) {
    return "ZCP_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /// What an option that can be set is if it is not typed.
  Setting of(OptionSpec option) {
    Setting set = setOf(nameOf(option));
    return set == null ? new Setting(option.defaultValue(), "default") : set;
  }

  /// What a message about the value of an option names, if it was not typed.
  String labelOf(OptionSpec option) {
    String origin = of(option).origin();
    return origin.equals(FILE) ? origin + ": " + nameOf(option) : origin;
  }

  /// Whether an option is set, be it to its default.
  boolean has(OptionSpec option) {
    return isSettable(option) && setOf(nameOf(option)) != null;
  }

  private Setting setOf(String name) {
    String variable = shell.nonEmptyVariable(variableOf(name));
    if (variable != null) {
      return new Setting(variable, variableOf(name));
    }
    String set = table.get(name);
    return set == null ? null : new Setting(set, FILE);
  }

  @Override
  public String defaultValue(ArgSpec argument) {
    return argument instanceof OptionSpec option && isSettable(option) ? of(option).value() : null;
  }
}
