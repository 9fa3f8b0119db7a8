package dev.zcp.cli;

import dev.zcp.copy.Assurance;
import dev.zcp.copy.CopyForm;
import dev.zcp.copy.CopyRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Preserve;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

/// A copy of one source to one target, with all that can be preserved, which leaves unread what has
/// the size and the time of its source.
final class SyncCommand extends Command {

  /// What goes to a directory is what is in the other one, whether there is a slash or not.
  private static final String CONTENT = "/.";

  private final Option dryRun = option("-n, --dry-run");
  private final PolicyOptions.DeleteOptions deletes = group(new PolicyOptions.DeleteOptions());
  private final PolicyOptions.FormerOptions former = group(new PolicyOptions.FormerOptions());
  private final FilterOptions filters = group(new FilterOptions(false));
  private final PolicyOptions.ChangeOptions changes = group(new PolicyOptions.ChangeOptions());

  /// Those who come from rsync type it. Nobody asks for it: it is always on.
  private final Option archive = option("-a, --archive");

  private final VerifyOptions verifying = group(new VerifyOptions());
  private final FlowOptions flows = group(new FlowOptions());
  private final RemoteOptions remotes = group(new RemoteOptions());
  private final Option relay = option("--relay");
  private final TransferOptions transfer = group(new TransferOptions());
  private final PositionalParamSpec operands = operands("0..*", "SOURCE TARGET");

  SyncCommand() {
    super("zcp sync");
  }

  @Override
  public List<OptionConflict> conflicts() {
    return CopyRules.OF_EVERY_COPY;
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    // Before the operands, so that a wrong name is told first.
    transfer.strategies();
    List<String> typed = valuesOf(operands);
    requireTwo(typed);
    String source = typed.getFirst();
    String target = typed.getLast();
    RemoteEnds remote = RemoteEnds.of(List.of(source), target);
    if (isSet(relay) && (remote == null || !remote.isBetween())) {
      throw usage("--relay is for a copy from one other machine to another");
    }
    Copying copying = new Copying(this, filters, remotes, transfer, shell);
    if (remote == null) {
      refuse(OptionConflict.Use.HERE);
      return copying.here(request(source, target, verifying.levelHere(false)));
    }
    CopyRequest request =
        remote.isFetch()
            ? request(source, target, Placement.AS_FOUND, verifying.remoteLevel())
            : request(source, target, verifying.remoteLevel());
    return copying.remote(request, remote.ofContents(), flows, isSet(relay));
  }

  private void requireTwo(List<String> typed) throws Failure {
    if (typed.size() < 2) {
      verifying.requireLevelIfGiven();
      throw missingEnds(typed);
    }
    atMost(2, typed);
    for (String each : typed) {
      if (RawText.path(each).isStandardStream()) {
        throw usage("'-' is a stream, for zcp copy; a file of that name is ./-");
      }
      CopyCommand.requireNoTilde(each);
    }
  }

  /// Of a source on this machine.
  private CopyRequest request(String source, String target, Level level) throws Failure {
    Boolean isTree = isDirectory(source);
    Boolean isThere = isDirectory(target);
    if (isTree != null && isThere != null && !isTree.equals(isThere)) {
      throw mismatch(RawText.path(source), RawText.path(target), isTree);
    }
    return Boolean.TRUE.equals(isTree)
        ? request(source + CONTENT, target, Placement.AS_FOUND, level)
        : request(source, target, Placement.EXACTLY, level);
  }

  private static Failure mismatch(RawPath source, RawPath target, boolean isTree) {
    if (isTree) {
      String what = "is not a directory, but the source " + source + " is";
      return Failure.of(ExitCode.EXISTS, target, what).with("name another target, or remove it");
    }
    RawPath inIt = target.resolve(source.lastComponent());
    String what = "is a directory, but the source " + source + " is not";
    return Failure.of(ExitCode.EXISTS, target, what)
        .with("to make a copy in it: zcp sync " + source + " " + inIt);
  }

  private CopyRequest request(String source, String target, Placement placement, Level level)
      throws Failure {
    return new CopyRequest(
        List.of(RawText.path(source)),
        RawText.path(target),
        placement,
        transfer.choice(),
        filters.selection(),
        Preserve.EVERYTHING,
        new Policy(Existing.REPLACE, null, false, changes.onChange(), changes.strict())
            .withSkipSame()
            .withFormerCopies(former.copies()),
        new Assurance(level, null, verifying.isForced(), false),
        CopyRequest.JOBS_MEASURED,
        isSet(dryRun),
        CopyForm.USUAL,
        deletes.deleting(),
        flows.rateHereBytes());
  }

  /// @return null if it is not there
  private static Boolean isDirectory(String path) throws Failure {
    try {
      FileStatus status = FileStatus.ofExisting(RawText.path(path));
      return status == null ? null : status.isDirectory();
    } catch (IOException e) {
      // Whoever copies it tells why it cannot be.
      return null;
    }
  }
}
