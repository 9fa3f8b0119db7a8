package dev.zcp.cli;

import dev.zcp.copy.Explanation;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp explain`.
final class ExplainCommand implements Command {

  private static final long MIB_MIN = Explanation.PROFILE_BYTES_MIN >> 20;

  private final CommonOptions common = new CommonOptions();
  private final StrategyJars jars = new StrategyJars();
  private final OptionSpec json =
      Options.flag("Explain it to a program: one JSON object.", "--json");
  private final PositionalParamSpec source = Options.operands("0", "SOURCE").arity("0..1").build();
  private final PositionalParamSpec target = Options.operands("1..*", "TARGET").build();
  private final CommandSpec spec = Options.spec(this);

  ExplainCommand() {
    jars.addTo(spec);
    spec.addOption(json);
    common.addTo(spec);
    spec.addPositional(source);
    spec.addPositional(target);
  }

  @Override
  public String title() {
    return "zcp explain";
  }

  @Override
  public Manual manual() {
    return new Manual(
        "tell what auto would do, and why",
        "[OPTIONS] SOURCE TARGET",
        List.of(
            "Says which strategy auto takes from SOURCE to TARGET, which would follow where it"
                + " declines, what each is thought to cost, where those figures come from, and why"
                + " the others cannot serve. TARGET is a path, the ADDRESS of a receiver, or '-'."
                + " Nothing is moved, and no receiver is called.",
            "A figure is zcp's own estimate, or was measured on this very route by 'zcp bench"
                + " --tune', which keeps it in a profile. What was measured under another kernel,"
                + " or when something else was mounted there, is not used. Nor is it for files"
                + " under "
                + MIB_MIN
                + "M, for which it makes no difference."),
        List.of(
            new Manual.Example("zcp explain disk.img /backup/", "How would this be copied?"),
            new Manual.Example("zcp explain disk.img 10.0.0.2:5230", "How would it be sent?"),
            new Manual.Example(
                "ZCP_PROFILE= zcp explain disk.img /backup/", "And without my profile?")),
        ProfilePath.VARIABLES);
  }

  @Override
  public CommandSpec spec() {
    return spec;
  }

  @Override
  public CommonOptions common() {
    return common;
  }

  @Override
  public ExitCode run(Shell shell) throws Failure {
    List<String> from = Options.valuesOf(source);
    List<String> to = Options.valuesOf(target);
    Options.atMost(1, to);
    if (to.isEmpty()) {
      throw Failure.of(
          ExitCode.USAGE,
          from.isEmpty()
              ? "SOURCE and TARGET are missing"
              : "TARGET is missing after " + RawText.printable(from.getFirst()));
    }
    RawPath profile = ProfilePath.of(shell);
    Explanation explanation =
        Explanation.of(
            jars.load(), RawText.path(from.getFirst()), RawText.path(to.getFirst()), profile);
    shell
        .out()
        .print(
            Options.isSet(json)
                ? ExplainJson.line(explanation, profile) + "\n"
                : ExplainText.of(explanation, profile, shell.isUnicode()));
    return ExitCode.OK;
  }
}
