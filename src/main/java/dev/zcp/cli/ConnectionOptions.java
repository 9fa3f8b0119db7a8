package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.insight.Verified;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.Sending;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of `zcp send` about the connections it makes.
final class ConnectionOptions {

  private static final String AUTO = "auto";

  /// With a pause of 5 s at most between two, more than half a day.
  private static final int RETRIES_MAX = 10_000;

  private final OptionSpec connections =
      Options.value(
              "N",
              "Send over N connections at once; a receiver accepts 16. auto adds"
                  + " connections as long as that makes the transfer faster.",
              "--connections")
          .defaultValue(AUTO)
          .build();
  private final OptionSpec connectTimeout =
      Options.value(
              "TIME",
              "Wait at most TIME for a connection, such as 500ms, 3s or 2m.",
              "--connect-timeout")
          .defaultValue("3s")
          .build();
  private final OptionSpec retries =
      Options.value(
              "N",
              "If all connections are lost, connect again up to N times. The count"
                  + " starts anew after progress.",
              "--retries")
          .defaultValue(Integer.toString(Sending.RETRIES_USUAL))
          .build();

  void addTo(CommandSpec spec) {
    for (OptionSpec option : List.of(connections, connectTimeout, retries)) {
      spec.addOption(option);
    }
  }

  long connectTimeoutNs() throws Failure {
    return Timeout.of(connectTimeout);
  }

  /// @throws Failure USAGE if one is no number, or too large a one
  Sending sending(Verified verify, ResumeVerify resumeVerify) throws Failure {
    return new Sending(
        connections(),
        (int) Numbers.between(retries, 0, RETRIES_MAX, ""),
        verify,
        resumeVerify,
        false);
  }

  private int connections() throws Failure {
    if (Options.valueOf(connections).equalsIgnoreCase(AUTO)) {
      return Sending.CONNECTIONS_AUTO;
    }
    return (int) Numbers.between(connections, 1, Sending.CONNECTIONS_MAX, ", or " + AUTO);
  }
}
