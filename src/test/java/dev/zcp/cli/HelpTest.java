package dev.zcp.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zcp.core.ExitCode;
import dev.zcp.insight.WorstOperation;
import dev.zcp.profile.RouteTunings;
import dev.zcp.testing.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine.Model.OptionSpec;

class HelpTest {

  static final List<Command> COMMANDS = Commands.all();

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void helpFitsEightyColumnsOfAscii(Command command) {
    assertThat((Help.of(command) + Help.ofAll(command)).lines())
        .allSatisfy(
            line -> assertThat(line).hasSizeLessThanOrEqualTo(80).isEqualTo(line.stripTrailing()))
        .allMatch(line -> line.chars().allMatch(c -> c >= ' ' && c <= '~'));
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void theLongHelpTellsEveryOptionAndEveryExitCode(Command command) {
    String help = Help.ofAll(command);
    for (OptionSpec option : command.spec().options()) {
      for (String name : option.names()) {
        if (!option.hidden()) {
          assertThat(help).contains(name);
        }
      }
    }
    for (ExitCode code : ExitCode.values()) {
      assertThat(help)
          .containsPattern("\n  " + code.number() + " +\\Q" + code.sentence() + "\\E\n");
    }
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void theShortHelpHasThreeExamplesAndTwelveOptionsAndFitsTwoScreens(Command command) {
    String help = Help.of(command);
    assertThat(help.lines()).hasSizeLessThanOrEqualTo(60);
    assertThat(help)
        .startsWith("usage: " + command.title())
        .contains("'" + command.title() + " --help=all' has ");
    assertThat(help.lines().filter(line -> line.matches("  ([^- ].*)?zcp .*"))).hasSize(3);
    assertThat(help.lines().filter(line -> line.matches(" {2,6}-.*"))).hasSizeBetween(3, 12);
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void everyOptionIsInOneGroup(Command command) {
    List<OptionSpec> grouped =
        Help.groups(command).values().stream().flatMap(List::stream).toList();
    assertThat(grouped)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(
            command.spec().options().stream().filter(option -> !option.hidden()).toList());
    List<OptionSpec> others = Help.groups(command).get("Other options");
    if (others != null) {
      assertThat(others.stream().map(OptionSpec::longestName))
          .containsExactly("--debug", "-h", "--help", "--version");
    }
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void everyOptionAndVariableHasATextAndEveryTextIsNeeded(Command command) {
    Manual manual = command.manual();
    List<String> names = longestNames(command);
    assertThat(manual.options()).containsKeys(names.toArray(String[]::new));
    assertThat(manual.options()).doesNotContainValue(null).doesNotContainValue("");
    assertThat(manual.environment()).allMatch(each -> !each.meaning().isEmpty());
    assertThat(names).containsAll(optionsIn(command.title().replace("zcp ", "")));
  }

  @Test
  void theCommonTextsAreOfSeveralCommands() {
    List<String> names = COMMANDS.stream().flatMap(each -> longestNames(each).stream()).toList();
    for (String option : optionsIn("common")) {
      assertThat(Collections.frequency(names, option)).as(option).isGreaterThan(1);
    }
  }

  @Test
  void theLimitsInTheHelpAreThoseOfTheCode() {
    assertThat(textOf("bench", "--time"))
        .contains(BenchOptions.TIME_NS / 1_000_000_000 + "s by default");
    assertThat(textOf("bench", "--runs")).contains("1 to " + BenchOptions.RUNS_MAX);
    assertThat(textOf("copy", "--worst")).contains("at most " + WorstOperation.COUNT_MAX);
    String mib = (RouteTunings.FILE_BYTES_MIN >> 20) + "M";
    assertThat(String.join(" ", Manual.of("explain").description())).contains("under " + mib);
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void everyExampleIsACommandLineThatParses(Command command) throws Exception {
    for (Manual.Term example : command.manual().examples()) {
      String line = example.word().replaceAll(".*zcp ", "").replaceAll("\\)$| [<>|] .*", "");
      Arguments words = Arguments.of(line.split(" +"));
      Parser.parse(Commands.chosen(words), Commands.argumentsOf(words), null);
    }
  }

  @ParameterizedTest
  @FieldSource("COMMANDS")
  void theKindOfEveryValueIsKnown(Command command) {
    command.spec().args().stream()
        .filter(argument -> argument.arity().max() > 0)
        .forEach(argument -> assertThat(Values.of(argument)).isNotNull());
  }

  @Test
  void allWaysToHelpAreOne() {
    Cli.Result asked = Cli.run("copy", "--help");
    assertThat(asked.exitCode()).isZero();
    assertThat(asked.err()).isEmpty();
    assertThat(Cli.run("copy", "-h")).isEqualTo(asked);
    assertThat(Cli.run("help", "copy")).isEqualTo(asked);
    assertThat(Cli.run("copy", "a", "--help")).isEqualTo(asked);
    assertThat(Cli.run("help")).isEqualTo(Cli.run("--help"));
    Cli.Result all = Cli.run("copy", "--help=all");
    assertThat(all.exitCode()).isZero();
    assertThat(all.out()).contains("--metrics=FILE", "Exit codes:");
    assertThat(Cli.run("help", "copy", "--help=all")).isEqualTo(all);
    assertThat(Cli.run("copy", "--help=most").err())
        .startsWith("zcp copy: --help: 'most' is not one of all\n");
  }

  @Test
  void allWaysToTheVersionAreOne() {
    Cli.Result asked = Cli.run("--version");
    assertThat(asked).isEqualTo(new Cli.Result(0, Version.text(), ""));
    assertThat(asked.out())
        .matches(
            "zcp \\Q"
                + Version.NUMBER
                + "\\E\ncommit \\S+\nprotocol zcp/1\nprocessor \\w+\nruntime .+\n");
    assertThat(Cli.run("-V")).isEqualTo(asked);
    assertThat(Cli.run("copy", "--version")).isEqualTo(asked);
  }

  /// Debian's runtime was called "null".
  @Test
  void aRuntimeWithoutAVersionOfItsVendorHasItsOwn() {
    String vendor = System.clearProperty("java.vendor.version");
    try {
      assertThat(Version.text()).endsWith("\nruntime " + Runtime.version() + "\n");
    } finally {
      if (vendor != null) {
        System.setProperty("java.vendor.version", vendor);
      }
    }
  }

  @Test
  void theVersionIsThatOfTheBuild() throws Exception {
    Path pom = Path.of("pom.xml");
    assumeThat(pom).as("the build file, in the working directory").exists();
    assertThat(Files.readString(pom))
        .containsPattern("<artifactId>zcp</artifactId>\\s*<version>\\Q" + Version.NUMBER + "\\E<");
  }

  private static String textOf(String command, String option) {
    return Manual.of(command).options().get(option);
  }

  private static List<String> longestNames(Command command) {
    return command.spec().options().stream().map(OptionSpec::longestName).toList();
  }

  private static List<String> optionsIn(String file) {
    return Manual.blocks(file).stream()
        .map(List::getFirst)
        .filter(first -> first.startsWith("-"))
        .toList();
  }
}
