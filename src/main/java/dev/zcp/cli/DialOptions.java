package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.session.PeerEndpoint.Dial;
import java.util.List;

/// The options of the end of a session that makes the connections, whichever end gives the files.
final class DialOptions extends Options {

  private static final String AUTO = "auto";

  /// With a pause of 5 s at most between two, more than half a day.
  private static final int RETRIES_MAX = 10_000;

  private static final String ALL = "--connections --connect-timeout --retries";

  static final List<OptionConflict> CONFLICTS =
      List.of(OptionConflict.of(Use.LISTENING, ALL), OptionConflict.of(Use.SSH, ALL));

  private final Option connections = option("--connections=N", AUTO);
  private final Option connectTimeout = option("--connect-timeout=TIME", "3s");
  private final Option retries = option("--retries=N", Integer.toString(Dial.RETRIES_USUAL));

  Dial dial(Address address) throws Failure {
    if (address.port() == 0) {
      throw usage(address + ": cannot connect to port 0");
    }
    return new Dial(address, connections(), (int) number(retries, 0, RETRIES_MAX, ""));
  }

  long connectTimeoutNs() throws Failure {
    return elapsedNs(connectTimeout);
  }

  private int connections() throws Failure {
    if (valueOf(connections).equalsIgnoreCase(AUTO)) {
      return Dial.CONNECTIONS_AUTO;
    }
    return (int) number(connections, 1, Dial.CONNECTIONS_MAX, ", or " + AUTO);
  }
}
