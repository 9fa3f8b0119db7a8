package dev.zcp.cli;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.receive.Receiver;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp receive`.
final class ReceiveCommand implements Command {

  private static final String HERE = ".";
  private static final String STANDARD_OUTPUT = "-";

  private final CommonOptions common = new CommonOptions();
  private final TransferOptions transfer = new TransferOptions();
  private final PeerOptions peer = new PeerOptions();
  private final OptionSpec listen =
      Options.value("HOST:PORT", "Listen on this address. Port 0 takes a free port.", "--listen")
          .defaultValue("127.0.0.1:5230")
          .build();
  private final OptionSpec once =
      Options.flag("Exit after the first sender's transfer, with its exit code.", "--once");
  private final OptionSpec stdout =
      Options.flag("Write one file to standard output, the same as '-'.", "--stdout");
  private final AdmissionOptions admissions = new AdmissionOptions();
  private final ProofOptions proofs = ProofOptions.ofReceiver();
  private final FlowOptions flows = new FlowOptions();
  private final PositionalParamSpec directory = Options.operands("0..*", "DIRECTORY").build();
  private final CommandSpec spec = Options.spec(this);

  ReceiveCommand() {
    for (OptionSpec option : List.of(listen, once, stdout)) {
      spec.addOption(option);
    }
    admissions.addTo(spec);
    proofs.addTo(spec);
    flows.addTo(spec);
    peer.addTo(spec);
    transfer.addTo(spec);
    common.addTo(spec);
    spec.addPositional(directory);
  }

  @Override
  public String title() {
    return "zcp receive";
  }

  @Override
  public Manual manual() {
    return new Manual(
        "receive files and trees from senders",
        "[OPTIONS] [DIRECTORY]",
        List.of(
            "Waits for 'zcp send' and writes what it sends into DIRECTORY, by default"
                + " the current one. '-' writes one file to standard output and exits.",
            "The first line on standard output is the URL to send to. It contains the"
                + " key. With --json the URL is an event; with '-' it goes to standard error."
                + " Without --once the receiver runs until a signal ends it.",
            "A file gets its final name after all of it has arrived and its digest"
                + " matches. Nothing is written outside DIRECTORY. The receiver takes files"
                + " and directories; --accept adds other entries and attributes.",
            "If the sender disconnects, the verified part of a large file stays in"
                + " .zcp-*.part and .zcp-*.journal, next to its final name, until the sender"
                + " returns.",
            "With --discard everything is written and verified as usual, then deleted."
                + " The sender is told."),
        List.of(
            new Manual.Example("mkdir inbox; zcp receive inbox", "Receive files until Ctrl-C."),
            new Manual.Example(
                "zcp receive --once --listen=127.0.0.1:0", "Receive one transfer, on a free port."),
            new Manual.Example(
                "zcp receive --accept=links,hardlinks --overwrite /backup",
                "Receive trees with their links, and replace existing files."),
            new Manual.Example(
                "zcp receive --accept=all --verify=readback /backup",
                "Receive everything that senders have, and read again what was written."),
            new Manual.Example(
                "zcp receive --plain --listen='[::]:5230' --max-size=20G --max-files=9999 inbox",
                "Listen to other machines, and limit what one sender may send."),
            new Manual.Example(
                "zcp receive --stdout | tar x", "Pass what arrives to another program.")),
        PeerOptions.VARIABLES);
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
    ReceiveRequest request = request(strategies, shell);
    Reports reports = Reports.of(transfer.report(request.directory().isStandardStream()), shell);
    return reports.finish(
        Receiver.receive(request, shell.environment(strategies, reports.listener())));
  }

  Strategies strategies() throws Failure {
    return transfer.strategies();
  }

  ReceiveRequest request(Strategies strategies, Shell shell) throws Failure {
    RawPath into = into();
    return new ReceiveRequest(
        listenAddress(),
        into,
        Options.isSet(once) || into.isStandardStream(),
        transfer.choice(strategies),
        peer.key(shell),
        peer.plain(),
        admissions.admission(into, proofs.level(), proofs.resumeVerify()),
        flows.flow(0));
  }

  private RawPath into() throws Failure {
    List<String> operands = Options.valuesOf(directory);
    Options.atMost(1, operands);
    if (!Options.isSet(stdout)) {
      return RawText.path(operands.isEmpty() ? HERE : operands.getFirst());
    }
    if (!operands.isEmpty()) {
      throw Failure.of(
          ExitCode.USAGE,
          "--stdout takes no DIRECTORY, but there is '"
              + RawText.printable(operands.getFirst())
              + "'");
    }
    return RawText.path(STANDARD_OUTPUT);
  }

  private Address listenAddress() throws Failure {
    Address address = PeerOptions.address(Options.valueOf(listen));
    if (address.scheme() != Address.Scheme.UNSAID) {
      throw Failure.of(
          ExitCode.USAGE,
          "--listen takes HOST:PORT; use --key-file for the key and --plain for no"
              + " encryption");
    }
    return address;
  }
}
