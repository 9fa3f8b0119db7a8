package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.session.Existing;
import dev.zcp.session.copy.Assurance;
import dev.zcp.session.copy.Copier;
import dev.zcp.session.copy.CopyRequest;
import dev.zcp.session.copy.Policy;
import dev.zcp.session.copy.Selection;
import dev.zcp.tree.Preserve;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp copy`.
final class CopyCommand implements Command {

  private final CommonOptions common = new CommonOptions();
  private final TransferOptions transfer = new TransferOptions();
  private final OptionSpec recursive =
      Options.flag("Copy directories with all that is in them.", "-r", "-R", "--recursive");
  private final OptionSpec archive =
      Options.flag("Copy trees and keep all that can be kept.", "-a", "--archive");
  private final OptionSpec force =
      Options.flag(
          "Replace a target that exists. That is the default; --no-clobber wins over it.",
          "-f",
          "--force");
  private final OptionSpec noClobber =
      Options.flag("Leave a target that exists as it is.", "-n", "--no-clobber");
  private final PositionalParamSpec operands = Options.operands("0..*", "SOURCE... TARGET").build();
  private final CommandSpec spec = Options.spec(this);

  CopyCommand() {
    spec.addOption(force);
    spec.addOption(noClobber);
    transfer.addTo(spec);
    common.addTo(spec);
    spec.addOption(recursive);
    spec.addOption(archive);
    spec.addPositional(operands);
  }

  @Override
  public String title() {
    return "zcp copy";
  }

  @Override
  public Manual manual() {
    return new Manual(
        "copy files on this machine",
        "[OPTIONS] SOURCE... TARGET",
        List.of(
            "Copies each SOURCE to TARGET: into it where it is a directory, else to that name."
                + " Several sources need a directory. '-' is standard input or output.",
            "The bytes go to a hidden partial file first, which takes the final name when it is"
                + " complete. A device, a FIFO or standard output is written to, never replaced."),
        List.of(
            new Manual.Example("zcp copy disk.img /backup/", "Copy a file into a directory."),
            new Manual.Example(
                "zcp copy --strategy=mmap src dst", "Copy by one strategy, or fail with code 10."),
            new Manual.Example(
                "zcp copy -q --json a.iso b.iso /mnt",
                "Copy two files and tell a program about it."),
            new Manual.Example("zcp copy - dst < src", "Copy from standard input.")),
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
    Strategies strategies = strategies();
    CopyRequest request = request(strategies);
    Reports reports = Reports.of(transfer.report(request.target().isStandardStream()), shell);
    return reports.finish(Copier.copy(request, shell.surroundings(strategies, reports.listener())));
  }

  Strategies strategies() throws Failure {
    return transfer.strategies();
  }

  CopyRequest request(Strategies strategies) throws Failure {
    List<RawPath> paths = Operands.paths(Options.valuesOf(operands));
    if (paths.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "SOURCE and TARGET are missing");
    }
    if (paths.size() == 1) {
      throw Failure.of(ExitCode.USAGE, "TARGET is missing after " + paths.getFirst());
    }
    List<RawPath> sources = paths.subList(0, paths.size() - 1);
    Operands.standardInputAtMostOnce(sources);
    boolean all = Options.isSet(archive);
    if (!all && !Options.isSet(recursive)) {
      return new CopyRequest(sources, paths.getLast(), existing(), transfer.choice(strategies));
    }
    return new CopyRequest(
        sources,
        paths.getLast(),
        transfer.choice(strategies),
        Selection.TREE,
        all ? Preserve.ALL : Preserve.USUAL,
        Policy.USUAL.withExisting(existing()),
        Assurance.USUAL,
        CopyRequest.JOBS_MEASURED,
        false);
  }

  private Existing existing() {
    return Options.isSet(noClobber) ? Existing.KEEP : Existing.REPLACE;
  }
}
