package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.session.Flow;
import dev.zcp.session.Savings;

/// The options of a copy that say how fast it may go, how long it may stand still, and how fewer
/// bytes go.
final class FlowOptions extends Options {

  private final Option limitRate = option("--limit-rate=SIZE");
  private final Option stallTimeout = option("--stall-timeout=TIME", "30s");
  private final SavingOptions saving = group(new SavingOptions());

  /// Bytes a second at most; 0 for no limit.
  private long rateBytes() throws Failure {
    return isKnown(limitRate) ? bytes(limitRate, PeerOptions.RATE_BYTES_MIN, Long.MAX_VALUE) : 0;
  }

  /// As [#rateBytes], of a copy on this machine. A limit that is only set is for a network.
  long rateHereBytes() throws Failure {
    return isGiven(limitRate) ? rateBytes() : 0;
  }

  Savings savings() throws Failure {
    return saving.savings();
  }

  Flow flow() throws Failure {
    long stallNs = elapsedNs(stallTimeout);
    return new Flow(rateBytes(), stallNs, stallNs, 0, null);
  }
}
