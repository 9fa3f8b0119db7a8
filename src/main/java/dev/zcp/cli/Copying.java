package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.copy.CopyRequest;
import dev.zcp.copy.TreeCopy;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.session.Admission;
import dev.zcp.session.Admission.Former;
import dev.zcp.session.Flow;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.Savings;
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
import java.util.List;

/// Runs what `zcp copy` or `zcp sync` was asked for: on this machine, to another one, from one, or
/// from one to another.
final class Copying {

  private final Command command;
  private final FilterOptions filters;
  private final RemoteOptions remotes;
  private final TransferOptions transfer;
  private final Shell shell;

  Copying(
      Command command,
      FilterOptions filters,
      RemoteOptions remotes,
      TransferOptions transfer,
      Shell shell) {
    this.command = command;
    this.filters = filters;
    this.remotes = remotes;
    this.transfer = transfer;
    this.shell = shell;
  }

  /// Copies on this machine.
  ExitCode here(CopyRequest request) throws Failure {
    OutputFiles outputs =
        transfer.outputs(request.selection()).add("--manifest", request.assurance().manifest());
    outputs.requireApart(
        request.sources(), request.target(), request.placement() == Placement.EXACTLY);
    Reports reports =
        new Reports(
            transfer.report(command, writesToStandardOutput(request), shell),
            shell,
            filters.shard());
    return reports.finish(
        TreeCopy.run(
            request, shell.environment(transfer.strategies(), reports, reports.consent())));
  }

  private static boolean writesToStandardOutput(CopyRequest request) {
    RawPath manifest = request.assurance().manifest();
    return request.target().isStandardStream() || manifest != null && manifest.isStandardStream();
  }

  /// Copies to another machine, from one, or both.
  ///
  /// @param request its operands are as they were typed: those on another machine are in `remote`
  /// @param isRelayed whether the bytes go through this machine if both are others
  ExitCode remote(CopyRequest request, RemoteEnds remote, FlowOptions flows, boolean isRelayed)
      throws Failure {
    Flow flow = flows.flow();
    Savings savings = flows.savings();
    Selection selection = request.selection();
    command.refuse(Use.REMOTE);
    if (remote.isFetch()) {
      command.refuse(Use.FETCH);
    }
    if (remote.isBetween()) {
      command.refuse(Use.BETWEEN);
    }
    if (request.deleting() != null) {
      CopyRules.checkDeletion(selection);
    }
    List<RawPath> local = remote.isFetch() ? List.of() : request.sources();
    FilterOptions.check(command.typed(), local, selection);
    OutputFiles outputs = transfer.outputs(selection);
    outputs.requireApart(local, null, false);
    boolean isStream = request.target().isStandardStream();
    if (isStream && request.dryRun()) {
      throw Options.usage("--dry-run needs a target with a name, not '-'");
    }
    if (remote.isFetch() && !remote.isBetween() && !isStream) {
      outputs.requireApartFromCopies(
          remote.namesOfSources(), request.target(), request.placement() == Placement.EXACTLY);
    }
    ReportRequest report = transfer.report(command, isStream, shell);
    Reports reports = new Reports(report, shell, filters.shard());
    RemoteTransfer transfers =
        remotes.transfer(report, reports, shell.environment(transfer.strategies(), reports), shell);
    if (remote.isBetween()) {
      return transfers.run(
          new Between(
              remote.sources(),
              remote.target(),
              request.placement(),
              request.choice(),
              wanted(request, savings),
              deletion(request, local, remote),
              request.policy().formerCopies(),
              flow,
              request.assurance().durable(),
              isRelayed,
              report.forOther(shell)));
    }
    return reports.finish(
        remote.isFetch()
            ? transfers.run(fetch(request, remote, flow, savings))
            : transfers.run(push(request, remote, flow, savings)));
  }

  private Push push(CopyRequest request, RemoteEnds remote, Flow flow, Savings savings)
      throws Failure {
    return new Push(
        new SendRequest(
            RemoteTransfer.peering(remote.target().login(), flow),
            request.sources(),
            request.choice(),
            request.selection(),
            request.preserve(),
            request.policy(),
            sending(request, savings)),
        remote.target(),
        request.placement(),
        true,
        deletion(request, request.sources(), remote));
  }

  private static Sending sending(CopyRequest request, Savings savings) {
    boolean isForced = request.assurance().durable();
    Sending sending =
        new Sending(request.assurance().verify(), ResumeVerify.ALL, false, isForced, savings);
    // The prefix is known once the other end has said what is there.
    return request.dryRun() ? sending.asPlan("") : sending;
  }

  private Fetch fetch(CopyRequest request, RemoteEnds remote, Flow flow, Savings savings)
      throws Failure {
    AskedDeletion deletion = deletion(request, List.of(), remote);
    Admission admission =
        new Admission(
                Existing.REPLACE,
                Admission.keepsOf(request.selection(), request.preserve()),
                request.assurance().verify(),
                ResumeVerify.ALL,
                Admission.UNLIMITED,
                Admission.UNLIMITED,
                false)
            .durable(request.assurance().durable())
            .dryRun(request.dryRun());
    admission =
        admission.linkingTo(new Former(request.policy().formerCopies(), request.target(), false));
    if (deletion != null) {
      admission =
          admission.deleting(
              new Admission.Deletion(
                  request.deleting(), request.selection().filter(), deletion.isContent()));
    }
    ReceiveRequest receive =
        new ReceiveRequest(
            RemoteTransfer.peering(remote.sources().getFirst().login(), flow),
            request.target(),
            request.choice(),
            admission);
    return new Fetch(remote.sources(), receive, request.placement(), wanted(request, savings));
  }

  /// What is deleted by the end that takes, or null if nothing is.
  ///
  /// @throws Failure USAGE if several sources are merged
  private AskedDeletion deletion(CopyRequest request, List<RawPath> local, RemoteEnds remote)
      throws Failure {
    Deleting deleting = request.deleting();
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
      throw Options.usage(
          "several sources go there, and --delete would delete what the others have; use a command"
              + " for each");
    }
    return new AskedDeletion(deleting.entriesMax(), isContent, filters.rules());
  }

  private Wanted wanted(CopyRequest request, Savings savings) throws Failure {
    Selection selection = request.selection();
    Policy policy = request.policy();
    return new Wanted(
        selection.recursive(),
        selection.specials(),
        selection.oneFileSystem(),
        selection.links(),
        request.preserve(),
        policy.existing(),
        policy.skipSame(),
        policy.onChange(),
        policy.strict(),
        request.assurance().verify(),
        ResumeVerify.ALL,
        request.dryRun(),
        filters.rules(),
        savings);
  }
}
