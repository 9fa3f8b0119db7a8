package dev.zcp.bench.report;

import dev.zcp.bench.result.Summary;

/// What became of a cell since an older run.
///
/// @param ratio the new median in parts of the old; NaN where the old took no time
record Change(double oldMedianNs, double newMedianNs, double ratio, Verdict verdict) {

  enum Verdict {
    FASTER("faster"),
    SLOWER("slower"),
    /// The middle halves of the runs overlap, so it may be chance.
    SAME("same");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  static Change of(Row.Measured before, Row.Measured now) {
    Summary old = before.elapsed();
    Summary later = now.elapsed();
    Verdict verdict =
        later.isWithinNoiseOf(old)
            ? Verdict.SAME
            : later.median() < old.median() ? Verdict.FASTER : Verdict.SLOWER;
    double ratio = old.median() <= 0 ? Double.NaN : later.median() / old.median();
    return new Change(old.median(), later.median(), ratio, verdict);
  }
}
