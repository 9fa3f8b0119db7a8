package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.List;

/// When to show progress.
enum ProgressWhen {
  /// If standard error is a terminal.
  AUTO("auto"),
  ALWAYS("always"),
  NEVER("never");

  static final List<String> WORDS = List.of(AUTO.word, ALWAYS.word, NEVER.word);

  private final String word;

  ProgressWhen(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }

  /// @throws Failure USAGE if `typed` is none of [#WORDS]
  static ProgressWhen of(String typed) throws Failure {
    for (ProgressWhen when : values()) {
      if (when.word.equals(typed)) {
        return when;
      }
    }
    throw Failure.of(
        ExitCode.USAGE, "--progress: '" + typed + "' is not one of " + String.join(", ", WORDS));
  }
}
