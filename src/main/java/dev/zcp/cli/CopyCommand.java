package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.copy.Assurance;
import dev.zcp.copy.CopyForm;
import dev.zcp.copy.CopyRequest;
import dev.zcp.copy.LeftPartials;
import dev.zcp.core.Address;
import dev.zcp.core.ByteSize;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Prose;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.plan.Shard;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

final class CopyCommand extends Command {

  private static final int JOBS_MAX = 1024;

  /// Those of cp(1) of coreutils 9.7, also those that zcp does not have.
  private static final List<String> CP_OPTIONS =
      List.of(
          ("--archive --attributes-only --backup --context --copy-contents --debug "
                  + "--dereference --force --help --interactive --keep-directory-symlink --link "
                  + "--no-clobber --no-dereference --no-preserve --no-target-directory "
                  + "--one-file-system --parents --preserve --recursive --reflink "
                  + "--remove-destination --sparse --strip-trailing-slashes --suffix "
                  + "--symbolic-link --target-directory --update --verbose --version")
              .split(" "));

  private static final List<String> CLEAN_OPTIONS =
      List.of("--clean", "--dry-run", "--quiet", "--verbose");

  private final FormOptions forms = new FormOptions();
  private final TreeOptions trees = group(new TreeOptions(forms));
  private final FilterOptions filters = group(new FilterOptions());
  private final PolicyOptions policies = group(new PolicyOptions());
  private final VerifyOptions verifying = group(new VerifyOptions());
  private final Option manifest = option("--manifest=FILE");
  private final Option verifyOnly = option("--verify-only");
  private final Option directory = option("-t, --target-directory=DIRECTORY");
  private final Option exactly = option("-T, --no-target-directory");
  private final PositionalParamSpec operands = operands("0..*", "SOURCE... TARGET");
  private final Option jobs = option("-j, --jobs=N");
  private final FlowOptions flows = group(new FlowOptions());
  private final RemoteOptions remotes = group(new RemoteOptions());
  private final Option relay = option("--relay");
  private final Option dryRun = option("--dry-run");
  private final Option clean = option("--clean");
  private final TransferOptions transfer = group(new TransferOptions());

  CopyCommand() {
    super("zcp copy");
  }

  @Override
  public List<OptionConflict> conflicts() {
    return CopyRules.ofCopy();
  }

  @Override
  List<String> familiarOptions() {
    return CP_OPTIONS;
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    if (isSet(clean)) {
      return clean(shell);
    }
    // Before the operands, so that a wrong name is told first.
    transfer.strategies();
    Shard shard = filters.shard();
    CopyOperands ends = shard == null ? ends() : ends(shard);
    requireNoPort(ends);
    RemoteEnds remote = RemoteEnds.of(ends.sources(), ends.target());
    if (isSet(relay) && (remote == null || !remote.isBetween())) {
      throw usage("--relay is for a copy from one other machine to another");
    }
    Copying copying = new Copying(this, filters, remotes, transfer, shell);
    if (remote == null) {
      return copying.here(request(ends, shell));
    }
    if (trees.zerosToHoles()) {
      throw usage("--sparse=always is not for a remote copy");
    }
    CopyOperands once = distinct(ends, shell);
    return copying.remote(
        remoteRequest(once), RemoteEnds.of(once.sources(), once.target()), flows, isSet(relay));
  }

  private ExitCode clean(Shell shell) throws Failure {
    for (OptionSpec each : typed().matchedOptions()) {
      if (!CLEAN_OPTIONS.contains(each.longestName())) {
        throw usage(each.longestName() + " is not for --clean");
      }
    }
    List<String> typed = valuesOf(operands);
    if (typed.isEmpty()) {
      throw missing("the directory to clean is missing");
    }
    atMost(1, typed);
    return new Cleaning(shell).run(RawText.path(typed.getFirst()));
  }

  /// Tells what goes of what interrupted copies left. A dry run names each file on standard output,
  /// as that of a copy does.
  private final class Cleaning implements LeftPartials.Finds {

    private final Shell shell;
    private long files;
    private long bytes;
    private ExitCode code = ExitCode.OK;

    Cleaning(Shell shell) {
      this.shell = shell;
    }

    ExitCode run(RawPath directory) throws Failure {
      new LeftPartials(this, isSet(dryRun), LeftPartials.AGE_MIN).sweep(directory);
      if (!transfer.detail().isQuiet()) {
        String what = Prose.count(files, "hidden file") + ", " + new ByteSize(bytes);
        shell.say(
            "zcp: " + directory + ": " + (isSet(dryRun) ? "would remove " : "removed ") + what);
      }
      return code;
    }

    @Override
    public void removed(RawPath path, long fileBytes) {
      files++;
      bytes += fileBytes;
      if (isSet(dryRun)) {
        shell.out().print("delete " + path + "\n");
      } else if (transfer.detail() == Detail.VERBOSE) {
        shell.say("zcp: " + path + ": removed");
      }
    }

    @Override
    public void failed(Failure failure) {
      shell.complain("zcp: " + failure.getMessage());
      code = ExitCode.SOME_FAILED;
    }
  }

  /// As cp(1), copies once what is named twice.
  private CopyOperands distinct(CopyOperands ends, Shell shell) {
    List<String> once = new ArrayList<>(new LinkedHashSet<>(ends.sources()));
    if (once.size() == ends.sources().size()) {
      return ends;
    }
    List<String> more = new ArrayList<>(ends.sources());
    once.forEach(more::remove);
    for (String each : new LinkedHashSet<>(more)) {
      shell.complain("zcp: " + RawText.printable(each) + ": is named twice, and copied once");
    }
    return new CopyOperands(once, ends.target(), ends.placement());
  }

  private CopyRequest remoteRequest(CopyOperands ends) throws Failure {
    return new CopyRequest(
        rawPaths(ends.sources()),
        RawText.path(ends.target()),
        ends.placement(),
        transfer.choice(),
        filters.selection(trees),
        trees.preserve(),
        policies.policy(),
        new Assurance(remoteLevel(), null, verifying.isForced(), false),
        CopyRequest.JOBS_MEASURED,
        isSet(dryRun),
        CopyForm.USUAL,
        policies.deleting(),
        0);
  }

  Level remoteLevel() throws Failure {
    return verifying.remoteLevel();
  }

  CopyRequest request(Shell shell) throws Failure {
    return request(ends(), shell);
  }

  private CopyRequest request(CopyOperands ends, Shell shell) throws Failure {
    refuse(Use.HERE);
    refuse(forms.use());
    CopyForm form = forms.form(trees.zerosToHoles());
    Policy policy = policies.policy(form.kind(), shell);
    List<RawPath> sources = rawPaths(ends.sources());
    RawPath target = RawText.path(ends.target());
    CopyRequest request =
        new CopyRequest(
            sources,
            target,
            ends.placement(),
            forms.choice(transfer.choice(), trees.sparse()),
            filters.selection(trees),
            trees.preserve(),
            filters.shard() == null ? policy : policy.withSkipSame(),
            assurance(CopyRules.isOfStream(sources, target)),
            isKnown(jobs) ? (int) number(jobs, 1, JOBS_MAX, "") : CopyRequest.JOBS_MEASURED,
            isSet(dryRun),
            form,
            policies.deleting(),
            flows.rateHereBytes());
    if (CopyRules.isOfStream(sources, target)) {
      refuse(Use.STREAM);
    }
    if (request.deleting() != null) {
      CopyRules.checkDeletion(request.selection());
    }
    CopyRules.check(typed(), request);
    return request;
  }

  /// What was typed, told apart.
  private record CopyOperands(List<String> sources, String target, Placement placement) {}

  private CopyOperands ends() throws Failure {
    List<String> typed = valuesOf(operands);
    rawPaths(typed);
    RawPath into = pathOf(directory);
    CopyOperands ends = into == null ? told(typed) : inside(typed, into);
    for (String each : typed) {
      requireNoTilde(each);
    }
    if (into != null) {
      requireNoTilde(valueOf(directory));
    }
    standardInputAtMostOnce(rawPaths(ends.sources()));
    return ends;
  }

  /// @throws Failure USAGE if a shell should have put a home directory there
  static void requireNoTilde(String typed) throws Failure {
    int slash = typed.indexOf('/');
    String first = slash < 0 ? typed : typed.substring(0, slash);
    if (slash > 0
        && first.startsWith("~")
        && first.indexOf(':') < 0
        && !FileStatus.exists(RawText.path(first))) {
      String shown = RawText.printable(first);
      throw usage("'" + RawText.printable(typed) + "': there is no directory '" + shown + "' here")
          .with("a shell replaces " + shown + " by the home directory unless it is quoted");
    }
  }

  /// scp takes a port behind -P, and here that number would be a source.
  ///
  /// @throws Failure USAGE if it looks like that
  private void requireNoPort(CopyOperands ends) throws Failure {
    String first = ends.sources().getFirst();
    if (Address.isNumber(first)
        && trees.given.contains(new Typed("--no-dereference", null))
        && !FileStatus.exists(RawText.path(first))) {
      throw usage("-P is --no-dereference, and " + first + " is no file here")
          .with("a port is part of an address: ssh://HOST:" + first + "/PATH");
    }
  }

  /// The target is the copy of the source, whether it is there or not: other shards may make it
  /// meanwhile.
  private CopyOperands ends(Shard shard) throws Failure {
    trees.implyArchive();
    List<String> typed = valuesOf(operands);
    rawPaths(typed);
    if (typed.size() != 1) {
      throw missing(
          typed.isEmpty()
              ? "TARGET is missing"
              : "--shard has its SOURCE in the plan, so there is only a TARGET");
    }
    if (typed.getFirst().equals("-")) {
      throw usage("a shard needs a directory, not '-'");
    }
    String source = RawText.latin1(shard.plan().source().bytes());
    return new CopyOperands(List.of(source), typed.getFirst(), Placement.EXACTLY);
  }

  private CopyOperands told(List<String> paths) throws Failure {
    if (paths.size() < 2) {
      verifying.requireLevelIfGiven();
      throw missingEnds(paths);
    }
    boolean one = isSet(exactly);
    if (one && paths.size() > 2) {
      throw usage("-T takes one SOURCE, but there are " + (paths.size() - 1));
    }
    return new CopyOperands(
        paths.subList(0, paths.size() - 1),
        paths.getLast(),
        one ? Placement.EXACTLY : Placement.AS_FOUND);
  }

  private CopyOperands inside(List<String> paths, RawPath into) throws Failure {
    if (paths.isEmpty()) {
      throw missing("SOURCE is missing");
    }
    if (into.isStandardStream()) {
      throw usage("-t needs a directory, not '-'");
    }
    return new CopyOperands(paths, valueOf(directory), Placement.INSIDE);
  }

  private Assurance assurance(boolean isOfStream) throws Failure {
    return new Assurance(
        verifying.levelHere(isOfStream), pathOf(manifest), verifying.isForced(), isSet(verifyOnly));
  }
}
