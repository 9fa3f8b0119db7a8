package dev.zcp.cli;

import dev.zcp.session.receive.Receiver;
import dev.zcp.session.send.Sender;

/// Begins to load what a session's handshake needs while the arguments are still being parsed, by
/// the look of the command line alone. A wrong guess does no harm.
final class Prewarm {

  private Prewarm() {}

  /// @param arguments as the JVM decoded them
  static void start(String[] arguments) {
    String command = arguments.length == 0 ? "" : arguments[0];
    if (command.equals("send")) {
      Sender.expect();
    } else if (command.equals("receive")) {
      Receiver.expect();
    }
  }
}
