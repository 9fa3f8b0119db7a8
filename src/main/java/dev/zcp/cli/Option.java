package dev.zcp.cli;

import java.util.List;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/// An option as it is declared. picocli's model of it is made when it is typed, set or listed: for
/// all 70 options of a copy that took 2 ms of each start.
final class Option {

  private final String heading;
  private final String standard;
  private final Iterable<String> words;
  private final boolean isSeveral;

  /// Null if picocli keeps the values.
  private final List<Options.Typed> given;

  private OptionSpec spec;

  /// @param heading see [Options#option(String)]
  /// @param standard see [Options#option(String, String, Iterable)]
  /// @param words the values there are, or null
  /// @param isSeveral whether all values count that are typed, and not just the last
  /// @param given gets what is typed, among what is typed of other options, or null
  Option(
      String heading,
      String standard,
      Iterable<String> words,
      boolean isSeveral,
      List<Options.Typed> given) {
    this.heading = heading;
    this.standard = standard;
    this.words = words;
    this.isSeveral = isSeveral;
    this.given = given;
  }

  /// Always the same object: parsing leaves its findings in it.
  OptionSpec spec() {
    if (spec == null) {
      spec = made();
    }
    return spec;
  }

  /// Null if nobody has asked for it: then it was neither typed nor set.
  OptionSpec madeSpec() {
    return spec;
  }

  /// The value if it is neither typed nor set, or null.
  String standard() {
    return takesValue() && !isOptional() ? standard : null;
  }

  private boolean takesValue() {
    return heading.indexOf('=') >= 0;
  }

  private boolean isOptional() {
    return heading.endsWith("]");
  }

  /// What stands before the value: `-q, --quiet`.
  private String joinedNames() {
    int end = heading.indexOf('=');
    if (end < 0) {
      return heading;
    }
    return heading.substring(0, isOptional() ? end - 1 : end);
  }

  boolean isCalled(String name) {
    for (int at = heading.indexOf(name); at >= 0; at = heading.indexOf(name, at + 1)) {
      int end = at + name.length();
      boolean begins = at == 0 || heading.charAt(at - 1) == ' ';
      boolean ends = end == heading.length() || ",=[".indexOf(heading.charAt(end)) >= 0;
      if (begins && ends) {
        return at < joinedNames().length();
      }
    }
    return false;
  }

  String longestName() {
    String longest = "";
    for (String name : names()) {
      longest = name.length() > longest.length() ? name : longest;
    }
    return longest;
  }

  private String[] names() {
    // At one char: any more would load regular expressions.
    String[] names = joinedNames().split(",");
    for (int i = 0; i < names.length; i++) {
      names[i] = names[i].strip();
    }
    return names;
  }

  private OptionSpec made() {
    OptionSpec.Builder builder = OptionSpec.builder(names());
    if (given != null) {
      builder.setter(new Recorder(longestName(), given));
    }
    if (!takesValue()) {
      return builder.type(boolean.class).build();
    }
    String label = heading.substring(heading.indexOf('=') + 1);
    builder.paramLabel(isOptional() ? label.substring(0, label.length() - 1) : label);
    builder.completionCandidates(words);
    if (isSeveral) {
      builder.type(List.class).auxiliaryTypes(String.class);
    } else {
      builder.type(String.class);
    }
    return isOptional()
        ? builder.arity("0..1").fallbackValue(standard).build()
        : builder.arity("1").defaultValue(standard).build();
  }

  record Recorder(String name, List<Options.Typed> given) implements ISetter {

    @Override
    public <T> T set(T value) {
      // Before it parses, picocli sets the default: null or false.
      if (value instanceof String text) {
        given.add(new Options.Typed(name, text));
      } else if (Boolean.TRUE.equals(value)) {
        given.add(new Options.Typed(name, null));
      }
      return null;
    }
  }
}
