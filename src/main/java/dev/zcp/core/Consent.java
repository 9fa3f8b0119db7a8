package dev.zcp.core;

/// Whoever can be asked before something is done that cannot be undone.
@FunctionalInterface
public interface Consent {

  /// Whether the answer to `question`, a sentence with its question mark, is yes. One question is
  /// asked at a time; if nobody can be asked, the answer is no.
  boolean isGiven(String question);
}
