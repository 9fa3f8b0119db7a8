package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// One command: the words it understands, and what it makes of them. It turns flags into a request
/// and hands that on. It resolves no host, and opens no file but those that options name, such as
/// `--exclude-from` and `--strategy-path`.
public abstract class Command extends Options {

  private final String title;
  private final CommonOptions common = new CommonOptions();
  private CommandSpec spec;

  /// By each of their names; null until somebody asks.
  private Map<String, OptionSpec> named;

  /// Null until it is parsed.
  private ParseResult typed;

  /// The last option that took the word after it as its value, and that word; null if none did.
  private OptionSpec takes;

  private String taken;

  /// @param title as it is typed: `zcp copy`
  Command(String title) {
    this.title = title;
  }

  public final String title() {
    return title;
  }

  /// What `--help` and the manual page say.
  public final Manual manual() {
    return Manual.of(title.substring(title.lastIndexOf(' ') + 1));
  }

  /// The long options of the program that this command takes the place of: if only one of them
  /// begins with an abbreviation, it is what that means.
  List<String> familiarOptions() {
    return List.of();
  }

  /// The options that it refuses together, or for some of its uses.
  public List<OptionConflict> conflicts() {
    return List.of();
  }

  final void refuse(OptionConflict.Use use) throws Failure {
    for (OptionConflict each : conflicts()) {
      if (each.use() == use) {
        each.check(typed);
      }
    }
  }

  /// All options and operands. Parsing leaves its findings in them.
  public final CommandSpec spec() {
    if (spec == null) {
      spec = emptySpec();
      arguments().forEach(spec::add);
      common.arguments().forEach(spec::add);
    }
    return spec;
  }

  /// Only the operands and these options: picocli takes 3 ms for all that there are, and nearly
  /// always few of them are typed.
  final CommandSpec spec(Collection<OptionSpec> options) {
    CommandSpec some = emptySpec();
    for (ArgSpec each : arguments()) {
      if (each.isPositional()) {
        some.add(each);
      }
    }
    for (OptionSpec each : options) {
      some.add(each);
    }
    return some;
  }

  private CommandSpec emptySpec() {
    // A default or a description is what it says, without ${variables}.
    return CommandSpec.wrapWithoutInspection(this).name(title).interpolateVariables(false);
  }

  /// The option that has this name, one of those that it has; null if none has it.
  final OptionSpec named(String name) {
    if (named == null) {
      named = new HashMap<>();
      arguments().forEach(this::addNames);
      common.arguments().forEach(this::addNames);
    }
    return named.get(name);
  }

  private void addNames(ArgSpec argument) {
    if (argument instanceof OptionSpec option) {
      for (String name : option.names()) {
        named.put(name, option);
      }
    }
  }

  final void parsed(ParseResult result) {
    typed = result;
  }

  /// What was typed.
  final ParseResult typed() {
    return typed;
  }

  final boolean isHelpWanted() {
    return isSet(common.help) || isGiven(common.longHelp);
  }

  /// The help that was asked for.
  final String help() throws Failure {
    String typed = isGiven(common.longHelp) ? printable(common.longHelp) : "";
    if (typed.isEmpty()) {
      return Help.of(this);
    }
    oneOf(CommonOptions.ALL, typed, common.longHelp.longestName());
    return Help.ofAll(this);
  }

  final boolean isVersionWanted() {
    return isSet(common.version);
  }

  final void noteTaken(OptionSpec option, String value) {
    takes = option;
    taken = value;
  }

  /// An operand is not there. It may stand where an option took it.
  ///
  /// @param what is missing, and where
  final Failure missing(String what) {
    Failure failure = usage(what);
    return takes == null
        ? failure
        : failure.with(
            takes.longestName() + " took '" + RawText.printable(taken) + "' as its value");
  }

  /// As [#missing], if a SOURCE and a TARGET should be there.
  final Failure missingEnds(List<String> typed) {
    return missing(
        typed.isEmpty()
            ? "SOURCE and TARGET are missing"
            : "TARGET is missing after " + RawText.printable(typed.getFirst()));
  }

  /// Does what the parsed options ask for.
  ///
  /// @return how it ended; what went wrong has been told
  /// @throws Failure if it went wrong and nobody has been told
  abstract ExitCode run(Shell shell) throws Failure;

  /// The options of every command, the last in its help. [Main] looks for `--debug` itself.
  private static final class CommonOptions extends Options {

    private static final List<String> ALL = List.of("all");

    private final OptionSpec debug = option("--debug");
    private final OptionSpec help = option("-h");
    private final OptionSpec longHelp = option("--help[=all]", "", ALL);
    private final OptionSpec version = option("-V, --version");
  }
}
