package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.ArrayList;
import java.util.List;

/// What operands have in common.
final class Operands {

  private Operands() {}

  /// @throws Failure USAGE where one of them is empty
  static List<RawPath> paths(List<String> latin1) throws Failure {
    List<RawPath> paths = new ArrayList<>(latin1.size());
    for (String operand : latin1) {
      paths.add(RawText.path(operand));
    }
    return paths;
  }

  /// @throws Failure USAGE where `-` stands twice: the second reader would find nothing
  static void standardInputAtMostOnce(List<RawPath> sources) throws Failure {
    int count = 0;
    for (RawPath source : sources) {
      count += source.isStandardStream() ? 1 : 0;
    }
    if (count > 1) {
      throw Failure.of(ExitCode.USAGE, "'-' can be read only once");
    }
  }

  /// @throws Failure USAGE where there are more than `most`
  static void atMost(int most, List<String> latin1) throws Failure {
    if (latin1.size() > most) {
      throw Failure.of(
          ExitCode.USAGE, "one operand too many: '" + RawText.printable(latin1.get(most)) + "'");
    }
  }
}
