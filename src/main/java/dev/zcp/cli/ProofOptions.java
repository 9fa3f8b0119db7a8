package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.insight.Verified;
import dev.zcp.session.ResumeVerify;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// The options of both ends of a session that say how far arrivals are proved, and how far what has
/// arrived before is.
final class ProofOptions {

  private static final List<String> LEVELS = levels();

  /// In the order of [ResumeVerify].
  private static final List<String> RESUMES = List.of("all", "sample", "none");

  private final OptionSpec verify;
  private final OptionSpec resumeVerify =
      Options.value(
              "HOW",
              "How much of a partly sent file to read again on this side when it is"
                  + " resumed: all (if reading is cheaper than sending), a sample, or none."
                  + " Both sides report the rest as not verified.",
              "--resume-verify")
          .defaultValue(RESUMES.getFirst())
          .completionCandidates(RESUMES)
          .build();

  private ProofOptions(String description, String standard) {
    verify =
        Options.value("LEVEL", description, "--verify")
            .defaultValue(standard)
            .completionCandidates(LEVELS)
            .build();
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

  void addTo(CommandSpec spec) {
    spec.addOption(verify);
    spec.addOption(resumeVerify);
  }

  /// The level, or null if nothing is said.
  ///
  /// @throws Failure USAGE if there is no such level
  Verified level() throws Failure {
    String typed = Options.valueOf(verify);
    return typed == null
        ? null
        : Verified.values()[
            LEVELS.indexOf(Lists.oneOf(LEVELS, RawText.printable(typed), verify.longestName()))];
  }

  /// @throws Failure USAGE if there is no such word
  ResumeVerify resumeVerify() throws Failure {
    String typed = RawText.printable(Options.valueOf(resumeVerify));
    return ResumeVerify.values()[
        RESUMES.indexOf(Lists.oneOf(RESUMES, typed, resumeVerify.longestName()))];
  }

  private static List<String> levels() {
    List<String> levels = new ArrayList<>();
    for (Verified level : Verified.values()) {
      levels.add(level.label());
    }
    return List.copyOf(levels);
  }
}
