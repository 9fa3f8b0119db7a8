package dev.zcp.session;

import dev.zcp.insight.Verified;
import dev.zcp.wire.Limits;

/// How a sender goes about its session.
///
/// @param connections how many connections, or [#CONNECTIONS_AUTO]
/// @param retries how often in a row, and without progress between, it connects anew
/// @param verify how far the arrival is to be proved
/// @param resumeVerify what of the bytes that the receiver holds is compared with the source
/// @param mustDiscard whether this is a trial: a receiver that would keep the files is refused
///   before any of them goes
public record Sending(
    int connections, int retries, Verified verify, ResumeVerify resumeVerify, boolean mustDiscard) {

  /// As many as pay.
  public static final int CONNECTIONS_AUTO = 0;

  /// As many at most, where nobody said how many.
  public static final int CONNECTIONS_AUTO_MAX = 8;

  public static final int CONNECTIONS_MAX = Limits.CONNECTIONS_MAX;

  public static final int RETRIES_USUAL = 5;

  public static final Sending USUAL =
      new Sending(CONNECTIONS_AUTO, RETRIES_USUAL, Verified.WIRE, ResumeVerify.ALL, false);
}
