package dev.zcp.session;

import dev.zcp.core.Level;

/// How a sender goes about its session.
///
/// @param verify how far the arrival is to be proved
/// @param resumeVerify what of the bytes that the receiver holds is compared with the source
/// @param mustDiscard whether this is a trial: a receiver that would keep the files is refused
///   before any of them goes
/// @param isForced whether the receiver is known to force each file to its device before it says
///   that it has it
/// @param savings what is done to send fewer bytes
/// @param dryRun whether nothing is sent, and it is only told what would be
/// @param there what stands before a path at the receiver if it is told what would become of it
public record Sending(
    Level verify,
    ResumeVerify resumeVerify,
    boolean mustDiscard,
    boolean isForced,
    Savings savings,
    boolean dryRun,
    String there) {

  public static final Sending USUAL =
      new Sending(Level.WIRE, ResumeVerify.ALL, false, false, Savings.AUTO);

  public Sending(
      Level verify,
      ResumeVerify resumeVerify,
      boolean mustDiscard,
      boolean isForced,
      Savings savings) {
    this(verify, resumeVerify, mustDiscard, isForced, savings, false, "");
  }

  /// The same, of which only the plan is told.
  ///
  /// @param prefix of paths at the receiver
  public Sending asPlan(String prefix) {
    return new Sending(verify, resumeVerify, mustDiscard, isForced, savings, true, prefix);
  }
}
