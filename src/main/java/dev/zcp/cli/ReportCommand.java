package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.core.Words;
import dev.zcp.linux.FileStatus;
import dev.zcp.report.LatencyTable;
import dev.zcp.report.ReportFile;
import dev.zcp.report.RunComparison;
import dev.zcp.report.RunPage;
import dev.zcp.report.SavedRun;
import dev.zcp.report.SavedRuns;
import dev.zcp.report.Screen;
import dev.zcp.report.TextReport;
import dev.zcp.report.TextReport.Form;
import dev.zcp.tree.OutputFiles;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

final class ReportCommand extends Command {

  private final Option output = option("--output=FILE");
  private final Option form = option("--report=HOW", "table", Words.of(Form.values()));
  private final PositionalParamSpec operands = operands("0..*", "FILE");

  ReportCommand() {
    super("zcp report");
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    List<RawPath> files = named(paths(operands), shell);
    if (files.isEmpty()) {
      throw missing("FILE is missing");
    }
    standardInputAtMostOnce(files);
    Form wanted = constant(form, Form.values());
    RawPath page = pathOf(output);
    OutputFiles outputs = new OutputFiles().add("--output", page);
    for (RawPath file : files) {
      outputs.requireApart(file, "is what is read");
    }
    List<SavedRun> runs = read(files, shell);
    if (page != null && page.isStandardStream()) {
      byte[] html = RunPage.of(runs);
      shell.out().write(html, 0, html.length);
    } else if (page != null) {
      ReportFile.write(RunPage.of(runs), page.toPath(), "the page");
    } else if (runs.size() == 1) {
      Screen screen = new Screen(shell.out(), shell.isUnicode(), shell::columns);
      TextReport.tell(runs.getFirst(), screen, wanted);
    } else {
      int stagesMax = wanted == Form.FULL ? Integer.MAX_VALUE : LatencyTable.STAGES_MAX;
      RunComparison comparison = RunComparison.of(runs);
      int stages = wanted == Form.LINE ? 0 : stagesMax;
      for (String line : comparison.lines(shell.columns(), shell.isUnicode(), stages)) {
        shell.out().print(line + "\n");
      }
    }
    return ExitCode.OK;
  }

  /// The files, with the run that was kept in place of its word.
  private static List<RawPath> named(List<RawPath> typed, Shell shell) throws Failure {
    List<RawPath> files = new ArrayList<>(typed);
    for (int i = 0; i < files.size(); i++) {
      if (files.get(i).equals(RawPath.of(LastRun.WORD))) {
        RawPath last = shell.lastRun();
        if (last == null || !FileStatus.exists(last)) {
          throw Failure.of(ExitCode.SOURCE, LastRun.WORD, "no run was kept")
              .with("those of 2 s or more are, without --no-keep");
        }
        files.set(i, last);
      }
    }
    return files;
  }

  private static List<SavedRun> read(List<RawPath> files, Shell shell) throws Failure {
    SavedRuns saved = new SavedRuns();
    for (RawPath file : files) {
      String name = file.isStandardStream() ? "standard input" : file.toString();
      try {
        if (file.isStandardStream()) {
          saved.read(shell.in(), name);
        } else {
          try (InputStream in = Files.newInputStream(file.toPath())) {
            saved.read(in, name);
          }
        }
      } catch (IOException e) {
        throw Reasons.source(name, e);
      }
    }
    for (Failure each : saved.cutShort()) {
      shell.complain("zcp: " + each.getMessage());
    }
    return saved.runs();
  }
}
