package dev.zcp.testing;

import java.util.stream.Collectors;
import org.assertj.core.presentation.StandardRepresentation;

/// Cuts the middle out of long lines when an assertion prints what it was about: a JSON report is
/// one line of 30 KB and more. AssertJ finds this class by `META-INF/services`.
public final class CutLines extends StandardRepresentation {

  private static final int KEPT_CHARS = 400;

  @Override
  protected String toStringOf(String text) {
    return super.toStringOf(text.lines().map(CutLines::cut).collect(Collectors.joining("\n")));
  }

  private static String cut(String line) {
    int left = line.length() - 2 * KEPT_CHARS;
    if (left <= KEPT_CHARS) {
      return line;
    }
    return line.substring(0, KEPT_CHARS)
        + " [and "
        + left
        + " characters] "
        + line.substring(KEPT_CHARS + left);
  }
}
