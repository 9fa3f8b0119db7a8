package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/// One command: the words it understands, and what it makes of them. It turns flags into a request
/// and hands that on. It resolves no host, and opens no file but those that options name, such as
/// `--exclude-from` and `--strategy-path`.
public abstract class Command extends Options {

  private final String title;
  private final CommonOptions common = new CommonOptions();
  private CommandSpec spec;

  /// Null until it is parsed.
  private ParseResult typed;

  /// The last option that took the word after it as its value, and that word; null if none did.
  private Option takes;

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
      addTo(spec, this);
      addTo(spec, common);
    }
    return spec;
  }

  private static void addTo(CommandSpec spec, Options options) {
    options.allOptions().forEach(each -> spec.add(each.spec()));
    options.allOperands().forEach(spec::add);
  }

  /// Only the operands and these options: picocli takes 3 ms for all that there are, and nearly
  /// always few of them are typed.
  final CommandSpec spec(Collection<Option> options) {
    CommandSpec some = emptySpec();
    allOperands().forEach(some::add);
    options.forEach(each -> some.add(each.spec()));
    return some;
  }

  private CommandSpec emptySpec() {
    // A default or a description is what it says, without ${variables}.
    return CommandSpec.wrapWithoutInspection(this).name(title).interpolateVariables(false);
  }

  /// The option that has this name, one of those that it has; null if none has it.
  final Option named(String name) {
    Option option = named(name, allOptions());
    return option == null ? named(name, common.allOptions()) : option;
  }

  private static Option named(String name, List<Option> options) {
    for (Option option : options) {
      if (option.isCalled(name)) {
        return option;
      }
    }
    return null;
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

  final void noteTaken(Option option, String value) {
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

    private final Option debug = option("--debug");
    private final Option help = option("-h");
    private final Option longHelp = option("--help[=all]", "", ALL);
    private final Option version = option("-V, --version");
  }
}
