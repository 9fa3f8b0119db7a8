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

  /// @param standard the level if none is given. Without one, a receiver asks for no more than each
  ///   sender does
  ProofOptions(Verified standard) {
    verify = option("--verify=LEVEL", standard == null ? null : standard.label(), LEVELS);
    resumeVerify = option("--resume-verify=HOW", RESUMES.getFirst(), RESUMES);
  }

  /// The level, or null if nothing is said.
  Verified level() throws Failure {
    return valueOf(verify) == null ? null : Verified.values()[indexOf(verify, LEVELS)];
  }

  ResumeVerify resumeVerify() throws Failure {
    return ResumeVerify.values()[indexOf(resumeVerify, RESUMES)];
  }
}
