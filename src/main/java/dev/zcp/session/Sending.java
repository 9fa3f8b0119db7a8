package dev.zcp.session;

import dev.zcp.compress.Compression;
import dev.zcp.insight.Verified;

/// How a sender goes about its session.
///
/// @param verify how far the arrival is to be proved
/// @param resumeVerify what of the bytes that the receiver holds is compared with the source
/// @param mustDiscard whether this is a trial: a receiver that would keep the files is refused
///   before any of them goes
/// @param isForced whether the receiver is known to force each file to its device before it says
///   that it has it
public record Sending(
    Verified verify,
    ResumeVerify resumeVerify,
    boolean mustDiscard,
    boolean isForced,
    Compression compression) {

  public static final Sending USUAL =
      new Sending(Verified.WIRE, ResumeVerify.ALL, false, false, Compression.AUTO);

  /// Whose bytes may be compressed.
  public Sending(
      Verified verify, ResumeVerify resumeVerify, boolean mustDiscard, boolean isForced) {
    this(verify, resumeVerify, mustDiscard, isForced, Compression.AUTO);
  }
}
