package dev.zcp.cli;

import dev.zcp.core.Failure;
import java.util.List;
import picocli.CommandLine.ParseResult;

/// Options that a command refuses together with others, or for some of its uses. The command line
/// is checked by it, and the manual lists it.
///
/// @param use the only one in which they are refused, or ANY
/// @param others with which they are refused; empty if they are always refused in that use
/// @param why a clause; empty if there are no others
public record OptionConflict(Use use, List<String> options, List<String> others, String why) {

  /// What a command is used for.
  public enum Use {
    ANY(""),
    STREAM("'-', which is a stream; a file of that name is ./-"),
    HERE("a copy on this machine"),
    SHARED("--reflink=always, which shares blocks as a whole"),
    UNSHARED("--reflink=never, which chooses the strategy"),
    REMOTE("a remote copy"),
    FETCH("a copy from another machine"),
    BETWEEN("a copy from one other machine to another"),
    SSH("ssh, which makes its connections itself"),
    LISTENING("an end that listens");

    private final String phrase;

    Use(String phrase) {
      this.phrase = phrase;
    }
  }

  /// @param options names, with a space between two
  static OptionConflict of(String options, String others, String why) {
    return of(Use.ANY, options, others, why);
  }

  static OptionConflict of(Use use, String options, String others, String why) {
    return new OptionConflict(use, List.of(options.split(" ")), List.of(others.split(" ")), why);
  }

  static OptionConflict of(Use use, String options) {
    return new OptionConflict(use, List.of(options.split(" ")), List.of(), "");
  }

  void check(ParseResult typed) throws Failure {
    for (String option : options) {
      if (!typed.hasMatchedOption(option)) {
        continue;
      }
      if (others.isEmpty()) {
        throw Options.usage(option + " is not for " + use.phrase);
      }
      for (String other : others) {
        if (typed.hasMatchedOption(other)) {
          throw Options.usage(option + " and " + other + " cannot be combined: " + why);
        }
      }
    }
  }

  /// What the manual says of the options, a sentence.
  public String rule() {
    String when = use == Use.ANY ? "" : " for " + use.phrase;
    return others.isEmpty()
        ? "Not" + when + "."
        : "Not" + when + " with " + String.join(", ", others) + ": " + why + ".";
  }
}
