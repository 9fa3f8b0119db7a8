package dev.zcp.docs;

import dev.zcp.cli.Command;
import dev.zcp.cli.Help;
import dev.zcp.cli.Values;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The script for bash. picocli has one of its own, which does not complete the value of
/// `--option=VALUE`: to readline, `=` ends a word.
final class BashCompletion {

  private static final String HEAD =
      """
      # bash completion for zcp, made from its command line

      _zcp_reply() {
        mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
      }

      _zcp_files() {
        compopt -o filenames
        _zcp_reply -f
      }

      _zcp_directories() {
        compopt -o filenames
        _zcp_reply -d
      }

      # the words of a list, behind those that are there
      _zcp_list() {
        local before=
        [[ $cur == *,* ]] && before=${cur%,*},
        cur=${cur##*,}
        compopt -o nospace
        _zcp_reply -P "$before" -W "$*"
      }

      _zcp() {
        local cur=${COMP_WORDS[COMP_CWORD]} option= i
        COMPREPLY=()
        if ((COMP_CWORD == 1)); then
          _zcp_reply -W "@ROOT@"
          return
        fi
        # '=' is a word of its own, unless COMP_WORDBREAKS was changed
        if [[ $cur == --*=* ]]; then
          option=${cur%%=*}
          cur=${cur#*=}
        elif [[ $cur == = ]]; then
          option=${COMP_WORDS[COMP_CWORD - 1]}
          cur=
        elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
          option=${COMP_WORDS[COMP_CWORD - 2]}
        else
          option=${COMP_WORDS[COMP_CWORD - 1]}
          # what may stand alone has its value behind '=' or none
          case ${COMP_WORDS[1]}:$option in @ALONE@) option= ;; esac
        fi
        # after '--' there are operands only
        for ((i = 2; i < COMP_CWORD; i++)); do
          [[ ${COMP_WORDS[i]} == -- ]] && option=--
        done
        case ${COMP_WORDS[1]}:$option in
      """;

  /// `--option=` wants its value at once; anything else is a word that is complete.
  private static final String TAIL =
      """
        esac
        if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == --*= ]]; then
          compopt -o nospace
        fi
        # where '=' was not a word of its own, the option is still part of the word
        if [[ ${COMP_WORDS[COMP_CWORD]} == --*=* ]]; then
          COMPREPLY=("${COMPREPLY[@]/#/$option=}")
        fi
      }

      complete -F _zcp zcp
      """;

  String script(Command root, List<Command> commands) {
    String names = commands.stream().map(Docs::word).collect(Collectors.joining(" "));
    String first = names + " help " + optionWords(root);
    String alone = String.join(" | ", optionalValues(commands));
    StringBuilder script =
        new StringBuilder(HEAD.replace("@ROOT@", first).replace("@ALONE@", alone));
    for (Command command : commands) {
      for (OptionSpec option : Docs.options(command)) {
        if (Help.takesValue(option)) {
          branch(script, patterns(command, option), action(option));
        }
      }
    }
    branch(script, "help:*", "_zcp_reply -W \"" + names + "\"");
    for (Command command : commands) {
      String operands = action(Docs.operands(command));
      branch(script, Docs.word(command) + ":--", operands);
      branch(
          script,
          Docs.word(command) + ":*",
          "if [[ $cur == -* ]]; then _zcp_reply -W \""
              + optionWords(command)
              + "\"; else "
              + operands
              + "; fi");
    }
    return script.append(TAIL).toString();
  }

  private static List<String> optionalValues(List<Command> commands) {
    return commands.stream()
        .flatMap(
            command ->
                Docs.options(command).stream()
                    .filter(Help::isValueOptional)
                    .map(option -> Docs.word(command) + ":" + option.longestName()))
        .toList();
  }

  private static void branch(StringBuilder script, String pattern, String action) {
    script.append("    ").append(pattern).append(") ").append(action).append(" ;;\n");
  }

  private static String action(ArgSpec argument) {
    return switch (Values.of(argument)) {
      case WORDS -> "_zcp_reply -W \"" + Docs.words(argument) + "\"";
      case WORD_LIST -> "_zcp_list " + Docs.words(argument);
      case FILES -> "_zcp_files";
      case DIRECTORIES -> "_zcp_directories";
      case FREE -> ":";
    };
  }

  private static String optionWords(Command command) {
    return Docs.options(command).stream()
        .flatMap(
            option ->
                List.of(option.names()).stream()
                    .map(n -> wantsValue(option) && n.startsWith("--") ? n + "=" : n))
        .collect(Collectors.joining(" "));
  }

  /// Each name that the option has, as the script tells them apart.
  private static String patterns(Command command, OptionSpec option) {
    return List.of(option.names()).stream()
        .map(name -> Docs.word(command) + ":" + name)
        .collect(Collectors.joining(" | "));
  }

  private static boolean wantsValue(OptionSpec option) {
    return Help.takesValue(option) && !Help.isValueOptional(option);
  }
}
