package dev.zcp.cli;

import dev.zcp.compress.Compression;
import dev.zcp.core.Failure;
import dev.zcp.delta.DeltaMode;
import dev.zcp.session.Savings;
import java.util.List;

/// The options of an end that sends, or has another one send, which say how fewer bytes go.
final class SavingOptions extends Options {

  private static final String AUTO = "auto";
  private static final String ALWAYS = "always";
  private static final String NEVER = "never";
  private static final List<String> WORDS = List.of(AUTO, ALWAYS, NEVER);

  static final OptionConflict CONFLICT =
      OptionConflict.of(
          "--compress -z", "--strategy", "what is compressed goes through memory anyway");

  static final OptionConflict DELTA_CONFLICT =
      OptionConflict.of("--delta", "--whole-file", "one sends what differs, the other all");

  private final Option compress = option("--compress[=HOW]", ALWAYS, WORDS);
  private final Option always = option("-z");
  private final Option delta = option("--delta");
  private final Option wholeFile = option("--whole-file");

  Savings savings() throws Failure {
    DeltaMode mode =
        isSet(delta) ? DeltaMode.ALWAYS : isSet(wholeFile) ? DeltaMode.NEVER : DeltaMode.AUTO;
    return new Savings(compression(), mode);
  }

  private Compression compression() throws Failure {
    // What is typed wins over what is set.
    boolean isAlways = isSet(always) && !isGiven(compress);
    String typed = isAlways ? ALWAYS : isKnown(compress) ? printable(compress) : AUTO;
    if (!typed.isEmpty() && typed.charAt(0) >= '0' && typed.charAt(0) <= '9') {
      long level = number(compress, 1, Compression.LEVEL_MAX, "");
      return new Compression((int) level, true);
    }
    return switch (oneOf(WORDS, typed, compress.longestName())) {
      case ALWAYS -> Compression.ALWAYS;
      case NEVER -> Compression.NEVER;
      default -> Compression.AUTO;
    };
  }
}
