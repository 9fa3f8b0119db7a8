package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.session.Address;
import dev.zcp.session.Flow;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.session.copy.Policy;
import dev.zcp.session.send.Sender;
import dev.zcp.session.walk.Selection;
import dev.zcp.tree.Preserve;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp send`.
final class SendCommand implements Command {

  private final CommonOptions common = new CommonOptions();
  private final TransferOptions transfer = new TransferOptions();
  private final PeerOptions peer = new PeerOptions();
  private final LaterOptions later = new LaterOptions();
  private final OptionSpec connectTimeout =
      Options.value(
              "TIME",
              "Wait TIME at most for the connection, such as 500ms, 3s or 2m.",
              "--connect-timeout")
          .defaultValue("3s")
          .build();
  private final PositionalParamSpec address =
      Options.operands("0", "ADDRESS").arity("0..1").build();
  private final PositionalParamSpec files = Options.operands("1..*", "FILE").build();
  private final CommandSpec spec = Options.spec(this);

  SendCommand() {
    spec.addOption(connectTimeout);
    peer.addTo(spec);
    transfer.addTo(spec);
    common.addTo(spec);
    later.addTo(spec);
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
        "send files to a receiver",
        "[OPTIONS] ADDRESS FILE...",
        List.of(
            "Sends each FILE to the 'zcp receive' at ADDRESS: HOST:PORT, [V6]:PORT, or the URL that"
                + " the receiver printed. '-' is standard input, which arrives under the name"
                + " stdin.",
            "Exit code 0 means that the digest of what was sent is the digest of what was received,"
                + " and that every file has its final name on the other side; where the receiver"
                + " was told to discard what it gets, the report says so.",
            "The key comes from the URL, else from --key-file, else from ZCP_KEY, else from the"
                + " file that a receiver of the same user left on this machine."),
        List.of(
            new Manual.Example(
                "zcp send --strategy=transferTo 127.0.0.1:5230 disk.img",
                "Send a file to a receiver of the same user on this machine."),
            new Manual.Example(
                "zcp send zcp+plain://KEY@127.0.0.1:5230 a.iso b.iso",
                "Send two files to the URL that the receiver printed."),
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
    later.refuse();
    List<String> to = Options.valuesOf(address);
    if (to.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "ADDRESS and FILE are missing");
    }
    Address receiver = Addresses.of(to.getFirst());
    if (receiver.port() == 0) {
      throw Failure.of(ExitCode.USAGE, receiver + ": nobody can be reached at port 0");
    }
    List<RawPath> sources = Operands.paths(Options.valuesOf(files));
    if (sources.isEmpty()) {
      throw Failure.of(ExitCode.USAGE, "FILE is missing after " + receiver);
    }
    Operands.standardInputAtMostOnce(sources);
    return new SendRequest(
        receiver,
        sources,
        transfer.choice(strategies),
        peer.key(shell),
        peer.plain(),
        Selection.FILES,
        Preserve.USUAL,
        Policy.USUAL,
        Sending.USUAL,
        new Flow(
            0, Timeout.of(connectTimeout), peer.stallTimeoutNs(), peer.socketBufferBytes(), null));
  }
}
