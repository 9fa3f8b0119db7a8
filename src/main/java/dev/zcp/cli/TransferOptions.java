package dev.zcp.cli;

import dev.zcp.cli.Reports.ProgressWhen;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.Words;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.WorstOperation;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.report.TextReport.Form;
import dev.zcp.tree.OutputFiles;
import dev.zcp.walk.Selection;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/// The options of every command that moves bytes: how to move them and how to report it.
final class TransferOptions extends Options {

  /// The words are looked up only if somebody iterates: a start of the program does not.
  private final Option strategy =
      option("--strategy=NAME", Choice.AUTO, () -> strategyNames().iterator());

  /// As cp(1) calls owners; zcp's own word is its beginning.
  private static final String OWNERSHIP = "ownership";

  private final Option jars = strategyPath();
  private final Option chunkSize = option("--chunk-size=SIZE");
  private final Option histogram = option("--histogram=FILE");
  private final Option metrics = option("--metrics=FILE");
  private final Option worst = option("--worst=N");
  private final Option page = option("--report-file=FILE");
  private final Option json = option("--json");
  private final Option progress =
      option("--progress[=WHEN]", ProgressWhen.ALWAYS_WORD, Words.of(ProgressWhen.values()));
  private final Option form = option("--report=HOW", "line", Words.of(Form.values()));
  private final Option noKeep = option("--no-keep");
  private final Option quiet = option("-q, --quiet");
  private final Option verbose = option("-v, --verbose");

  /// Null until they are loaded.
  private Strategies strategies;

  Strategies strategies() throws Failure {
    strategies = strategies == null ? load(jars) : strategies;
    return strategies;
  }

  /// What the engine is asked for, by the strategy's own name.
  Choice choice() throws Failure {
    String typed = printable(strategy);
    boolean auto = typed.equalsIgnoreCase(Choice.AUTO);
    return new Choice(
        auto ? Choice.AUTO : strategies().named(typed).name(),
        isKnown(chunkSize) ? chunkBytes(chunkSize, printable(chunkSize)) : Choice.ADAPTIVE);
  }

  /// @param dataOnStandardOutput whether the bytes of a file go there
  ReportRequest report(Command command, boolean dataOnStandardOutput, Shell shell) throws Failure {
    if (dataOnStandardOutput && isSet(json)) {
      throw usage("--json and the data of '-' cannot both go to standard output");
    }
    return new ReportRequest(
        detail(),
        isSet(json),
        constant(form, Form.values()),
        ProgressWhen.of(progress),
        fileOf(histogram),
        fileOf(metrics),
        isKnown(worst) ? (int) number(worst, 0, WorstOperation.COUNT_MAX, "") : Reports.NOT_SAID,
        fileOf(page),
        isSet(noKeep) ? null : shell.lastRun(),
        dataOnStandardOutput,
        namesOwner(command.typed(), "--preserve") || namesOwner(command.typed(), "--accept"));
  }

  /// Whether owners were typed as a word, or its beginning, and are not just a part of all.
  private static boolean namesOwner(ParseResult words, String list) {
    OptionSpec option = words.matchedOption(list);
    if (option != null) {
      for (String typed : option.originalStringValues()) {
        boolean isNamed = !typed.equals(option.fallbackValue());
        for (String word : typed.split(",")) {
          if (isNamed && !word.isEmpty() && OWNERSHIP.startsWith(word)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  Detail detail() {
    if (isSet(quiet)) {
      return isSet(verbose) ? Detail.NAMES : Detail.QUIET;
    }
    return isSet(verbose) ? Detail.VERBOSE : Detail.NORMAL;
  }

  /// The file given, or null.
  ///
  /// @throws Failure USAGE if it is `-`, which others take for standard output
  private static RawPath fileOf(Option option) throws Failure {
    RawPath file = pathOf(option);
    if (file != null && file.isStandardStream()) {
      throw usage(option, "cannot be standard output; a file of the name '-' is ./-");
    }
    return file;
  }

  /// The files that these options write.
  ///
  /// @param selection what is taken of the sources; null if another end decides that
  OutputFiles outputs(Selection selection) throws Failure {
    OutputFiles outputs = new OutputFiles();
    if (isSet(json)) {
      outputs.addStandardOutput();
    }
    outputs.add("--histogram", fileOf(histogram));
    outputs.add("--metrics", fileOf(metrics));
    outputs.add("--report-file", fileOf(page));
    if (selection != null && selection.names() != null) {
      outputs.requireApart(selection.names().file(), "is what --files-from reads");
    }
    return outputs;
  }

  /// The words that `--strategy` takes.
  static List<String> strategyNames() {
    List<String> names = new ArrayList<>(List.of(Choice.AUTO));
    try {
      names.addAll(Strategies.load(List.of()).names());
    } catch (Failure e) {
      throw new IllegalStateException(e);
    }
    return names;
  }
}
