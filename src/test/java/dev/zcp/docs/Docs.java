package dev.zcp.docs;

import dev.zcp.cli.Command;
import dev.zcp.cli.Commands;
import dev.zcp.cli.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The files that are made from the model of the command line: completion scripts and manual pages.
final class Docs {

  private Docs() {}

  /// The text of each file, by its path from the top of the project.
  static Map<String, String> all() {
    List<Command> commands = Commands.all();
    Command root = commands.getFirst();
    List<Command> subcommands = commands.subList(1, commands.size());
    Map<String, String> files = new TreeMap<>();
    files.put("completions/zcp.bash", new BashCompletion().script(root, subcommands));
    files.put("completions/_zcp", new ZshCompletion().script(root, subcommands));
    files.put("completions/zcp.fish", new FishCompletion().script(root, subcommands));
    for (Command command : commands) {
      files.put("man/" + page(command) + ".1", new ManPage(commands).page(command));
    }
    return files;
  }

  /// The name of the manual page: `zcp-copy` of `zcp copy`.
  static String page(Command command) {
    return command.title().replace(' ', '-');
  }

  /// `copy` of `zcp copy`.
  static String word(Command command) {
    return command.title().substring(command.title().lastIndexOf(' ') + 1);
  }

  static List<OptionSpec> options(Command command) {
    return command.spec().options().stream().filter(option -> !option.hidden()).toList();
  }

  /// What the operands of `command` are: of two sorts, the one that a shell can complete.
  static ArgSpec operands(Command command) {
    List<ArgSpec> operands = new ArrayList<>(command.spec().positionalParameters());
    operands.removeIf(operand -> operands.size() > 1 && Values.of(operand) == Values.FREE);
    return operands.getLast();
  }

  /// The words that a value may be.
  static String words(ArgSpec argument) {
    return String.join(" ", argument.completionCandidates());
  }

  /// `Copy files.` of `copy files`: fish and zsh show no full stop, so none here either.
  static String oneLine(Command command, OptionSpec option) {
    String text = command.manual().options().get(option.longestName());
    int stop = text.indexOf(". ");
    String first = stop < 0 ? text : text.substring(0, stop);
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }
}
