package dev.zcp.cli;

import dev.zcp.cli.Manual.Example;
import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Verified;
import dev.zcp.plan.Shard;
import dev.zcp.report.TextReport.Detail;
import dev.zcp.session.KeySource;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.session.send.Sender;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.RemoteTransfer;
import dev.zcp.ssh.RemoteTransfer.Push;
import dev.zcp.ssh.ServeRequest.TargetRule;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.walk.Selection;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

final class SendCommand extends Command {

  private static final byte[] SELF = {'.'};

  private final TreeOptions trees = group(new TreeOptions());
  private final FilterOptions filters = group(new FilterOptions());
  private final OptionSpec skipSame =
      option(
          "--skip-same",
          "Skip a file, unread, if the receiver has one of the same name, size and modification"
              + " time.");
  private final PolicyOptions.ChangeOptions changes = group(new PolicyOptions.ChangeOptions());
  private final ProofOptions proofs = group(ProofOptions.ofSender());
  private final OptionSpec listen =
      option(
          "--listen[=HOST:PORT]",
          "Listen on this address, by default 127.0.0.1:5230, and send to each receiver that"
              + " connects. PORT alone is that port of all addresses. There is no ADDRESS then.",
          PeerOptions.LISTEN_USUAL);
  private final OptionSpec once =
      option("--once", "With --listen, exit after the first transfer, with its exit code.");
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
  public Manual manual() {
    return new Manual(
        "send files and trees to a receiver",
        "[OPTIONS] ADDRESS FILE... | --listen[=HOST:PORT] FILE...",
        List.of(
            "Sends each FILE to the 'zcp receive' at ADDRESS: HOST, HOST:PORT, [V6]:PORT, or the"
                + " URL that the receiver printed. [USER@]HOST:DIRECTORY or"
                + " ssh://[USER@]HOST[:PORT]/DIRECTORY starts a receiver there by ssh. '-' is"
                + " standard input of any length; it arrives as a file named stdin.",
            "With --listen it is 'zcp receive URL' that connects: the first line on standard output"
                + " is that URL. Each receiver gets all FILEs as they are then, until a signal ends"
                + " zcp. Standard input and other streams can be sent only once.",
            "Directories need -r, or -a, which also offers all attributes. The"
                + " receiver decides what it accepts, and both sides report what it does not."
                + " DIR/. sends the content of DIR without its name.",
            "Exit code 0 means that the receiver has confirmed every file: it is"
                + " complete, it is verified to the level of --verify, and it has its final"
                + " name. If the receiver discards what it gets, the report says so.",
            "If a connection is lost, zcp connects again. If the command fails, run it"
                + " again to send the rest: the receiver keeps the verified part of a large"
                + " file, and complete files are compared, not sent.",
            "The key comes from the first of these that has one: the URL, --key-file,"
                + " ZCP_KEY, the file that the other end left if the same user started it on"
                + " this machine.",
            "Connections to other machines are encrypted by TLS 1.3, unless both ends say --plain"
                + " or the URL is a zcp+plain:// one."),
        List.of(
            new Example(
                "zcp send zcp+plain://KEY@127.0.0.1:5230 a.iso b.iso",
                "Send two files to the URL that the receiver printed."),
            new Example(
                "zcp send -a 127.0.0.1:5230 photos",
                "Send a tree to a receiver of the same user on this machine."),
            new Example(
                "zcp send -r --exclude=build/ 127.0.0.1:5230 src/.",
                "Send the content of a directory, except what the pattern matches."),
            new Example(
                "zcp send --connections=4 --limit-rate=50M --key-file=key nas:5230 film.mkv",
                "Send a file over four connections, at most 50 MiB per second."),
            new Example(
                "zcp send --verify=media --strategy=transferTo 127.0.0.1:5230 disk.img",
                "Send with one strategy; the receiver compares what is on its device."),
            new Example(
                "zcp send --listen --once -a photos", "Wait for 'zcp receive' to fetch a tree."),
            new Example(
                "tar c photos | zcp send 127.0.0.1:5230 -", "Send the output of another program.")),
        Manual.withProfile(Manual.both(PeerOptions.VARIABLES, Settings.VARIABLES)));
  }

  @Override
  public List<OptionConflict> conflicts() {
    List<OptionConflict> all = new ArrayList<>(DialOptions.CONFLICTS);
    all.addAll(PeerOptions.CONFLICTS);
    all.add(FilterOptions.OF_SHARD);
    return all;
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = strategies();
    RemotePath remote = remote(valuesOf(address));
    SendRequest request = request(strategies, shell, remote);
    transfer.outputs(request.selection()).requireApart(request.files(), null, false);
    ReportRequest report = transfer.report(false);
    Reports reports = new Reports(report, shell, filters.shard());
    CommandEnvironment environment = shell.environment(strategies, reports);
    return reports.finish(
        remote == null
            ? Sender.send(request, environment)
            : remotes
                .transfer(shell, report.detail() == Detail.VERBOSE, environment)
                .run(new Push(request, remote, TargetRule.DIRECTORY, false, null)));
  }

  /// The path that was typed in place of an address; null if it is none.
  private RemotePath remote(List<String> first) throws Failure {
    return isGiven(listen) || first.isEmpty() ? null : RemoteOptions.path(first.getFirst());
  }

  Strategies strategies() throws Failure {
    return transfer.strategies();
  }

  SendRequest request(Strategies strategies, Shell shell) throws Failure {
    return request(strategies, shell, null);
  }

  /// @param remote where ssh starts the other end; null if there is one
  private SendRequest request(Strategies strategies, Shell shell, RemotePath remote)
      throws Failure {
    // Before what is missing is told, since its value may have been meant as an operand.
    Verified level = proofs.level();
    List<String> first = valuesOf(address);
    PeerEndpoint endpoint = remote == null ? endpoint(first) : ssh(remote);
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
    KeySource key = peer.key(shell);
    if (key.in() != null && sources.stream().anyMatch(RawPath::isStandardStream)) {
      throw usage("--key-file=- and the source '-' both read standard input");
    }
    Selection selection = filters.selection(trees);
    FilterOptions.check(spec().commandLine().getParseResult(), sources, selection);
    if (selection.names() != null && sources.getFirst().isStandardStream()) {
      throw usage("--files-from needs a directory as FILE, not '-'");
    }
    return new SendRequest(
        new Peering(endpoint, key, peer.encryption(), peer.flow(dial.connectTimeoutNs())),
        sources,
        transfer.choice(strategies),
        selection,
        trees.preserve(),
        policy(),
        new Sending(level, proofs.resumeVerify(), false, false));
  }

  private Policy policy() throws Failure {
    Policy policy = new Policy(Existing.REPLACE, null, false, changes.onChange(), changes.strict());
    return isSet(skipSame) ? policy.withSkipSame() : policy;
  }

  private PeerEndpoint ssh(RemotePath remote) throws Failure {
    refuse(Use.SSH);
    return RemoteTransfer.endpoint(remote.login());
  }

  private PeerEndpoint endpoint(List<String> first) throws Failure {
    if (isGiven(listen)) {
      refuse(Use.LISTENING);
      return new PeerEndpoint.Listen(PeerOptions.listenAddress(valueOf(listen)), isSet(once));
    }
    if (isSet(once)) {
      throw usage("--once needs --listen");
    }
    if (first.isEmpty()) {
      throw missing("ADDRESS and FILE are missing");
    }
    return dial.dial(PeerOptions.address(first.getFirst()));
  }
}
