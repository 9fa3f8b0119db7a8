package dev.zcp.ssh;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address;
import dev.zcp.core.Daemon;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Result;
import dev.zcp.linux.Signals;
import dev.zcp.linux.StandardStreams;
import dev.zcp.session.Admission;
import dev.zcp.session.Admission.Deletion;
import dev.zcp.session.Admission.Former;
import dev.zcp.session.Flow;
import dev.zcp.session.Greeting;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.PeerEndpoint.Dial;
import dev.zcp.session.Peering;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.ResumeVerify;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.session.ServedPipe;
import dev.zcp.session.receive.Receiver;
import dev.zcp.session.receive.TargetDirectory;
import dev.zcp.session.send.Sender;
import dev.zcp.ssh.Fields.Message;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.ssh.ServeRequest.FilterRule;
import dev.zcp.ssh.ServeRequest.Give;
import dev.zcp.ssh.ServeRequest.ListenAt;
import dev.zcp.ssh.ServeRequest.Onward;
import dev.zcp.ssh.ServeRequest.ReportOptions;
import dev.zcp.ssh.ServeRequest.Take;
import dev.zcp.ssh.ServeRequest.Wanted;
import dev.zcp.tree.IgnorePatterns;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import dev.zcp.wire.Keep;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The end that ssh has started: it does what it is asked for on its standard input, and ends with
/// that. It says nothing on its standard output but the protocol.
public final class ServedEnd {

  /// The other end, as messages name it.
  private static final String PEER = "the zcp that started this one";

  /// The other end asks as soon as it has started ssh.
  private static final long REQUEST_S_MAX = 60;

  private static final int SSH_CONNECTION_WORDS = 4;

  private final CommandEnvironment environment;
  private final ServedPlace place;
  private final Reporting reporting;
  private final ServedPipe pipe;

  /// Whether the other end knows what came of its request.
  private volatile boolean answered;

  /// What this end knows of where it is.
  ///
  /// @param release of this zcp
  /// @param home the user's home directory, or null
  /// @param sshConnection as sshd says in `SSH_CONNECTION`, see ssh(1); or null
  /// @param limits what it may be asked for; null for anything
  public record ServedPlace(
      String release, RawPath home, String sshConnection, ServedLimits limits) {}

  /// What an end may be asked for that serves one directory: it connects to no machine, listens at
  /// no port, and follows no link of a source.
  ///
  /// @param below all that is given is in this directory, and all that is taken goes there
  /// @param gives whether it gives files
  /// @param takes whether it takes files
  /// @param replaces whether it replaces files that exist
  /// @param deletes whether it deletes what a sender does not have
  public record ServedLimits(
      RawPath below, boolean gives, boolean takes, boolean replaces, boolean deletes) {}

  /// Tells a user who is at the machine of the other end how this one's copy to a third one goes.
  public interface Reporting {

    Listener begin(ReportOptions report);

    ExitCode finish(Result result) throws Failure;
  }

  private ServedEnd(CommandEnvironment environment, ServedPlace place, Reporting reporting)
      throws IOException {
    this.environment = environment;
    this.place = place;
    this.reporting = reporting;
    this.pipe = new ServedPipe(new StandardStreams(environment.in(), environment.out()), PEER);
  }

  /// Serves the one session that is asked for on standard input.
  ///
  /// @throws Failure if there is no session
  public static ExitCode run(CommandEnvironment environment, ServedPlace place, Reporting reporting)
      throws Failure {
    try {
      return new ServedEnd(environment, place, reporting).run();
    } catch (IOException e) {
      throw Failure.of(ExitCode.NETWORK, PEER, Reasons.of(e)).because(e);
    }
  }

  private ExitCode run() throws IOException, Failure {
    ServeRequest request;
    try {
      request = request();
    } catch (IllegalArgumentException e) {
      refuse(Failure.of(ExitCode.PROTOCOL, String.valueOf(e.getMessage())));
      return ExitCode.PROTOCOL;
    }
    try {
      ServedLimits limits = place.limits();
      if (limits != null) {
        requireAllowed(request, limits);
      }
      ServedPaths paths =
          limits == null
              ? new ServedPaths.OfMachine(place.home())
              : PathsBelow.of(
                  limits.below(), request instanceof Take ? ExitCode.DESTINATION : ExitCode.SOURCE);
      return request instanceof Take take ? take(take, paths) : give((Give) request, paths);
    } catch (Failure failure) {
      if (answered) {
        throw failure;
      }
      // The other end tells it.
      refuse(failure);
      return failure.exitCode();
    }
  }

  private static void requireAllowed(ServeRequest request, ServedLimits limits) throws Failure {
    // No switch over the types: its first use would cost every process 3 ms.
    if (request instanceof Take take) {
      requireAllowed(take, limits);
    } else if (request instanceof Give give) {
      requireAllowed(give, limits);
    }
  }

  private static void requireAllowed(Take take, ServedLimits limits) throws Failure {
    requireUnconnected(take.at() != ListenAt.PORT);
    if (!limits.takes()) {
      throw Failure.of(ExitCode.DESTINATION, "this account takes no files");
    }
    if (take.deletion() != null && !limits.deletes()) {
      throw Failure.of(ExitCode.DESTINATION, "this account deletes nothing");
    }
  }

  private static void requireAllowed(Give give, ServedLimits limits) throws Failure {
    requireUnconnected(give.onward() == null || give.onward().port() == null);
    if (!limits.gives()) {
      throw Failure.of(ExitCode.SOURCE, "this account gives no files");
    }
    if (give.wanted().recursive() && give.wanted().links() == Links.FOLLOWED) {
      throw Failure.of(ExitCode.SOURCE, "this account follows no links")
          .with("without -L they are copied as links");
    }
  }

  private static void requireUnconnected(boolean isUnconnected) throws Failure {
    if (!isUnconnected) {
      throw Failure.of(ExitCode.NETWORK, "this account connects to no other machine")
          .with("--relay copies through the machine where you are");
    }
  }

  private static Flow flow(ServeRequest request, long rateBytes) {
    return new Flow(rateBytes, request.stallTimeoutNs(), request.stallTimeoutNs(), 0, null);
  }

  private Peering served(ServeRequest request) {
    Address address = Address.ofSsh(PEER, request.key().text());
    return Peering.of(new PeerEndpoint.Served(address, pipe), flow(request, 0));
  }

  /// @throws Failure if what is asked for cannot be; nothing was answered then
  private ExitCode take(Take take, ServedPaths paths) throws IOException, Failure {
    Greeting.prepare();
    Found found = paths.target(take.path());
    boolean into = found == Found.DIRECTORY && take.target() != Placement.EXACTLY;
    RawPath path = into ? paths.directory(take.path()) : paths.entry(take.path());
    RawPath directory = into ? path : path.parent();
    Set<Name> names = into ? Set.copyOf(take.names()) : Set.of(RemoteTransfer.name(path));
    Admission admission =
        new Admission(
            take.replaces() && mayReplace() ? Existing.REPLACE : Existing.REFUSE,
            Keep.ALL,
            null,
            ResumeVerify.ALL,
            Admission.UNLIMITED,
            Admission.UNLIMITED,
            false,
            deletion(take.deletion(), into),
            new Former(paths.formerCopies(take.formerCopies(), take.path()), path, !into),
            names.isEmpty() ? null : names,
            true,
            take.durable(),
            false);
    if (take.isLarge()) {
      Greeting.prepareTls(true);
    }
    boolean portOnly = take.at() == ListenAt.PORT;
    InetSocketAddress port = take.at() == ListenAt.PIPE ? null : listen(Side.RECEIVER, portOnly);
    if (portOnly) {
      if (port == null) {
        throw Failure.of(ExitCode.NETWORK, "there is no address that the sender could connect to")
            .with("--relay copies through the machine where you are");
      }
      endWithPipe();
    }
    ReceiveRequest request = new ReceiveRequest(served(take), directory, Choice.DEFAULT, admission);
    try (TargetDirectory target = TargetDirectory.open(directory)) {
      answer(port, List.of(found));
      // The sender hears of every file that could not be taken, and tells it.
      return Receiver.receive(request, environment.with(_ -> {}), target).exitCode();
    }
  }

  private boolean mayReplace() {
    return place.limits() == null || place.limits().replaces();
  }

  private static Deletion deletion(ServeRequest.AskedDeletion asked, boolean into) throws Failure {
    return asked == null
        ? null
        : new Deletion(
            new Deleting(asked.entriesMax()), filter(asked.rules()), into && asked.isContent());
  }

  /// Ends this process with its standard input, which nothing else reads from.
  private void endWithPipe() {
    Daemon.start(
        () -> {
          try {
            pipe.carrier().source().read(ByteBuffer.allocate(1), 0);
          } catch (IOException e) {
            // That is an end, too.
          }
          Signals.hangUp();
        },
        "zcp-request");
  }

  private ExitCode give(Give give, ServedPaths served) throws IOException, Failure {
    Greeting.prepare();
    List<RawPath> paths = new ArrayList<>();
    List<Found> found = new ArrayList<>();
    for (byte[] each : give.paths()) {
      found.add(served.source(each));
      paths.add(served.entry(each));
    }
    byte[] first = give.paths().getFirst();
    requireAny(paths, found, give.wanted().recursive(), endsInSlash(first));
    if (place.limits() != null && give.wanted().links() != Links.KEPT) {
      requireNoLink(paths);
    }
    boolean isDirectory = found.getFirst() == Found.DIRECTORY;
    if (give.isContent() && isDirectory) {
      paths.set(0, served.directory(first).resolve(ServedPaths.HERE));
    }
    Onward onward = give.onward();
    if (onward == null) {
      SendRequest request = request(give, paths, served(give), Choice.DEFAULT);
      answer(listen(Side.SENDER, false), found);
      return Sender.send(request, environment).exitCode();
    }
    if (give.as() != null || give.isContent()) {
      RemoteTransfer.requireFit(
          onward.target(), onward.found(), onward.target().endsWith("/"), isDirectory);
    }
    Flow flow = flow(give, onward.rateBytes());
    OnwardDialler dialler = new OnwardDialler(onward, flow, pipe.carrier());
    Peering peering = Peering.of(dialler.endpoint(give.key().text()), flow);
    SendRequest request = request(give, paths, peering, onward.choice());
    answer(null, found);
    if (onward.port() != null) {
      endWithPipe();
    }
    return reporting.finish(
        Sender.send(request, environment.with(reporting.begin(onward.report())), dialler));
  }

  private static boolean endsInSlash(byte[] path) {
    return path.length > 0 && path[path.length - 1] == '/';
  }

  private static void requireNoLink(List<RawPath> paths) throws Failure {
    for (RawPath each : paths) {
      if (Files.isSymbolicLink(each.toPath())) {
        throw Failure.of(ExitCode.SOURCE, each, "is a link, and this account follows none")
            .with("-P copies the link itself");
      }
    }
  }

  /// A device or FIFO that is not to be read is given as what it is, if there are limits: whoever
  /// asks may have made it.
  private SendRequest request(Give give, List<RawPath> paths, Peering peering, Choice choice)
      throws Failure {
    Wanted wanted = give.wanted();
    boolean isLimited = place.limits() != null;
    return new SendRequest(
        peering,
        paths,
        give.as(),
        choice,
        new Selection(
            wanted.recursive(),
            isLimited || wanted.specials(),
            isLimited ? Links.KEPT : wanted.links(),
            wanted.oneFileSystem(),
            filter(wanted.rules()),
            null),
        wanted.preserve(),
        policy(wanted),
        sending(give));
  }

  private static Sending sending(Give give) {
    Wanted wanted = give.wanted();
    Sending sending =
        new Sending(wanted.verify(), wanted.resumeVerify(), false, false, wanted.savings());
    Onward onward = give.onward();
    String there = onward == null ? "" : RemoteTransfer.prefix(onward.target(), give.as() != null);
    return wanted.dryRun() ? sending.asPlan(there) : sending;
  }

  private static Policy policy(Wanted wanted) {
    Policy policy = new Policy(wanted.existing(), null, false, wanted.onChange(), wanted.strict());
    return wanted.skipSame() ? policy.withSkipSame() : policy;
  }

  /// What can be told before anything is sent. Of several sources the others are sent.
  private static void requireAny(
      List<RawPath> paths, List<Found> found, boolean recursive, boolean endsInSlash)
      throws Failure {
    RawPath first = paths.getFirst();
    if (found.stream().allMatch(each -> each == Found.NOTHING)) {
      Failure missing = Failure.of(ExitCode.SOURCE, first, "no such file or directory");
      throw RemotePath.looksLikePattern(first.bytes())
          ? missing.with(
              "wildcards are not expanded there: -r copies a directory, and --include"
                  + " selects in it")
          : missing;
    }
    boolean isDirectory = found.getFirst() == Found.DIRECTORY;
    if (found.size() == 1 && isDirectory && !recursive) {
      throw Failure.of(ExitCode.USAGE, first, "is a directory").with("-r copies it");
    }
    if (found.size() == 1 && !isDirectory && endsInSlash) {
      throw Failure.of(ExitCode.SOURCE, first, "not a directory");
    }
  }

  private static Filter filter(List<FilterRule> rules) throws Failure {
    IgnorePatterns patterns = new IgnorePatterns();
    for (FilterRule rule : rules) {
      switch (rule.kind()) {
        case EXCLUDE -> patterns.add(rule.text(), true);
        case INCLUDE -> patterns.add(rule.text(), false);
        case FILE -> patterns.addLines(rule.text(), "--exclude-from");
      }
    }
    return rules.isEmpty() ? Filter.NONE : patterns.filter();
  }

  private void answer(InetSocketAddress port, List<Found> found) throws IOException {
    reply(new ServeReply(place.release(), ExitCode.OK, "", port, found));
  }

  private void refuse(Failure failure) throws IOException {
    reply(ServeReply.refused(place.release(), failure.exitCode(), failure.getMessage()));
  }

  /// @return where the other end may connect by TLS; null if it cannot
  private InetSocketAddress listen(Side self, boolean portOnly) {
    InetAddress address = place.limits() == null ? address(place.sshConnection()) : null;
    return address == null ? null : pipe.listen(address, self, portOnly);
  }

  /// The address of this machine that ssh has reached: the third of four words. No other one is
  /// listened at.
  ///
  /// @return null if sshd says none
  static InetAddress address(String sshConnection) {
    String[] words = sshConnection == null ? new String[0] : sshConnection.split(" ");
    try {
      return words.length == SSH_CONNECTION_WORDS ? InetAddress.ofLiteral(words[2]) : null;
    } catch (IllegalArgumentException e) {
      // It is no address: then all goes by ssh.
      return null;
    }
  }

  private void reply(ServeReply reply) throws IOException {
    answered = true;
    pipe.carrier().writeAll(ByteBuffer.wrap(reply.encode()));
  }

  /// Nothing frees a thread that reads from a pipe, so another one waits for it.
  private ServeRequest request() throws IOException, Failure {
    CompletableFuture<byte[]> heard = new CompletableFuture<>();
    Daemon.start(
        () -> {
          try {
            heard.complete(read());
          } catch (IOException | RuntimeException e) {
            heard.completeExceptionally(e);
          }
        },
        "zcp-request");
    try {
      return ServeRequest.decode(heard.get(REQUEST_S_MAX, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalArgumentException unknown) {
        throw unknown;
      }
      throw notAsked();
    } catch (TimeoutException | InterruptedException e) {
      throw notAsked();
    }
  }

  private static Failure notAsked() {
    return Failure.of(ExitCode.USAGE, "serve is started by another zcp, through ssh")
        .with("see zcp copy --help");
  }

  private byte[] read() throws IOException {
    Message message =
        Message.read(target -> pipe.carrier().source().read(target, 0), ServeRequest.MAGIC);
    if (message.version() != ServeRequest.VERSION) {
      throw new IllegalArgumentException("it is of another version: " + message.version());
    }
    return message.fields();
  }

  /// How an end that ssh has started connects to a third machine: by TLS to a port there, or by the
  /// pipes of its own ssh, which lead there with `--relay`.
  private static final class OnwardDialler implements Dialler {

    private final Onward onward;
    private final Carrier pipe;

    /// Null if the pipes lead there.
    private final SocketDialler direct;

    /// Whether the pipes are a connection by now.
    private volatile boolean dialled;

    /// @param pipe the standard streams of this process
    OnwardDialler(Onward onward, Flow flow, Carrier pipe) {
      this.onward = onward;
      this.pipe = pipe;
      this.direct = SshDialler.direct(onward.port(), Side.SENDER, flow);
    }

    /// What the session dials.
    Dial endpoint(String key) {
      return direct == null
          ? new Dial(Address.ofSsh(onward.to(), key), 1, 0)
          : Dial.usual(
              new Address(Address.Scheme.ENCRYPTED, key, onward.to(), onward.port().getPort()));
    }

    @Override
    public Carrier dial() throws Failure {
      if (direct == null) {
        if (dialled) {
          throw Failure.of(ExitCode.NETWORK, onward.to(), "the connection by ssh is lost");
        }
        dialled = true;
        return pipe;
      }
      try {
        return direct.dial();
      } catch (Failure failure) {
        if (!(failure.getCause() instanceof IOException cause)) {
          throw failure;
        }
        throw Failure.of(
                ExitCode.NETWORK,
                onward.from(),
                "cannot connect to "
                    + onward.to()
                    + " ("
                    + direct.address()
                    + "): "
                    + Reasons.of(cause))
            .with("--relay copies through the machine where you are")
            .because(cause);
      }
    }

    @Override
    public InetAddress host() {
      return direct == null ? null : direct.host();
    }

    @Override
    public boolean isLocal() {
      return direct == null || direct.isLocal();
    }
  }
}
