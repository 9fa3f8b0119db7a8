package dev.zcp.cli;

import dev.zcp.copy.Survey;
import dev.zcp.copy.TreeSurvey;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

final class ExplainCommand extends Command {

  private final SurveyOptions ends = group(new SurveyOptions());
  private final Option json = option("--json");
  private final Option verbose = option("-v, --verbose");

  ExplainCommand() {
    super("zcp explain");
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    RawPath profile = shell.profile();
    Strategies strategies = ends.strategies();
    List<RawPath> paths = ends.paths(this);
    if (TreeSurvey.isTree(paths.getFirst())) {
      tell(TreeSurvey.of(strategies, paths.getFirst(), paths.getLast(), profile), profile, shell);
      return ExitCode.OK;
    }
    Survey survey = Survey.of(strategies, paths.getFirst(), paths.getLast(), profile);
    if (isSet(json)) {
      shell.out().writeBytes(new ExplainJson(survey, profile).line());
    } else if (isSet(verbose)) {
      shell.out().print(ExplainText.of(survey, profile, shell.isUnicode()));
    } else {
      shell.out().print(ExplainText.brief(survey));
    }
    return ExitCode.OK;
  }

  private void tell(TreeSurvey survey, RawPath profile, Shell shell) {
    if (isSet(json)) {
      shell.out().writeBytes(ExplainJson.line(survey));
    } else {
      shell.out().print(ExplainText.of(survey, isSet(verbose), profile, shell.isUnicode()));
    }
  }

  /// The ends of a way, and what could move bytes there.
  static final class SurveyOptions extends Options {

    private final Option jars = strategyPath();
    private final PositionalParamSpec source = operands("0", "SOURCE");
    private final PositionalParamSpec target = operands("1..*", "TARGET");

    Strategies strategies() throws Failure {
      return load(jars);
    }

    boolean areMissing() {
      return valuesOf(source).isEmpty();
    }

    /// SOURCE and TARGET.
    ///
    /// @param command whose options they are
    List<RawPath> paths(Command command) throws Failure {
      List<String> ends = new ArrayList<>(valuesOf(source));
      ends.addAll(valuesOf(target));
      atMost(2, ends);
      if (ends.size() < 2) {
        throw command.missingEnds(ends);
      }
      for (String end : ends) {
        if (RemoteOptions.path(end) != null) {
          throw usage(
              RawText.printable(end)
                  + " is on another machine, and only this one is looked at;"
                  + " name the ADDRESS of a receiver to ask how a file would be sent there");
        }
      }
      return rawPaths(ends);
    }
  }
}
