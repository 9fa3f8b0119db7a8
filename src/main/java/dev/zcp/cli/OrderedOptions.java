package dev.zcp.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/// Options of which it matters what was typed first: a later one takes back what an earlier one
/// said. picocli keeps the values of each option and not the order among several.
final class OrderedOptions {

  /// One option as it was typed.
  ///
  /// @param name its longest name
  /// @param value each byte a char; null of a flag
  record Given(String name, String value) {}

  private final List<Given> given = new ArrayList<>();

  /// All that was typed, in that order.
  List<Given> given() {
    return given;
  }

  /// Whether what was typed of `option` is kept here, each time.
  static boolean records(OptionSpec option) {
    return option.setter() instanceof Recorder;
  }

  OptionSpec flag(String description, String... names) {
    return recording(OptionSpec.builder(names).type(boolean.class).description(description), names)
        .build();
  }

  OptionSpec.Builder value(String label, String description, String... names) {
    return recording(Options.value(label, description, names), names);
  }

  private OptionSpec.Builder recording(OptionSpec.Builder builder, String... names) {
    String longest = names[0];
    for (String name : names) {
      longest = name.length() > longest.length() ? name : longest;
    }
    return builder.setter(new Recorder(longest));
  }

  private final class Recorder implements ISetter {

    private final String name;

    Recorder(String name) {
      this.name = name;
    }

    @Override
    public <T> T set(T value) {
      // Before it parses, picocli sets the default: null or false.
      if (value instanceof String text) {
        given.add(new Given(name, text));
      } else if (Boolean.TRUE.equals(value)) {
        given.add(new Given(name, null));
      }
      return null;
    }
  }
}
