package dev.zcp.cli;

import dev.zcp.cli.Manual.Example;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.session.send.Sender;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.walk.Selection;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp send`.
final class SendCommand extends Command {

  private static final String AUTO = "auto";

  /// With a pause of 5 s at most between two, more than half a day.
  private static final int RETRIES_MAX = 10_000;

  private final TreeOptions trees = group(new TreeOptions());
  private final FilterOptions filters = group(new FilterOptions());
  private final PolicyOptions.ChangeOptions changes = group(new PolicyOptions.ChangeOptions());
  private final ProofOptions proofs = group(ProofOptions.ofSender());
  private final OptionSpec connections =
      option(
          "--connections=N",
          "Send over N connections at once; a receiver accepts 16. auto adds"
              + " connections as long as that makes the transfer faster.",
          AUTO);
  private final OptionSpec connectTimeout =
      option(
          "--connect-timeout=TIME",
          "Wait at most TIME for a connection, such as 500ms, 3s or 2m.",
          "3s");
  private final OptionSpec retries =
      option(
          "--retries=N",
          "If all connections are lost, connect again up to N times. The count"
              + " starts anew after progress.",
          Integer.toString(Sending.RETRIES_USUAL));
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
                "zcp send --connections=4 --limit-rate=50M --plain nas:5230 film.mkv",
                "Send a file over four connections, at most 50 MiB per second."),
            new Example(
                "zcp send --verify=media --strategy=transferTo 127.0.0.1:5230 disk.img",
                "Send with one strategy; the receiver compares what is on its device."),
            new Example(
                "tar c photos | zcp send 127.0.0.1:5230 -", "Send the output of another program.")),
        Manual.withProfile(PeerOptions.VARIABLES));
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = strategies();
    SendRequest request = request(strategies, shell);
    transfer.outputs(request.selection()).requireApart(request.files(), null, false);
    Reports reports = new Reports(transfer.report(false), shell);
    return reports.finish(Sender.send(request, shell.environment(strategies, reports)));
  }

  Strategies strategies() throws Failure {
    return transfer.strategies();
  }

  SendRequest request(Strategies strategies, Shell shell) throws Failure {
    List<String> to = valuesOf(address);
    if (to.isEmpty()) {
      throw usage("ADDRESS and FILE are missing");
    }
    Address receiver = PeerOptions.address(to.getFirst());
    if (receiver.port() == 0) {
      throw usage(receiver + ": cannot connect to port 0");
    }
    List<RawPath> sources = paths(files);
    if (sources.isEmpty()) {
      throw usage("FILE is missing after " + receiver);
    }
    standardInputAtMostOnce(sources);
    Selection selection = filters.selection(trees);
    FilterOptions.check(spec().commandLine().getParseResult(), sources, selection);
    if (selection.names() != null && sources.getFirst().isStandardStream()) {
      throw usage("--files-from needs a directory as FILE, not '-'");
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
        new Sending(
            connections(),
            (int) number(retries, 0, RETRIES_MAX, ""),
            proofs.level(),
            proofs.resumeVerify(),
            false),
        peer.flow(elapsedNs(connectTimeout)));
  }

  private int connections() throws Failure {
    if (valueOf(connections).equalsIgnoreCase(AUTO)) {
      return Sending.CONNECTIONS_AUTO;
    }
    return (int) number(connections, 1, Sending.CONNECTIONS_MAX, ", or " + AUTO);
  }
}
