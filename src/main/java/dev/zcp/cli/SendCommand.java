package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.plan.Shard;
import dev.zcp.session.KeySource;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.session.send.Sender;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.RemoteTransfer;
import dev.zcp.ssh.RemoteTransfer.Push;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.walk.Selection;
import dev.zcp.web.WebTransfer;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

final class SendCommand extends Command {

  private static final byte[] SELF = {'.'};

  private final TreeOptions trees = group(new TreeOptions());
  private final FilterOptions filters = group(new FilterOptions());
  private final Option skipSame = option("--skip-same");
  private final PolicyOptions.ChangeOptions changes = group(new PolicyOptions.ChangeOptions());
  private final ProofOptions proofs = group(new ProofOptions(Level.WIRE));
  private final Option dryRun = option("--dry-run");
  private final SavingOptions saving = group(new SavingOptions());
  private final Option listen = option("--listen[=HOST:PORT]", PeerOptions.LISTEN_USUAL);
  private final Option once = option("--once");
  private final Option web = option("--web");
  private final RemoteOptions remotes = group(new RemoteOptions());
  private final DialOptions dial = group(new DialOptions());
  private final PeerOptions peer = group(new PeerOptions());
  private final TransferOptions transfer = group(new TransferOptions());
  private final PositionalParamSpec address = operands("0", "ADDRESS");
  private final PositionalParamSpec files = operands("1..*", "FILE");

  SendCommand() {
    super("zcp send");
  }

  @Override
  public List<OptionConflict> conflicts() {
    List<OptionConflict> all = new ArrayList<>(DialOptions.CONFLICTS);
    all.addAll(PeerOptions.CONFLICTS);
    all.add(FilterOptions.OF_SHARD);
    all.add(SavingOptions.CONFLICT);
    all.add(SavingOptions.DELTA_CONFLICT);
    all.add(PeerOptions.OF_WEB);
    all.add(
        OptionConflict.of(
            "--web",
            "--include --exclude --exclude-from --files-from --shard --one-file-system"
                + " --no-dereference --dereference -H -d --skip-same --verify --resume-verify"
                + " --dry-run --compress -z --delta --whole-file --on-change --strict -p"
                + " --preserve --no-preserve --sparse",
            PeerOptions.OF_HTTP));
    return all;
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = transfer.strategies();
    RemotePath remote = remote(valuesOf(address));
    SendRequest request = request(shell, remote);
    transfer.outputs(request.selection()).requireApart(request.files(), null, false);
    ReportRequest report = transfer.report(this, false, shell);
    Reports reports = new Reports(report, shell, filters.shard());
    CommandEnvironment environment = shell.environment(strategies, reports);
    if (isSet(web)) {
      return reports.finish(WebTransfer.send(request, environment, shell.showsPictures()));
    }
    return reports.finish(
        remote == null
            ? Sender.send(request, environment)
            : remotes
                .transfer(report, reports, environment, shell)
                .run(new Push(request, remote, Placement.INSIDE, false, null)));
  }

  /// The path that was typed in place of an address; null if it is none.
  private RemotePath remote(List<String> first) throws Failure {
    return isListening() || first.isEmpty() ? null : RemoteOptions.path(first.getFirst());
  }

  SendRequest request(Shell shell) throws Failure {
    return request(shell, null);
  }

  /// @param remote where ssh starts the other end; null if there is one
  private SendRequest request(Shell shell, RemotePath remote) throws Failure {
    // Before what is missing is told, since its value may have been meant as an operand.
    Level level = proofs.level();
    List<String> first = valuesOf(address);
    PeerEndpoint endpoint = endpoint(first, remote);
    List<RawPath> sources = new ArrayList<>();
    Shard shard = filters.shard();
    if (shard != null) {
      trees.implyArchive();
      if (!valuesOf(files).isEmpty()) {
        throw usage("--shard has what is sent in the plan, so there is no FILE");
      }
      sources.add(shard.plan().source().resolve(SELF));
    }
    if (endpoint instanceof PeerEndpoint.Listen && !first.isEmpty()) {
      sources.add(RawText.path(first.getFirst()));
    }
    sources.addAll(paths(files));
    if (sources.isEmpty()) {
      throw missing(
          endpoint instanceof PeerEndpoint.Listen
              ? "FILE is missing"
              : "FILE is missing after " + endpoint.address());
    }
    standardInputAtMostOnce(sources);
    if (isSet(web) && sources.stream().anyMatch(RawPath::isStandardStream)) {
      throw usage("--web cannot send '-', which can be read only once");
    }
    KeySource key = peer.key(shell);
    if (key.in() != null && sources.stream().anyMatch(RawPath::isStandardStream)) {
      throw usage("--key-file=- and the source '-' both read standard input");
    }
    Selection selection = filters.selection(trees);
    FilterOptions.check(typed(), sources, selection);
    if (selection.names() != null && sources.getFirst().isStandardStream()) {
      throw usage("--files-from needs a directory as FILE, not '-'");
    }
    return new SendRequest(
        new Peering(endpoint, key, peer.encryption(), peer.flow(dial.connectTimeoutNs())),
        sources,
        transfer.choice(),
        selection,
        trees.preserve(),
        policy(),
        sending(level));
  }

  private boolean isListening() {
    return isGiven(listen) || isSet(web);
  }

  private Sending sending(Level level) throws Failure {
    Sending sending = new Sending(level, proofs.resumeVerify(), false, false, saving.savings());
    return isSet(dryRun) ? sending.asPlan("") : sending;
  }

  private Policy policy() throws Failure {
    Policy policy = new Policy(Existing.REPLACE, null, false, changes.onChange(), changes.strict());
    return isSet(skipSame) ? policy.withSkipSame() : policy;
  }

  private PeerEndpoint endpoint(List<String> first, RemotePath remote) throws Failure {
    if (remote != null) {
      refuse(Use.SSH);
      return RemoteTransfer.endpoint(remote.login());
    }
    if (isListening()) {
      refuse(Use.LISTENING);
      String where = isGiven(listen) ? valueOf(listen) : PeerOptions.LISTEN_USUAL;
      return new PeerEndpoint.Listen(PeerOptions.listenAddress(where), isSet(once));
    }
    if (isSet(once)) {
      throw usage("--once needs --listen or --web");
    }
    if (first.isEmpty()) {
      throw missing("ADDRESS and FILE are missing");
    }
    return dial.dial(PeerOptions.address(first.getFirst()));
  }
}
