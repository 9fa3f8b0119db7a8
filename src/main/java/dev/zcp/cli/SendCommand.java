package dev.zcp.cli;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.session.SendRequest;
import dev.zcp.session.send.Sender;
import dev.zcp.tree.Existing;
import dev.zcp.tree.Policy;
import dev.zcp.walk.Selection;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp send`.
final class SendCommand implements Command {

  private final CommonOptions common = new CommonOptions();
  private final TransferOptions transfer = new TransferOptions();
  private final PeerOptions peer = new PeerOptions();
  private final TreeOptions trees = new TreeOptions();
  private final FilterOptions filters = new FilterOptions();
  private final ChangeOptions changes = new ChangeOptions();
  private final ConnectionOptions connections = new ConnectionOptions();
  private final FlowOptions flows = new FlowOptions();
  private final ProofOptions proofs = ProofOptions.ofSender();
  private final PositionalParamSpec address =
      Options.operands("0", "ADDRESS").arity("0..1").build();
  private final PositionalParamSpec files = Options.operands("1..*", "FILE").build();
  private final CommandSpec spec = Options.spec(this);

  SendCommand() {
    trees.addTo(spec);
    filters.addTo(spec);
    changes.addTo(spec);
    proofs.addTo(spec);
    connections.addTo(spec);
    flows.addTo(spec);
    peer.addTo(spec);
    transfer.addTo(spec);
    common.addTo(spec);
    spec.addPositional(address);
    spec.addPositional(files);
  }

  @Override
  public String title() {
    return "zcp send";
  }

  @Override
  public Manual manual() {
    return new Manual(
        "send files and trees to a receiver",
        "[OPTIONS] ADDRESS FILE...",
        List.of(
            "Sends each FILE to the 'zcp receive' at ADDRESS: HOST:PORT, [V6]:PORT, or the URL that"
                + " the receiver printed. '-' is standard input, of any length, which arrives under"
                + " the name stdin.",
            "Directories need -r, or -a, which offers all that can be kept; the receiver decides"
                + " what of it is taken, and both ends name what is not. DIR/. sends what is in"
                + " DIR, without the name.",
            "Exit code 0 means that the receiver has said of every file that it is complete, proved"
                + " to the level of --verify, and has its final name there; where the receiver was"
                + " told to discard what it gets, the report says so.",
            "A connection that is lost is made anew. The same command again after a failure sends"
                + " what is missing: the receiver keeps what it has verified of a large file, and"
                + " complete files are compared and not sent.",
            "The key comes from the URL, else from --key-file, else from ZCP_KEY, else from the"
                + " file that a receiver of the same user left on this machine. A zcp+plain:// URL"
                + " says --plain by itself."),
        List.of(
            new Manual.Example(
                "zcp send zcp+plain://KEY@127.0.0.1:5230 a.iso b.iso",
                "Send two files to the URL that the receiver printed."),
            new Manual.Example(
                "zcp send -a 127.0.0.1:5230 photos",
                "Send a tree, to a receiver of the same user on this machine."),
            new Manual.Example(
                "zcp send -r --exclude=build/ 127.0.0.1:5230 src/.",
                "Send what is in a directory, but not what a pattern names."),
            new Manual.Example(
                "zcp send --connections=4 --limit-rate=50M --plain nas:5230 film.mkv",
                "Send ranges of a file over four connections, and 50 MiB a second at most."),
            new Manual.Example(
                "zcp send --verify=media --strategy=transferTo 127.0.0.1:5230 disk.img",
                "Send by one strategy, and have the receiver compare what its device has."),
            new Manual.Example(
                "tar c photos | zcp send 127.0.0.1:5230 -", "Send what another program writes.")),
        ProfilePath.with(PeerOptions.VARIABLES));
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
    SendRequest request = request(strategies, shell);
    Reports reports = Reports.of(transfer.report(false), shell);
    return reports.finish(Sender.send(request, shell.surroundings(strategies, reports.listener())));
  }

  Strategies strategies() throws Failure {
    return transfer.strategies();
  }

  SendRequest request(Strategies strategies, Shell shell) throws Failure {
    List<String> to = Options.valuesOf(address);
    if (to.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "ADDRESS and FILE are missing");
    }
    Address receiver = PeerOptions.address(to.getFirst());
    if (receiver.port() == 0) {
      throw Failure.of(ExitCode.USAGE, receiver + ": nobody can be reached at port 0");
    }
    List<RawPath> sources = Options.paths(Options.valuesOf(files));
    if (sources.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "FILE is missing after " + receiver);
    }
    Options.standardInputAtMostOnce(sources);
    Selection selection = filters.selection(trees);
    FilterOptions.check(spec.commandLine().getParseResult(), sources, selection);
    if (selection.names() != null && sources.getFirst().isStandardStream()) {
      throw Failure.of(
          ExitCode.USAGE, "--files-from lists what is taken of a directory, and '-' is none");
    }
    return new SendRequest(
        receiver,
        sources,
        transfer.choice(strategies),
        peer.key(shell),
        peer.plain(),
        selection,
        trees.preserve(),
        new Policy(Existing.REPLACE, null, false, changes.onChange(), changes.strict()),
        connections.sending(proofs.level(), proofs.resumeVerify()),
        flows.flow(connections.connectTimeoutNs()));
  }
}
