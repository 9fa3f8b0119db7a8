package dev.zcp.cli;

import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Nearest;
import dev.zcp.core.RawPath;
import dev.zcp.core.Words;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Range;

/// Options and operands that belong together, in the order of the help, and the ways to read their
/// values.
///
/// All are strings in picocli's programmatic model: annotations would cost 45 ms of every start,
/// and picocli's own conversion would word each mistake in its own way. In these strings each byte
/// is a char; [RawText] turns them into text and paths. What reads a value throws a [Failure],
/// USAGE, that names the option if the value is wrong.
abstract class Options {

  private static final String WHOLE = "whole";

  /// Longer than any transfer, and short enough that a deadline never overflows.
  private static final long HOURS_MAX = 24 * 365;

  /// A maximum that nobody meets, and no message names.
  private static final long UNBOUNDED_FROM = 1L << 60;

  private final List<Option> all = new ArrayList<>();
  private final List<PositionalParamSpec> operands = new ArrayList<>();

  /// What was typed of the options that are [#ordered], in that order.
  final List<Typed> given = new ArrayList<>();

  /// One option as it was typed.
  ///
  /// @param name its longest name
  /// @param value each byte a char; null of a flag
  record Typed(String name, String value) {}

  final <T extends Options> T group(T group) {
    all.addAll(((Options) group).all);
    operands.addAll(((Options) group).operands);
    return group;
  }

  final List<Option> allOptions() {
    return all;
  }

  final List<PositionalParamSpec> allOperands() {
    return operands;
  }

  /// A flag, or an option with a value. What it does is told in `src/main/help`: see [Manual].
  ///
  /// @param heading as the help shows it: `-q, --quiet`, `--chunk-size=SIZE`, `--backup[=HOW]`; for
  ///   what the value can be called see [Values]
  final Option option(String heading) {
    return option(heading, null, null);
  }

  /// @param standard the value if the option is not given
  final Option option(String heading, String standard) {
    return option(heading, standard, null);
  }

  /// @param standard the value if the option is not given, or if its value is optional and not
  ///   given; may be null
  /// @param words the values there are
  final Option option(String heading, String standard, Iterable<String> words) {
    return add(new Option(heading, standard, words, false, null));
  }

  /// An option with a value that may be given several times.
  final Option several(String heading, Iterable<String> words) {
    return add(new Option(heading, null, words, true, null));
  }

  /// An option that can take back what an earlier one said, so that the order counts: what was
  /// typed is in [#given]. picocli keeps the values of each option and not the order among several.
  final Option ordered(String heading, String standard, Iterable<String> words) {
    return add(new Option(heading, standard, words, false, given));
  }

  final Option ordered(String heading) {
    return ordered(heading, null, null);
  }

  /// Operands, any number of them if not just the first: a command counts them itself, to say what
  /// is missing in its own words.
  ///
  /// @param index which of them: `0`, `1..*`
  final PositionalParamSpec operands(String index, String label, Iterable<String> words) {
    PositionalParamSpec these =
        PositionalParamSpec.builder()
            .index(range(index))
            .arity(range(index.equals("0") ? "0..1" : "0..*"))
            .paramLabel(label)
            .type(List.class)
            .auxiliaryTypes(String.class)
            .completionCandidates(words)
            .build();
    operands.add(these);
    return these;
  }

  /// Not by picocli, which reads `*` as a number and catches what that throws.
  private static Range range(String text) {
    return text.endsWith("..*")
        ? new Range(text.charAt(0) - '0', Integer.MAX_VALUE, true, false, text)
        : Range.valueOf(text);
  }

  final PositionalParamSpec operands(String index, String label) {
    return operands(index, label, null);
  }

  /// The option that adds strategies to the built-in ones: see [#load].
  final Option strategyPath() {
    return several("--strategy-path=JAR", null);
  }

  private Option add(Option option) {
    all.add(option);
    return option;
  }

  static Failure usage(String what) {
    return Failure.of(ExitCode.USAGE, what);
  }

  static Failure usage(Option option, String what) {
    return Failure.of(ExitCode.USAGE, nameOf(option), what);
  }

  /// What gave an option its value: it, a variable or a line of the file with settings.
  private static String nameOf(Option option) {
    Settings settings = isGiven(option) ? null : settingsOf(option);
    return settings == null ? option.longestName() : settings.labelOf(option.spec());
  }

  /// Those that have set an option; null if none have.
  private static Settings settingsOf(Option option) {
    OptionSpec spec = option.madeSpec();
    return spec != null
            && spec.command() != null
            && spec.command().defaultValueProvider() instanceof Settings settings
            && settings.has(spec)
        ? settings
        : null;
  }

  static boolean isSet(Option flag) {
    return flag.madeSpec() != null && Boolean.TRUE.equals(flag.madeSpec().getValue());
  }

  /// Whether an option was typed, whatever its value.
  static boolean isGiven(Option option) {
    return option.madeSpec() != null && !option.madeSpec().originalStringValues().isEmpty();
  }

  /// Whether an option was typed or [set][Settings], so that its value is not just the default.
  static boolean isChosen(Option option) {
    return isGiven(option) || settingsOf(option) != null;
  }

  /// Whether an option has a value: the one typed, the one set, or the default.
  static boolean isKnown(Option option) {
    return valueOf(option) != null;
  }

  /// The value typed, else the one [set][Settings], else the default; null if there is none.
  static String valueOf(Option option) {
    String value = option.madeSpec() == null ? null : option.madeSpec().getValue();
    return value == null ? option.standard() : value;
  }

  /// The value given or the default, as a message may quote it.
  static String printable(Option option) {
    return RawText.printable(valueOf(option));
  }

  static List<String> valuesOf(Option option) {
    return option.madeSpec() == null ? List.of() : valuesOf(option.madeSpec());
  }

  static List<String> valuesOf(ArgSpec argument) {
    List<String> values = argument.getValue();
    return values == null ? List.of() : values;
  }

  /// The path given, or null.
  static RawPath pathOf(Option option) throws Failure {
    String latin1 = valueOf(option);
    return latin1 == null ? null : RawText.path(latin1);
  }

  static List<RawPath> paths(Option option) throws Failure {
    return rawPaths(valuesOf(option));
  }

  static List<RawPath> paths(PositionalParamSpec operands) throws Failure {
    return rawPaths(valuesOf(operands));
  }

  static List<RawPath> rawPaths(List<String> values) throws Failure {
    List<RawPath> paths = new ArrayList<>(values.size());
    for (String latin1 : values) {
      paths.add(RawText.path(latin1));
    }
    return paths;
  }

  static Strategies load(Option strategyPath) throws Failure {
    List<Path> jars = new ArrayList<>();
    for (RawPath jar : paths(strategyPath)) {
      jars.add(jar.toPath());
    }
    return Strategies.load(jars);
  }

  /// @throws Failure USAGE if `-` stands twice: the second reader would find nothing
  static void standardInputAtMostOnce(List<RawPath> sources) throws Failure {
    int count = 0;
    for (RawPath source : sources) {
      count += source.isStandardStream() ? 1 : 0;
    }
    if (count > 1) {
      throw usage("'-' can be read only once");
    }
  }

  static void atMost(int most, List<String> latin1) throws Failure {
    if (latin1.size() > most) {
      throw usage("one operand too many: '" + RawText.printable(latin1.get(most)) + "'");
    }
  }

  /// @param or what else could have been typed, with a space before it: ` or auto`; may be empty
  static long number(Option option, long min, long max, String or) throws Failure {
    String typed = printable(option);
    try {
      long number = Long.parseLong(typed);
      // parseLong also takes a sign, and digits of other scripts.
      if (number >= min && number <= max && digits(typed) == typed.length()) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    String bounds = max < UNBOUNDED_FROM ? " from " + min + " to " + max : ", " + min + " or more";
    throw usage(option, "'" + typed + "' is not a number" + bounds + or);
  }

  private static int digits(String typed) {
    int digits = 0;
    while (digits < typed.length() && typed.charAt(digits) >= '0' && typed.charAt(digits) <= '9') {
      digits++;
    }
    return digits;
  }

  static long bytes(Option option, long min, long max) throws Failure {
    return bytes(option, printable(option), min, max);
  }

  /// The size that `typed` is, one of the values of `option`.
  private static long bytes(Option option, String typed, long min, long max) throws Failure {
    try {
      long bytes = ByteSize.parse(typed).bytes();
      if (bytes >= min && bytes <= max) {
        return bytes;
      }
      String why =
          bytes < min
              ? "' is less than the minimum, " + new ByteSize(min)
              : "' is more than the maximum, " + new ByteSize(max);
      throw usage(option, "'" + typed + why);
    } catch (IllegalArgumentException e) {
      throw usage(option, e.getMessage()).because(e);
    }
  }

  /// The most bytes of one call: a size, or `whole` for [Choice#WHOLE].
  static long chunkBytes(Option option, String typed) throws Failure {
    return typed.equalsIgnoreCase(WHOLE) ? Choice.WHOLE : bytes(option, typed, 1, Long.MAX_VALUE);
  }

  /// Sizes of files, or with `chunks` of calls, each once.
  static List<Long> sizes(Option option, boolean chunks) throws Failure {
    Set<Long> sizes = new LinkedHashSet<>();
    for (String word : words(option)) {
      sizes.add(chunks ? chunkBytes(option, word) : bytes(option, word, 1, Long.MAX_VALUE));
    }
    return List.copyOf(sizes);
  }

  /// A time that somebody is willing to wait, such as `500ms`, `3s`, `2m` or `1h`, in nanoseconds.
  static long elapsedNs(Option option) throws Failure {
    String typed = printable(option);
    int digits = digits(typed);
    TimeUnit unit =
        switch (typed.substring(digits)) {
          case "ms" -> TimeUnit.MILLISECONDS;
          case "s" -> TimeUnit.SECONDS;
          case "m" -> TimeUnit.MINUTES;
          case "h" -> TimeUnit.HOURS;
          default -> null;
        };
    // 18 digits fit a long.
    boolean isTime = unit != null && digits > 0 && digits <= 18;
    long amount = isTime ? Long.parseLong(typed, 0, digits, 10) : 0;
    if (amount == 0 || unit.toHours(amount) > HOURS_MAX) {
      throw usage(option, "'" + typed + "' is not a time; use a form such as 500ms, 3s, 2m or 1h");
    }
    return unit.toNanos(amount);
  }

  /// Which of `known` the value of `option` is, whatever its case.
  static int indexOf(Option option, List<String> known) throws Failure {
    return known.indexOf(oneOf(known, printable(option), nameOf(option)));
  }

  /// Which of `constants` the value of `option` is, whatever its case.
  static <E extends Enum<E>> E constant(Option option, E[] constants) throws Failure {
    return constants[indexOf(option, Words.of(constants))];
  }

  /// The one of `known` that `typed` is, or begins, whatever its case.
  ///
  /// @param what to call it in a message: `--cache`
  /// @throws Failure USAGE if it is none, with the nearest, or if several begin like this
  static String oneOf(List<String> known, String typed, String what) throws Failure {
    List<String> begun = new ArrayList<>();
    for (String word : known) {
      if (word.equalsIgnoreCase(typed)) {
        return word;
      }
      if (!typed.isEmpty() && word.regionMatches(true, 0, typed, 0, typed.length())) {
        begun.add(word);
      }
    }
    if (begun.size() == 1) {
      return begun.getFirst();
    }
    if (!begun.isEmpty()) {
      throw usage(what + ": '" + typed + "' is ambiguous: " + String.join(", ", begun));
    }
    String near = Nearest.to(typed, known).orElse("");
    // Of two letters, any would be near.
    String hint = near.length() <= 2 ? "" : " (did you mean " + near + "?)";
    throw usage(what + ": '" + typed + "' is not one of " + String.join(", ", known) + hint);
  }

  /// Each of `typed` as one of `known`; all of them if `all` is among what was typed.
  static List<String> someOf(List<String> known, String all, List<String> typed, String what)
      throws Failure {
    List<String> withAll = with(all, known);
    Set<String> chosen = new LinkedHashSet<>();
    for (String each : typed) {
      chosen.add(oneOf(withAll, each, what));
    }
    return chosen.contains(all) ? known : List.copyOf(chosen);
  }

  static List<String> with(String last, List<String> words) {
    List<String> all = new ArrayList<>(words);
    all.add(last);
    return List.copyOf(all);
  }

  /// What was given as `4K,64K`, or by the option again, or both: each once, printable.
  static List<String> words(Option option) throws Failure {
    Set<String> words = new LinkedHashSet<>();
    for (String each : valuesOf(option)) {
      words.addAll(words(option.longestName(), each));
    }
    return List.copyOf(words);
  }

  /// The words of one value.
  ///
  /// @param what to call it in a message: `--preserve`
  static List<String> words(String what, String latin1) throws Failure {
    List<String> words = new ArrayList<>();
    for (String word : latin1.split(",", -1)) {
      if (word.isBlank()) {
        throw usage(what + ": '" + RawText.printable(latin1) + "' has an empty value");
      }
      words.add(RawText.printable(word.strip()));
    }
    return words;
  }
}
