package dev.zcp.cli;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Words;
import dev.zcp.session.ResumeVerify;
import java.util.List;

/// The options of both ends of a session that say how far arrivals are verified, and how far what
/// arrived before.
final class ProofOptions extends Options {

  static final List<String> LEVELS = Words.of(Level.values());

  private final Option verify;
  private final Option resumeVerify;

  /// @param standard the level if none is given. Without one, a receiver asks for no more than each
  ///   sender does
  ProofOptions(Level standard) {
    verify = option("--verify=LEVEL", standard == null ? null : Words.of(standard), LEVELS);
    resumeVerify = option("--resume-verify=HOW", "all", Words.of(ResumeVerify.values()));
  }

  /// The level, or null if nothing is said.
  Level level() throws Failure {
    return valueOf(verify) == null ? null : constant(verify, Level.values());
  }

  ResumeVerify resumeVerify() throws Failure {
    return constant(resumeVerify, ResumeVerify.values());
  }
}
