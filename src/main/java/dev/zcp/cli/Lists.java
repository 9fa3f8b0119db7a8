package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.OptionSpec;

/// Options that take several values: `4K,64K`, or the option again, or both. Each value counts
/// once, in the order of the first.
final class Lists {

  private Lists() {}

  /// What was given, printable; empty if nothing was.
  ///
  /// @throws Failure USAGE if a value is empty
  static List<String> words(OptionSpec option) throws Failure {
    Set<String> words = new LinkedHashSet<>();
    for (String given : Options.valuesOf(option)) {
      words.addAll(words(option.longestName(), given));
    }
    return List.copyOf(words);
  }

  /// The words of one value.
  ///
  /// @param what to call it in a message: `--preserve`
  /// @param given each byte a char
  /// @throws Failure USAGE if a word is empty
  static List<String> words(String what, String given) throws Failure {
    List<String> words = new ArrayList<>();
    for (String word : given.split(",", -1)) {
      if (word.isBlank()) {
        throw Failure.of(
            ExitCode.USAGE, what + ": '" + RawText.printable(given) + "' has an empty value");
      }
      words.add(RawText.printable(word.strip()));
    }
    return words;
  }

  /// Sizes of files.
  ///
  /// @throws Failure USAGE if one is no size, or 0
  static List<Long> sizes(OptionSpec option) throws Failure {
    Set<Long> sizes = new LinkedHashSet<>();
    for (String word : words(option)) {
      sizes.add(size(option, word));
    }
    return List.copyOf(sizes);
  }

  /// Sizes of one call: also [dev.zcp.engine.Choice#WHOLE].
  ///
  /// @throws Failure USAGE if one is neither
  static List<Long> chunks(OptionSpec option) throws Failure {
    Set<Long> chunks = new LinkedHashSet<>();
    for (String word : words(option)) {
      chunks.add(Numbers.chunkBytes(option, word));
    }
    return List.copyOf(chunks);
  }

  /// The one of `known` that `typed` is, whatever its case.
  ///
  /// @param what to call it in a message: `--cache`
  /// @throws Failure USAGE if it is none, with the nearest
  static String oneOf(List<String> known, String typed, String what) throws Failure {
    for (String word : known) {
      if (word.equalsIgnoreCase(typed)) {
        return word;
      }
    }
    // Of two letters, any would be near.
    String hint =
        Nearest.to(typed, known)
            .filter(near -> near.length() > 2)
            .map(near -> " (did you mean " + near + "?)")
            .orElse("");
    throw Failure.of(
        ExitCode.USAGE,
        what + ": '" + typed + "' is not one of " + String.join(", ", known) + hint);
  }

  /// Each of `typed` as one of `known`; all of them if `all` is among what was typed.
  ///
  /// @throws Failure USAGE as [#oneOf]
  static List<String> someOf(List<String> known, String all, List<String> typed, String what)
      throws Failure {
    List<String> withAll = with(all, known);
    Set<String> chosen = new LinkedHashSet<>();
    for (String each : typed) {
      chosen.add(oneOf(withAll, each, what));
    }
    return chosen.contains(all) ? known : List.copyOf(chosen);
  }

  /// `words` and one more.
  static List<String> with(String last, List<String> words) {
    List<String> all = new ArrayList<>(words);
    all.add(last);
    return List.copyOf(all);
  }

  /// @throws Failure USAGE if `typed` is no size, or 0
  static long size(OptionSpec option, String typed) throws Failure {
    return Numbers.bytes(option, typed, 1, Long.MAX_VALUE);
  }
}
