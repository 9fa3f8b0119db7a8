package dev.zcp.cli;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.session.Address;
import dev.zcp.session.Admission;
import dev.zcp.session.Existing;
import dev.zcp.session.Flow;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.receive.Receiver;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// `zcp receive`.
final class ReceiveCommand implements Command {

  private static final String HERE = ".";

  private final CommonOptions common = new CommonOptions();
  private final TransferOptions transfer = new TransferOptions();
  private final PeerOptions peer = new PeerOptions();
  private final OptionSpec listen =
      Options.value("HOST:PORT", "Listen there; port 0 takes a free one.", "--listen")
          .defaultValue("127.0.0.1:5230")
          .build();
  private final OptionSpec once =
      Options.flag("End after one transfer, with its exit code.", "--once");
  private final OptionSpec overwrite =
      Options.flag("Replace files that exist; without it they are refused.", "--overwrite");
  private final OptionSpec discard =
      Options.flag(
          "Take and verify files as always, and throw each away where it would get its name: to try"
              + " a link.",
          "--discard");
  private final PositionalParamSpec directory = Options.operands("0..*", "DIRECTORY").build();
  private final CommandSpec spec = Options.spec(this);

  ReceiveCommand() {
    for (OptionSpec option : List.of(listen, once, overwrite, discard)) {
      spec.addOption(option);
    }
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
        "receive files from senders",
        "[OPTIONS] [DIRECTORY]",
        List.of(
            "Waits for 'zcp send' and writes what it sends into DIRECTORY, which is the current one"
                + " where none is named. '-' writes the bytes of one file to standard output and"
                + " ends.",
            "The first line of standard output is the URL to send to, with the key in it; --json"
                + " makes it an event, and '-' moves it to standard error. Without --once it goes"
                + " on until a signal ends it.",
            "A file gets its final name when all of it has arrived and its digest fits. Nothing is"
                + " written outside DIRECTORY.",
            "With --discard it is written there and verified all the same, and then deleted; the"
                + " sender is told."),
        List.of(
            new Manual.Example("zcp receive inbox", "Receive files until Ctrl-C."),
            new Manual.Example(
                "zcp receive --once --listen=127.0.0.1:0", "One transfer, on a free port."),
            new Manual.Example("zcp receive - | tar x", "Hand what arrives to another program.")),
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
        Receiver.receive(request, shell.surroundings(strategies, reports.listener())));
  }

  Strategies strategies() throws Failure {
    return transfer.strategies();
  }

  ReceiveRequest request(Strategies strategies, Shell shell) throws Failure {
    List<String> operands = Options.valuesOf(directory);
    Operands.atMost(1, operands);
    RawPath into = RawText.path(operands.isEmpty() ? HERE : operands.getFirst());
    refuseDiscardWith(into);
    return new ReceiveRequest(
        listenAddress(),
        into,
        Options.isSet(once) || into.isStandardStream(),
        transfer.choice(strategies),
        peer.key(shell),
        peer.plain(),
        new Admission(
            Options.isSet(overwrite) ? Existing.REPLACE : Existing.REFUSE,
            0,
            null,
            ResumeVerify.ALL,
            Admission.UNLIMITED,
            Admission.UNLIMITED,
            Options.isSet(discard)),
        new Flow(0, 0, peer.stallTimeoutNs(), peer.socketBufferBytes(), null));
  }

  private void refuseDiscardWith(RawPath into) throws Failure {
    if (!Options.isSet(discard)) {
      return;
    }
    if (Options.isSet(overwrite)) {
      throw Failure.of(
          ExitCode.USAGE, "--discard gives no file a name, so --overwrite has nothing to replace");
    }
    if (into.isStandardStream()) {
      throw Failure.of(
          ExitCode.USAGE, "--discard needs a directory to write to, and '-' is standard output");
    }
  }

  private Address listenAddress() throws Failure {
    Address address = Addresses.of(Options.valueOf(listen));
    if (address.scheme() != Address.Scheme.UNSAID) {
      throw Failure.of(
          ExitCode.USAGE, "--listen takes HOST:PORT; --key-file and --plain say the rest");
    }
    return address;
  }
}
