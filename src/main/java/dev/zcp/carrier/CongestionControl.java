package dev.zcp.carrier;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.linux.Congestion;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;

/// The TCP congestion control that a user asked for by `--congestion`: used, or refused.
public final class CongestionControl {

  private CongestionControl() {}

  /// @param name null if nobody asked
  /// @throws Failure USAGE if this kernel has none of this name, or this user may not have it
  public static void requireKnown(String name) throws Failure {
    if (name == null) {
      return;
    }
    try {
      List<String> available = Congestion.available();
      if (!available.contains(name)) {
        throw refused(name, "this kernel has " + String.join(", ", available))
            .with("modprobe tcp_" + Printable.of(name) + " may load it");
      }
      try (SocketChannel trial = SocketChannel.open()) {
        ask(trial, name);
      }
    } catch (IOException e) {
      throw refused(name, Reasons.of(e)).because(e);
    }
  }

  /// Has `socket` use it.
  ///
  /// @param name null if nobody asked
  /// @throws Failure USAGE if the kernel will not
  public static void ask(SocketChannel socket, String name) throws Failure {
    if (name == null) {
      return;
    }
    try {
      Congestion.use(socket, name);
    } catch (IOException e) {
      throw refused(name, Reasons.of(e)).because(e);
    }
  }

  private static Failure refused(String name, String why) {
    return Failure.of(ExitCode.USAGE, "--congestion=" + Printable.of(name), why);
  }
}
