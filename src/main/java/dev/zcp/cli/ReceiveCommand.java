package dev.zcp.cli;

import dev.zcp.cli.OptionConflict.Use;
import dev.zcp.cli.Reports.ReportRequest;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Strategies;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.session.Admission;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.receive.Receiver;
import dev.zcp.ssh.RemotePath;
import dev.zcp.ssh.RemoteTransfer;
import dev.zcp.ssh.RemoteTransfer.Fetch;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.web.WebTransfer;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.PositionalParamSpec;

final class ReceiveCommand extends Command {

  private static final String ALL = "all";

  /// More than this no session has.
  private static final long FILES_MAX = 1L << 32;

  private static final String HERE = ".";
  private static final String STANDARD_OUTPUT = "-";

  private final Option listen = option("--listen=HOST:PORT", PeerOptions.LISTEN_USUAL);
  private final Option once = option("--once");
  private final Option web = option("--web");
  private final Option stdout = option("--stdout");
  private final Option accept = several("--accept=LIST", with(ALL, Admission.KEEP_WORDS));
  private final Option overwrite = option("--overwrite");
  private final Option sizeMax = option("--max-size=SIZE");
  private final Option filesMax = option("--max-files=N");
  private final Option discard = option("--discard");
  private final Option fsync = option("--fsync");
  private final RemoteOptions remotes = group(new RemoteOptions());
  private final DialOptions dial = group(new DialOptions());
  private final ProofOptions proofs = group(new ProofOptions(null));
  private final PeerOptions peer = group(new PeerOptions());
  private final TransferOptions transfer = group(new TransferOptions());
  private final PositionalParamSpec directory = operands("0..*", "DIRECTORY");

  ReceiveCommand() {
    super("zcp receive");
  }

  @Override
  public List<OptionConflict> conflicts() {
    List<OptionConflict> all = new ArrayList<>(DialOptions.CONFLICTS);
    all.addAll(PeerOptions.CONFLICTS);
    all.add(OptionConflict.of("--discard", "--overwrite --fsync", "no file is kept"));
    all.add(PeerOptions.OF_WEB);
    all.add(
        OptionConflict.of(
            "--web", "--stdout --accept --discard --verify --resume-verify", PeerOptions.OF_HTTP));
    return all;
  }

  @Override
  ExitCode run(Shell shell) throws Failure {
    Strategies strategies = transfer.strategies();
    List<String> operands = new ArrayList<>(valuesOf(directory));
    RemotePath remote = remote(operands);
    ReceiveRequest request = request(operands, remote, shell);
    boolean isStream = request.directory().isStandardStream();
    if (!isStream) {
      transfer.outputs(null).requireApart(request.directory(), "is what is received into");
    }
    ReportRequest report = transfer.report(this, isStream, shell);
    Reports reports = new Reports(report, shell);
    CommandEnvironment environment = shell.environment(strategies, reports);
    if (isSet(web)) {
      return reports.finish(WebTransfer.receive(request, environment, shell.showsPictures()));
    }
    return reports.finish(
        remote == null
            ? Receiver.receive(request, environment)
            : remotes.transfer(report, reports, environment, shell).run(Fetch.of(request, remote)));
  }

  /// Takes the path on another machine from the operands; null if there is none. As with addresses,
  /// one operand alone is one only if it is a URL.
  private static RemotePath remote(List<String> operands) throws Failure {
    boolean mayBe =
        operands.size() == 2 || operands.size() == 1 && operands.getFirst().startsWith("ssh://");
    RemotePath remote = mayBe ? RemoteOptions.path(operands.getFirst()) : null;
    if (remote != null) {
      operands.removeFirst();
    }
    return remote;
  }

  ReceiveRequest request(Shell shell) throws Failure {
    return request(new ArrayList<>(valuesOf(directory)), null, shell);
  }

  /// @param remote where ssh starts the other end; null if there is one
  private ReceiveRequest request(List<String> operands, RemotePath remote, Shell shell)
      throws Failure {
    Address sender = remote == null ? sender(operands) : null;
    RawPath into = into(operands);
    if (isSet(web) && (remote != null || sender != null || into.isStandardStream())) {
      throw usage(
          "--web waits for browsers and writes into a DIRECTORY: it takes no other operand");
    }
    return new ReceiveRequest(
        new Peering(
            endpoint(sender, remote, isSet(once) || into.isStandardStream()),
            peer.key(shell),
            peer.encryption(),
            peer.flow(dial.connectTimeoutNs())),
        into,
        transfer.choice(),
        admission(into));
  }

  /// Takes the address of the sender from the operands; null if there is none. One operand alone is
  /// an address only if it is a URL, since a directory's name may have a colon; or if it can be no
  /// directory.
  private Address sender(List<String> operands) throws Failure {
    if (operands.size() > 2) {
      throw usage("at most ADDRESS and DIRECTORY, but there are " + operands.size() + " operands");
    }
    String first = operands.isEmpty() ? "" : operands.getFirst();
    boolean isAddress =
        operands.size() == 2
            || Address.isUrl(first)
            || isSet(stdout) && Address.isHostAndPort(RawText.text(first));
    return isAddress ? PeerOptions.address(operands.removeFirst()) : null;
  }

  private PeerEndpoint endpoint(Address sender, RemotePath remote, boolean isOne) throws Failure {
    if (sender == null && remote == null) {
      refuse(Use.LISTENING);
      return new PeerEndpoint.Listen(PeerOptions.listenAddress(valueOf(listen)), isOne);
    }
    if (isGiven(listen)) {
      throw usage("--listen waits for a sender, and ADDRESS connects to one: use one of them");
    }
    if (sender != null) {
      return dial.dial(sender);
    }
    refuse(Use.SSH);
    return RemoteTransfer.endpoint(remote.login());
  }

  private Admission admission(RawPath into) throws Failure {
    for (Option each : List.of(discard, fsync)) {
      if (isSet(each) && into.isStandardStream()) {
        throw usage(each.longestName() + " needs a directory, not '-'");
      }
    }
    return new Admission(
            isSet(overwrite) ? Existing.REPLACE : Existing.REFUSE,
            keeps(),
            proofs.level(),
            proofs.resumeVerify(),
            isKnown(sizeMax) ? bytes(sizeMax, 0, Long.MAX_VALUE) : Admission.UNLIMITED,
            isKnown(filesMax) ? number(filesMax, 1, FILES_MAX, "") : Admission.UNLIMITED,
            isSet(discard))
        .durable(isSet(fsync));
  }

  private int keeps() throws Failure {
    int keeps = 0;
    for (String word : someOf(Admission.KEEP_WORDS, ALL, words(accept), accept.longestName())) {
      keeps |= Admission.keepOf(word);
    }
    return keeps;
  }

  private RawPath into(List<String> operands) throws Failure {
    atMost(1, operands);
    if (!isSet(stdout)) {
      return RawText.path(operands.isEmpty() ? HERE : operands.getFirst());
    }
    if (!operands.isEmpty()) {
      throw usage(
          "--stdout takes no DIRECTORY, but there is '"
              + RawText.printable(operands.getFirst())
              + "'");
    }
    return RawText.path(STANDARD_OUTPUT);
  }
}
