package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// Options and operands in picocli's programmatic model, all of them strings: annotations would
/// cost 45 ms of every start, and picocli's own conversion would word each mistake in its own way.
final class Options {

  private Options() {}

  static CommandSpec spec(Command command) {
    CommandSpec spec = CommandSpec.wrapWithoutInspection(command);
    // A default or a description is what it says, without ${variables}.
    return spec.name(command.title()).interpolateVariables(false);
  }

  static OptionSpec flag(String description, String... names) {
    return OptionSpec.builder(names).type(boolean.class).description(description).build();
  }

  /// An option with a value.
  ///
  /// @param label what the value is: `SIZE`; see [Values]
  static OptionSpec.Builder value(String label, String description, String... names) {
    return OptionSpec.builder(names)
        .type(String.class)
        .arity("1")
        .paramLabel(label)
        .description(description);
  }

  /// An option with a value that may be given several times.
  static OptionSpec.Builder values(String label, String description, String... names) {
    return value(label, description, names).type(List.class).auxiliaryTypes(String.class);
  }

  /// Any number of operands; a command counts them itself, to say what is missing in its own words.
  ///
  /// @param index which of them: `0`, `1..*`
  static PositionalParamSpec.Builder operands(String index, String label) {
    return PositionalParamSpec.builder()
        .index(index)
        .arity("0..*")
        .paramLabel(label)
        .type(List.class)
        .auxiliaryTypes(String.class);
  }

  static boolean isSet(OptionSpec flag) {
    return Boolean.TRUE.equals(flag.getValue());
  }

  /// Whether an option was typed, whatever its value.
  static boolean isGiven(OptionSpec option) {
    return !option.originalStringValues().isEmpty();
  }

  /// The value given or the default, each byte a char; null if there is neither.
  static String valueOf(ArgSpec argument) {
    return argument.getValue();
  }

  /// All values given, each byte a char.
  static List<String> valuesOf(ArgSpec argument) {
    List<String> values = argument.getValue();
    return values == null ? List.of() : values;
  }

  /// @throws Failure USAGE if one of them is empty
  static List<RawPath> paths(List<String> latin1) throws Failure {
    List<RawPath> paths = new ArrayList<>(latin1.size());
    for (String operand : latin1) {
      paths.add(RawText.path(operand));
    }
    return paths;
  }

  /// @throws Failure USAGE if `-` stands twice: the second reader would find nothing
  static void standardInputAtMostOnce(List<RawPath> sources) throws Failure {
    int count = 0;
    for (RawPath source : sources) {
      count += source.isStandardStream() ? 1 : 0;
    }
    if (count > 1) {
      throw Failure.of(ExitCode.USAGE, "'-' can be read only once");
    }
  }

  /// @throws Failure USAGE if there are more than `most`
  static void atMost(int most, List<String> latin1) throws Failure {
    if (latin1.size() > most) {
      throw Failure.of(
          ExitCode.USAGE, "one operand too many: '" + RawText.printable(latin1.get(most)) + "'");
    }
  }
}
