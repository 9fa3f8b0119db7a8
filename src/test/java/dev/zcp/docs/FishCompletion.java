package dev.zcp.docs;

import dev.zcp.cli.Command;
import dev.zcp.cli.Help;
import dev.zcp.cli.Values;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The script for fish.
final class FishCompletion {

  private static final String HEAD =
      """
      # fish completion for zcp, made from its command line

      # The command is the first word, wherever its name appears again.
      function __zcp_in
          set -l words (commandline -opc)
          test (count $words) -gt 1; and contains -- $words[2] $argv
      end

      function __zcp_at_command
          test (count (commandline -opc)) -eq 1
      end

      # The words of a list, behind those that are there.
      function __zcp_list
          set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '.*,')
          # without one in front, nothing at all is not the same as nothing
          test -n "$before"; or set before ''
          printf '%s\\n' $before$argv
      end

      """;

  String script(Command root, List<Command> commands) {
    StringBuilder script = new StringBuilder(HEAD);
    String names = commands.stream().map(Docs::word).collect(Collectors.joining(" "));
    script.append("complete -c zcp -n __zcp_at_command -f\n");
    for (Command command : commands) {
      add(script, "__zcp_at_command", "-a " + Docs.word(command), command.manual().summary());
    }
    add(script, "__zcp_at_command", "-a help", "print the help of a command");
    options(script, "__zcp_at_command", root);
    add(script, "'__zcp_in help'", "-f -a " + quoted(names), "");
    for (Command command : commands) {
      String here = "'__zcp_in " + Docs.word(command) + "'";
      ArgSpec operands = Docs.operands(command);
      String words =
          switch (Values.of(operands)) {
            case WORDS, WORD_LIST -> "-f -a " + candidates(operands);
            case DIRECTORIES -> "-f -a '(__fish_complete_directories)'";
            case FILES -> "-F";
            case FREE -> "-f";
          };
      add(script, here, words, "");
      options(script, here, command);
    }
    return script.toString();
  }

  private static void options(StringBuilder script, String condition, Command command) {
    for (OptionSpec option : Docs.options(command)) {
      add(script, condition, words(option), Docs.oneLine(command, option));
    }
  }

  private static String words(OptionSpec option) {
    StringBuilder words = new StringBuilder();
    for (String name : option.names()) {
      boolean isLong = name.startsWith("--");
      words.append(words.isEmpty() ? "" : " ");
      words.append(isLong ? "-l " + name.substring(2) : "-s " + name.substring(1));
    }
    if (Help.isValueOptional(option)) {
      boolean isAny = option.completionCandidates() != null;
      words.append(isAny ? " -f -a " + candidates(option) : " -f");
    } else if (Help.takesValue(option)) {
      words.append(
          switch (Values.of(option)) {
            case WORDS, WORD_LIST -> " -x -a " + candidates(option);
            case DIRECTORIES -> " -x -a '(__fish_complete_directories)'";
            case FILES -> " -r -F";
            case FREE -> " -x";
          });
    }
    return words.toString();
  }

  private static String candidates(ArgSpec argument) {
    return Values.of(argument) == Values.WORD_LIST
        ? quoted("(__zcp_list " + Docs.words(argument) + ")")
        : quoted(Docs.words(argument));
  }

  private static void add(StringBuilder script, String condition, String words, String summary) {
    script.append("complete -c zcp -n ").append(condition).append(' ').append(words);
    script.append(summary.isEmpty() ? "\n" : " -d " + quoted(summary) + "\n");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
