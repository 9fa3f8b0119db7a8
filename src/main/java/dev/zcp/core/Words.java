package dev.zcp.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What constants are called in commands and by programs: `reads-and-writes`.
public final class Words {

  private Words() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// In the order of `constants`.
  public static List<String> of(Enum<?>[] constants) {
    List<String> words = new ArrayList<>();
    for (Enum<?> each : constants) {
      words.add(of(each));
    }
    return words;
  }
}
