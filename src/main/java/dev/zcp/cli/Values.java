package dev.zcp.cli;

import picocli.CommandLine.Model.ArgSpec;

/// What the value of an option or an operand is, so that a shell knows how to complete it.
public enum Values {
  /// One of the words that `completionCandidates()` lists.
  WORDS,
  FILES,
  DIRECTORIES,
  /// Something that no shell can guess.
  FREE;

  /// @throws IllegalArgumentException where a new label has no place here yet
  public static Values of(ArgSpec argument) {
    if (argument.completionCandidates() != null) {
      return WORDS;
    }
    return switch (argument.paramLabel()) {
      case "FILE", "JAR", "SOURCE", "TARGET", "SOURCE... TARGET" -> FILES;
      case "DIRECTORY" -> DIRECTORIES;
      case "ADDRESS", "HOST:PORT", "SIZE", "TIME", "LIST", "N", "SUFFIX", "PATTERN" -> FREE;
      default -> throw new IllegalArgumentException("a value labelled " + argument.paramLabel());
    };
  }
}
