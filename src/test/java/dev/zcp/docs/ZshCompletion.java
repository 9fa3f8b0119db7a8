package dev.zcp.docs;

import dev.zcp.cli.Command;
import dev.zcp.cli.Help;
import dev.zcp.cli.Values;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The script for zsh: one call of `_arguments` for each command.
final class ZshCompletion {

  String script(Command root, List<Command> commands) {
    StringBuilder script =
        new StringBuilder(
            """
            #compdef zcp
            # zsh completion for zcp, made from its command line

            _zcp() {
              local curcontext="$curcontext" state line
              local -a commands
              commands=(
            """);
    for (Command command : commands) {
      script
          .append("    ")
          .append(quoted(Docs.word(command) + ":" + command.manual().summary()))
          .append('\n');
    }
    script.append("    'help:print the help of a command'\n  )\n  _arguments -C \\\n");
    options(script, root, "    ");
    script.append(
        """
            '1:command:->command' \\
            '*::argument:->argument'
          case $state in
            command) _describe -t commands command commands ;;
            argument)
              case $line[1] in
                help) _describe -t commands command commands ;;
        """);
    for (Command command : commands) {
      script
          .append("        ")
          .append(Docs.word(command))
          .append(")\n          _arguments -s -S \\\n");
      options(script, command, "            ");
      ArgSpec operands = Docs.operands(command);
      script
          .append("            ")
          .append(quoted("*:" + operands.paramLabel() + ":" + action(operands)))
          .append("\n          ;;\n");
    }
    // Autoloaded from fpath the file is the function's body; sourced, it must announce itself.
    return script
        .append(
            """
                  esac
                  ;;
              esac
            }

            if [ "$funcstack[1]" = _zcp ]; then
              _zcp "$@"
            else
              compdef _zcp zcp
            fi
            """)
        .toString();
  }

  private static void options(StringBuilder script, Command command, String indent) {
    for (OptionSpec option : Docs.options(command)) {
      // A list may be given again; anything else excludes itself.
      boolean again = Values.addUp(option);
      String excluded = again ? "*" : "(" + String.join(" ", option.names()) + ")";
      for (String name : option.names()) {
        // "=-" asks for a value right behind it, "::" does without one.
        String value = (Help.isValueOptional(option) ? "=-::" : "=:") + option.paramLabel();
        value = Help.takesValue(option) ? value + ":" + action(option) : "";
        int label = value.indexOf(':') < 0 ? 0 : value.indexOf(':');
        script
            .append(indent)
            .append(
                quoted(
                    excluded
                        + name
                        + value.substring(0, label)
                        + "["
                        + description(command, option)
                        + "]"
                        + value.substring(label).replace("HOST:PORT", "HOST\\:PORT")))
            .append(" \\\n");
      }
    }
  }

  private static String action(ArgSpec argument) {
    return switch (Values.of(argument)) {
      case WORDS -> "(" + Docs.words(argument) + ")";
      case WORD_LIST -> "_sequence compadd - " + Docs.words(argument);
      case FILES -> "_files";
      case DIRECTORIES -> "_directories";
      case FREE -> " ";
    };
  }

  private static String description(Command command, OptionSpec option) {
    return Docs.oneLine(command, option)
        .replace("[", "\\[")
        .replace("]", "\\]")
        .replace(":", "\\:");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
