package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.copy.Assurance;
import dev.zcp.copy.CopyForm;
import dev.zcp.copy.CopyRequest;
import dev.zcp.copy.TreeCopy;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.Verified;
import dev.zcp.linux.FileStatus;
import dev.zcp.plan.Shard;
import dev.zcp.session.Admission;
import dev.zcp.session.Flow;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.RemoteTransfer;
import dev.zcp.ssh.RemoteTransfer.Between;
import dev.zcp.ssh.RemoteTransfer.Fetch;
import dev.zcp.ssh.RemoteTransfer.Push;
import dev.zcp.ssh.ServeRequest.AskedDeletion;
import dev.zcp.ssh.ServeRequest.Wanted;
import dev.zcp.tree.OutputFiles;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.walk.OperandRoots;
import dev.zcp.walk.Selection;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

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

  private final FormOptions forms = new FormOptions();
  private final TreeOptions trees = group(new TreeOptions(forms));
  private final FilterOptions filters = group(new FilterOptions());
  private final PolicyOptions policies = group(new PolicyOptions());
  private final OptionSpec verify = option("--verify=LEVEL", "none", ProofOptions.LEVELS);
  private final OptionSpec manifest = option("--manifest=FILE");
  private final OptionSpec verifyOnly = option("--verify-only");
  private final OptionSpec fsync = option("--fsync");
  private final OptionSpec directory = option("-t, --target-directory=DIRECTORY");
  private final OptionSpec exactly = option("-T, --no-target-directory");
  private final PositionalParamSpec operands = operands("0..*", "SOURCE... TARGET");
  private final OptionSpec jobs = option("-j, --jobs=N");
  private final OptionSpec limitRate = option("--limit-rate=SIZE");
  private final OptionSpec stallTimeout = option("--stall-timeout=TIME", "30s");
  private final RemoteOptions remotes = group(new RemoteOptions());
  private final OptionSpec relay = option("--relay");
  private final OptionSpec dryRun = option("--dry-run");
  private final TransferOptions transfer = group(new TransferOptions());

  CopyCommand() {
    super("zcp copy");
  }

  @Override
  public List<OptionConflict> conflicts() {
    return CopyRules.CONFLICTS;
  }

  @Override
  List<String> familiarOptions() {
    return CP_OPTIONS;
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = transfer.strategies();
    Shard shard = filters.shard();
    CopyOperands ends = shard == null ? ends() : ends(shard);
    requireNoPort(ends);
    RemoteEnds remote = RemoteEnds.of(ends);
    if (isSet(relay) && (remote == null || !remote.isBetween())) {
      throw usage("--relay is for a copy from one other machine to another");
    }
    if (remote != null) {
      CopyOperands distinct = distinct(ends, shell);
      return run(distinct, RemoteEnds.of(distinct), shell, shard);
    }
    CopyRequest request = request(ends, shell);
    OutputFiles outputs =
        transfer.outputs(request.selection()).add("--manifest", request.assurance().manifest());
    outputs.requireApart(
        request.sources(), request.target(), request.placement() == Placement.EXACTLY);
    Reports reports =
        new Reports(transfer.report(writesToStandardOutput(request), shell), shell, shard);
    return reports.finish(
        TreeCopy.run(request, shell.environment(strategies, reports, reports.consent())));
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

  /// Copies to another machine, from one, or both.
  private ExitCode run(CopyOperands ends, RemoteEnds remote, Shell shell, Shard shard)
      throws Failure {
    ParseResult typed = spec().commandLine().getParseResult();
    if (trees.zerosToHoles()) {
      throw usage("--sparse=always is not for a remote copy");
    }
    Selection selection = filters.selection(trees);
    refuse(Use.REMOTE);
    if (remote.isFetch()) {
      refuse(Use.FETCH);
    }
    if (remote.isBetween()) {
      refuse(Use.BETWEEN);
    }
    if (policies.deleting() != null) {
      CopyRules.checkDeletion(selection);
    }
    List<RawPath> local = remote.isFetch() ? List.of() : rawPaths(ends.sources());
    FilterOptions.check(typed, local, selection);
    OutputFiles outputs = transfer.outputs(selection);
    outputs.requireApart(local, null, false);
    boolean isStream = ends.target().equals("-");
    if (remote.isFetch() && !remote.isBetween() && !isStream) {
      outputs.requireApartFromCopies(
          remote.namesOfSources(),
          RawText.path(ends.target()),
          ends.placement() == Placement.EXACTLY);
    }
    ReportRequest report = transfer.report(isStream, shell);
    Reports reports = new Reports(report, shell, shard);
    RemoteTransfer transfers =
        remotes.transfer(report, shell.environment(transfer.strategies(), reports), shell);
    long stallNs = elapsedNs(stallTimeout);
    Flow flow = new Flow(isKnown(limitRate) ? rateBytes() : 0, stallNs, stallNs, 0, null);
    Choice choice = transfer.choice();
    AskedDeletion deletion = deletion(local, remote);
    if (remote.isBetween()) {
      return transfers.run(
          new Between(
              remote.sources(),
              remote.target(),
              ends.placement(),
              choice,
              wanted(selection),
              deletion,
              flow,
              isSet(fsync),
              isSet(relay),
              report.forOther(shell)));
    }
    if (!remote.isFetch()) {
      return reports.finish(
          transfers.run(
              new Push(
                  new SendRequest(
                      RemoteTransfer.peering(remote.target().login(), flow),
                      local,
                      choice,
                      selection,
                      trees.preserve(),
                      policies.policy(),
                      new Sending(remoteLevel(), ResumeVerify.ALL, false, isSet(fsync))),
                  remote.target(),
                  ends.placement(),
                  true,
                  deletion)));
    }
    Admission admission =
        new Admission(
                Existing.REPLACE,
                Admission.keepsOf(selection, trees.preserve()),
                remoteLevel(),
                ResumeVerify.ALL,
                Admission.UNLIMITED,
                Admission.UNLIMITED,
                false)
            .durable(isSet(fsync));
    if (deletion != null) {
      admission =
          admission.deleting(
              new Admission.Deletion(
                  policies.deleting(), selection.filter(), deletion.isContent()));
    }
    ReceiveRequest request =
        new ReceiveRequest(
            RemoteTransfer.peering(remote.sources().getFirst().login(), flow),
            RawText.path(ends.target()),
            choice,
            admission);
    return reports.finish(
        transfers.run(new Fetch(remote.sources(), request, ends.placement(), wanted(selection))));
  }

  /// What is deleted by the end that takes, or null if nothing is.
  ///
  /// @throws Failure USAGE if several sources are merged
  private AskedDeletion deletion(List<RawPath> local, RemoteEnds remote) throws Failure {
    Deleting deleting = policies.deleting();
    if (deleting == null) {
      return null;
    }
    boolean isContent = false;
    for (RawPath each : local) {
      isContent |= OperandRoots.isDots(OperandRoots.name(each));
    }
    for (RemotePath each : remote.sources()) {
      isContent |= each.isContent();
    }
    if (isContent && local.size() + remote.sources().size() > 1) {
      throw usage(
          "several sources go there, and --delete would delete what the others have; use a command"
              + " for each");
    }
    return new AskedDeletion(deleting.entriesMax(), isContent, filters.rules());
  }

  private Wanted wanted(Selection selection) throws Failure {
    Policy policy = policies.policy();
    return new Wanted(
        selection.recursive(),
        selection.specials(),
        selection.oneFileSystem(),
        selection.links(),
        trees.preserve(),
        policy.existing(),
        policy.skipSame(),
        policy.onChange(),
        policy.strict(),
        remoteLevel(),
        ResumeVerify.ALL,
        filters.rules());
  }

  /// What goes over ssh is compared on the way unless the user says otherwise.
  Verified remoteLevel() throws Failure {
    return isChosen(verify) ? level() : Verified.WIRE;
  }

  /// The operands on other machines.
  ///
  /// @param sources empty if they are on this one
  /// @param target null if it is on this one
  private record RemoteEnds(List<RemotePath> sources, RemotePath target) {

    private static final byte[] CONTENT = {'.'};

    /// @return null if all are on this machine
    /// @throws Failure USAGE if the sources are on more than one machine, or the target is in one
    static RemoteEnds of(CopyOperands ends) throws Failure {
      RemotePath target = RemotePath.of(ends.target());
      List<RemotePath> sources = new ArrayList<>();
      for (String each : ends.sources()) {
        RemotePath source = RemotePath.of(each);
        if (source != null) {
          sources.add(source);
        }
      }
      if (sources.isEmpty()) {
        return target == null ? null : new RemoteEnds(sources, target);
      }
      if (sources.size() < ends.sources().size()) {
        throw usage("some sources are on this machine and some are not; use two commands");
      }
      for (RemotePath each : sources) {
        if (!each.login().equals(sources.getFirst().login())) {
          throw usage(
              "the sources are on several machines, "
                  + sources.getFirst().login()
                  + " and "
                  + each.login()
                  + "; use a command for each");
        }
        if (target != null && target.isIn(each)) {
          throw usage("the target " + target + " is the source " + each + ", or in it");
        }
      }
      return new RemoteEnds(sources, target);
    }

    /// Paths that end in the names of the sources, as far as they have any.
    List<RawPath> namesOfSources() {
      List<RawPath> names = new ArrayList<>();
      for (RemotePath each : sources) {
        names.add(RawPath.of(each.isContent() ? CONTENT : each.path()));
      }
      return names;
    }

    boolean isFetch() {
      return !sources.isEmpty();
    }

    boolean isBetween() {
      return isFetch() && target != null;
    }
  }

  CopyRequest request(Shell shell) throws Failure {
    return request(ends(), shell);
  }

  private CopyRequest request(CopyOperands ends, Shell shell) throws Failure {
    refuse(Use.HERE);
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
            // One that is set is for the network.
            isGiven(limitRate) ? rateBytes() : 0);
    if (CopyRules.isOfStream(sources, target)) {
      refuse(Use.STREAM);
    }
    if (request.deleting() != null) {
      CopyRules.checkDeletion(request.selection());
    }
    CopyRules.check(spec().commandLine().getParseResult(), request);
    return request;
  }

  private long rateBytes() throws Failure {
    return bytes(limitRate, PeerOptions.RATE_BYTES_MIN, Long.MAX_VALUE);
  }

  private static boolean writesToStandardOutput(CopyRequest request) {
    RawPath manifest = request.assurance().manifest();
    return request.target().isStandardStream() || manifest != null && manifest.isStandardStream();
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
  private static void requireNoTilde(String typed) throws Failure {
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
    if (paths.size() < 2 && isGiven(verify)) {
      // It takes a value, which may have been meant as an operand.
      level();
    }
    if (paths.isEmpty()) {
      throw missing("SOURCE and TARGET are missing");
    }
    if (paths.size() == 1) {
      throw missing("TARGET is missing after " + RawText.printable(paths.getFirst()));
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
    // A level that is only set may be for other copies: ZCP_VERIFY is for those over a network,
    // too.
    boolean isForOthers =
        !isGiven(verify) && (isOfStream || valueOf(verify).equalsIgnoreCase(Verified.WIRE.label()));
    Verified level = isForOthers ? Verified.NONE : level();
    if (level == Verified.WIRE) {
      throw usage(verify, "wire is for a copy to or from another machine; use readback");
    }
    return new Assurance(level, pathOf(manifest), isSet(fsync), isSet(verifyOnly));
  }

  private Verified level() throws Failure {
    return constant(verify, Verified.values());
  }
}
