package dev.zcp.testing;

import dev.zcp.wire.Rejection;
import dev.zcp.wire.Verdicts;
import java.util.List;

/// What a receiver says of what it was sent.
public final class TestVerdicts {

  private TestVerdicts() {}

  /// So many more units were dealt with.
  public static Verdicts done(int units) {
    return new Verdicts(units, List.of());
  }

  /// One unit was dealt with, and this of it was not well.
  public static Verdicts doneBut(Rejection rejection) {
    return new Verdicts(1, List.of(rejection));
  }

  /// No unit was dealt with yet.
  public static Verdicts rejected(Rejection rejection) {
    return new Verdicts(0, List.of(rejection));
  }
}
