package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.session.Flow;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of a command that talks to a peer about how it uses its connections.
final class FlowOptions {

  /// The kernel keeps twice the size in an int: sock_setsockopt in net/core/sock.c.
  private static final int SOCKET_BUFFER_BYTES_MAX = Integer.MAX_VALUE / 2;

  /// Slower than this the smallest piece takes more than a second, and a peer may wait no longer.
  private static final long RATE_BYTES_MIN = 1024;

  /// TCP_CA_NAME_MAX of net/tcp.h less its NUL byte.
  private static final int CONGESTION_CHARS_MAX = 15;

  private static final List<String> CONGESTIONS = List.of("bbr", "cubic", "reno");

  private final OptionSpec stallTimeout =
      Options.value(
              "TIME",
              "Give up if the peer makes no progress for TIME. A slow peer reports once"
                  + " a second, so use 2s or more.",
              "--stall-timeout")
          .defaultValue("30s")
          .build();
  private final OptionSpec limitRate =
      Options.value(
              "SIZE",
              "Move at most SIZE bytes per second over all connections, such as 500K or 10M.",
              "--limit-rate")
          .build();
  private final OptionSpec socketBuffer =
      Options.value(
              "SIZE",
              "Ask the kernel for a socket buffer of SIZE. By default the kernel adjusts"
                  + " the size itself.",
              "--socket-buffer")
          .build();
  private final OptionSpec congestion =
      Options.value(
              "NAME",
              "Use this TCP congestion control."
                  + " net.ipv4.tcp_available_congestion_control lists the names.",
              "--congestion")
          .completionCandidates(CONGESTIONS)
          .build();

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(stallTimeout, limitRate, socketBuffer, congestion)) {
      spec.addOption(option);
    }
  }

  /// @param connectTimeoutNs 0 of who does not connect
  /// @throws Failure USAGE if an option has no sensible value
  Flow flow(long connectTimeoutNs) throws Failure {
    return new Flow(
        Options.isGiven(limitRate) ? Numbers.bytes(limitRate, RATE_BYTES_MIN) : 0,
        connectTimeoutNs,
        Timeout.of(stallTimeout),
        Options.isGiven(socketBuffer)
            ? (int) Numbers.bytes(socketBuffer, 1, SOCKET_BUFFER_BYTES_MAX)
            : 0,
        congestion());
  }

  /// Whether the kernel has one of this name is for it to say: it may load a module for it.
  private String congestion() throws Failure {
    String given = Options.valueOf(congestion);
    if (given == null) {
      return null;
    }
    boolean isName = !given.isEmpty() && given.length() <= CONGESTION_CHARS_MAX;
    for (int i = 0; i < given.length(); i++) {
      char c = given.charAt(i);
      isName &= c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-';
    }
    if (!isName) {
      throw Failure.of(
          ExitCode.USAGE,
          "--congestion: '"
              + RawText.printable(given)
              + "' is not a congestion control; use bbr, cubic or another that"
              + " net.ipv4.tcp_available_congestion_control lists");
    }
    return given;
  }
}
