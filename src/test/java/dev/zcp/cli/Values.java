package dev.zcp.cli;

import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// What the value of an option or an operand is, so that a shell knows how to complete it.
public enum Values {
  /// One of the words that `completionCandidates()` lists.
  WORDS,
  /// Several of those words, with commas between them.
  WORD_LIST,
  FILES,
  DIRECTORIES,
  /// Something that no shell can guess.
  FREE;

  /// Whether an option may be given again, and then says more than the last time.
  public static boolean addUp(OptionSpec option) {
    return option.isMultiValue() || option.setter() instanceof Option.Recorder;
  }

  /// @throws IllegalArgumentException if a new label has no place here yet
  public static Values of(ArgSpec argument) {
    if (argument.completionCandidates() != null) {
      return argument.paramLabel().equals("LIST") ? WORD_LIST : WORDS;
    }
    return switch (argument.paramLabel()) {
      case "FILE", "JAR", "SOURCE", "TARGET", "SOURCE... TARGET", "SOURCE TARGET", "DIR/I" -> FILES;
      case "DIRECTORY", "DIR" -> DIRECTORIES;
      case "ADDRESS",
          "COMMAND",
          "PROGRAM",
          "HOST",
          "HOST:PORT",
          "SIZE",
          "TIME",
          "LIST",
          "N",
          "SUFFIX",
          "PATTERN" ->
          FREE;
      default -> throw new IllegalArgumentException("a value labelled " + argument.paramLabel());
    };
  }
}
