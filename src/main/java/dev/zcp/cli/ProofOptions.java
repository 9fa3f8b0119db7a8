package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.insight.Verified;
import dev.zcp.session.ResumeVerify;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;

/// The options of both ends of a session that say how far arrivals are verified, and how far what
/// arrived before.
final class ProofOptions extends Options {

  static final List<String> LEVELS = new ArrayList<>();

  /// In the order of [ResumeVerify].
  private static final List<String> RESUMES = List.of("all", "sample", "none");

  static {
    for (Verified level : Verified.values()) {
      LEVELS.add(level.label());
    }
  }

  private final OptionSpec verify;
  private final OptionSpec resumeVerify;

  private ProofOptions(String description, String standard) {
    verify = option("--verify=LEVEL", description, standard, LEVELS);
    resumeVerify =
        option(
            "--resume-verify=HOW",
            "How much of a partly sent file to read again on this side when it is"
                + " resumed: all (if reading is cheaper than sending), a sample, or none."
                + " Both sides report the rest as not verified.",
            RESUMES.getFirst(),
            RESUMES);
  }

  static ProofOptions ofSender() {
    return new ProofOptions(
        "How to verify that files arrived. none: not at all; wire: compare digests"
            + " of what was sent and what was written; readback: read what was written"
            + " again; media: read it from the device, not from memory.",
        Verified.WIRE.label());
  }

  /// Without a default: then each sender has what it asks for.
  static ProofOptions ofReceiver() {
    return new ProofOptions(
        "Verify at least to this level, even if a sender asks for less: none,"
            + " wire, readback or media, as in 'zcp send'.",
        null);
  }

  /// The level, or null if nothing is said.
  ///
  /// @throws Failure USAGE if there is no such level
  Verified level() throws Failure {
    return valueOf(verify) == null ? null : Verified.values()[indexOf(verify, LEVELS)];
  }

  ResumeVerify resumeVerify() throws Failure {
    return ResumeVerify.values()[indexOf(resumeVerify, RESUMES)];
  }
}
