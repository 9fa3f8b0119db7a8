package dev.zcp.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Finds what somebody probably meant.
public final class Nearest {

  private Nearest() {}

  /// The candidate that takes the fewest edits from `typed`, if those are at most one more than
  /// half as many as the candidate has letters; nothing if none comes near. A letter that is put in
  /// or left out is an edit; another letter in the same place is two.
  public static Optional<String> to(String typed, Collection<String> candidates) {
    String wanted = typed.toLowerCase(Locale.ROOT);
    return candidates.stream()
        .min(Comparator.comparingInt(c -> edits(wanted, c.toLowerCase(Locale.ROOT))))
        .filter(c -> edits(wanted, c.toLowerCase(Locale.ROOT)) <= c.length() / 2 + 1);
  }

  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        boolean isSame = from.charAt(i - 1) == to.charAt(j - 1);
        int shorter = diagonal;
        diagonal = row[j];
        row[j] = isSame ? shorter : Math.min(row[j], row[j - 1]) + 1;
      }
    }
    return row[to.length()];
  }
}
