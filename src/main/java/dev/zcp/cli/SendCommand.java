package dev.zcp.cli;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.session.SendRequest;
import dev.zcp.session.send.Sender;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
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
            "Sends each FILE to the 'zcp receive' at ADDRESS: HOST:PORT, [V6]:PORT, or"
                + " the URL that the receiver printed. '-' is standard input of any length;"
                + " it arrives as a file named stdin.",
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
                + " ZCP_KEY, the file that a receiver of the same user left on this machine."
                + " A zcp+plain:// URL implies --plain."),
        List.of(
            new Manual.Example(
                "zcp send zcp+plain://KEY@127.0.0.1:5230 a.iso b.iso",
                "Send two files to the URL that the receiver printed."),
            new Manual.Example(
                "zcp send -a 127.0.0.1:5230 photos",
                "Send a tree to a receiver of the same user on this machine."),
            new Manual.Example(
                "zcp send -r --exclude=build/ 127.0.0.1:5230 src/.",
                "Send the content of a directory, except what the pattern matches."),
            new Manual.Example(
                "zcp send --connections=4 --limit-rate=50M --plain nas:5230 film.mkv",
                "Send a file over four connections, at most 50 MiB per second."),
            new Manual.Example(
                "zcp send --verify=media --strategy=transferTo 127.0.0.1:5230 disk.img",
                "Send with one strategy; the receiver compares what is on its device."),
            new Manual.Example(
                "tar c photos | zcp send 127.0.0.1:5230 -", "Send the output of another program.")),
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
    transfer.outputs(request.selection()).requireApart(request.files(), null, false);
    Reports reports = Reports.of(transfer.report(false), shell);
    return reports.finish(Sender.send(request, shell.environment(strategies, reports.listener())));
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
      throw Failure.of(ExitCode.USAGE, receiver + ": cannot connect to port 0");
    }
    List<RawPath> sources = Options.paths(Options.valuesOf(files));
    if (sources.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "FILE is missing after " + receiver);
    }
    Options.standardInputAtMostOnce(sources);
    Selection selection = filters.selection(trees);
    FilterOptions.check(spec.commandLine().getParseResult(), sources, selection);
    if (selection.names() != null && sources.getFirst().isStandardStream()) {
      throw Failure.of(ExitCode.USAGE, "--files-from needs a directory as FILE, not '-'");
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
