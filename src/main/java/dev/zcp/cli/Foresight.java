package dev.zcp.cli;

import dev.zcp.session.copy.Copier;
import dev.zcp.session.receive.Receiver;
import dev.zcp.session.send.Sender;
import java.util.List;

/// Guesses by the look of a command line what it will need, before it is parsed: a quarter of a
/// short process goes by with that, on one processor of several. A wrong guess does no harm.
final class Foresight {

  /// The short options of `zcp copy` and `zcp send` that never go without native calls.
  private static final String OF_TREES = "aRrpd";

  private Foresight() {}

  /// @param arguments as the JVM decoded them
  static void act(String[] arguments) {
    List<String> words = List.of(arguments);
    if (words.contains("--help") || words.contains("-h")) {
      return;
    }
    String command = words.isEmpty() ? "" : words.getFirst();
    if (command.equals("copy") && hasOptionOfTrees(arguments)) {
      Copier.expectTrees();
    } else if (command.equals("send")) {
      Sender.expect(hasOptionOfTrees(arguments));
    } else if (command.equals("receive")) {
      Receiver.expect();
    }
  }

  private static boolean hasOptionOfTrees(String[] arguments) {
    for (String argument : arguments) {
      if (argument.startsWith("--")) {
        if (argument.equals("--archive") || argument.equals("--recursive")) {
          return true;
        }
      } else if (argument.length() > 1 && argument.charAt(0) == '-') {
        for (int i = 1; i < argument.length(); i++) {
          if (OF_TREES.indexOf(argument.charAt(i)) >= 0) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
