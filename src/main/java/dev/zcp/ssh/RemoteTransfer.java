package dev.zcp.ssh;

import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.Listener;
import dev.zcp.insight.Event.Planned;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.linux.FileStatus;
import dev.zcp.secure.Key;
import dev.zcp.session.Admission;
import dev.zcp.session.Flow;
import dev.zcp.session.Greeting;
import dev.zcp.session.Opener;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.Savings;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.session.receive.Receiver;
import dev.zcp.session.send.Sender;
import dev.zcp.spi.Route;
import dev.zcp.ssh.RemotePath.Login;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.ssh.ServeRequest.AskedDeletion;
import dev.zcp.ssh.ServeRequest.ListenAt;
import dev.zcp.ssh.ServeRequest.ReportOptions;
import dev.zcp.ssh.ServeRequest.Wanted;
import dev.zcp.tree.Ends;
import dev.zcp.tree.Placement;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.OperandRoots;
import dev.zcp.walk.Selection.Links;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// A transfer between this machine and one that ssh leads to. This end dials, over the pipes of
/// ssh, and decides which source goes to which name, as cp(1) does.
public final class RemoteTransfer {

  /// What every end says to do once it was interrupted and keeps something.
  private static final String AGAIN = "the same command again";

  private final SshCommand ssh;
  private final Deployment deployment;
  private final boolean isVerbose;
  private final CommandEnvironment environment;
  private final Consumer<String> errors;

  /// Null until ssh has been started: the first random number takes a cold process 11 ms.
  private Key key;

  /// @param deployment what is done if there is no zcp there
  /// @param isVerbose whether the user hears what a login shell printed before, and why there are
  ///   no direct connections
  /// @param errors gets what ssh and the other ends say on standard error, printable
  public RemoteTransfer(
      SshCommand ssh,
      Deployment deployment,
      boolean isVerbose,
      CommandEnvironment environment,
      Consumer<String> errors) {
    this.ssh = ssh;
    this.deployment = deployment;
    this.isVerbose = isVerbose;
    this.environment = environment;
    this.errors = errors;
  }

  /// Files of this machine.
  ///
  /// @param request what is sent, under names that are found out
  /// @param target where it goes
  /// @param replaces whether files that exist there are replaced
  /// @param deletion what is deleted there; null if nothing is
  public record Push(
      SendRequest request,
      RemotePath target,
      Placement rule,
      boolean replaces,
      AskedDeletion deletion) {}

  /// Files of the other machine.
  ///
  /// @param sources at least one; all have one login
  /// @param request what is taken of what comes, into a directory, under a new name, or to `-`
  public record Fetch(
      List<RemotePath> sources, ReceiveRequest request, Placement rule, Wanted wanted) {

    /// What `zcp receive` was asked to do: all that is at `source` is offered to it.
    public static Fetch of(ReceiveRequest request, RemotePath source) {
      Admission admission = request.admission();
      Wanted wanted =
          new Wanted(
              true,
              true,
              false,
              Links.KEPT,
              Preserve.EVERYTHING,
              Policy.USUAL.existing(),
              false,
              Policy.USUAL.onChange(),
              false,
              admission.verify() == null ? Level.WIRE : admission.verify(),
              admission.resumeVerify(),
              false,
              List.of(),
              Savings.AUTO);
      return new Fetch(List.of(source), request, Placement.INSIDE, wanted);
    }
  }

  /// Files of one other machine, to another one.
  ///
  /// @param sources at least one; all have one login
  /// @param deletion what is deleted at the target; null if nothing is
  /// @param formerCopies as [Policy] has them, at the target
  /// @param durable whether the receiver forces them to its device
  /// @param isRelayed whether the bytes go through this machine
  public record Between(
      List<RemotePath> sources,
      RemotePath target,
      Placement rule,
      Choice choice,
      Wanted wanted,
      AskedDeletion deletion,
      List<RawPath> formerCopies,
      Flow flow,
      boolean durable,
      boolean isRelayed,
      ReportOptions report) {}

  /// How the end on another machine is met; the key of the session comes later.
  public static Peering peering(Login login, Flow flow) {
    return peering(login, null, flow);
  }

  private static Peering peering(Login login, String key, Flow flow) {
    return Peering.of(endpoint(Address.ofSsh(login.toString(), key)), flow);
  }

  public static PeerEndpoint endpoint(Login login) {
    return endpoint(Address.ofSsh(login.toString(), null));
  }

  /// What broke is not made again: ssh is begun by the user, and carries what a direct connection
  /// does not.
  private static PeerEndpoint endpoint(Address address) {
    return new PeerEndpoint.Dial(address, PeerEndpoint.Dial.CONNECTIONS_AUTO, 0);
  }

  /// Sends files, by whatever names fit the target.
  public Result run(Push push) {
    SendRequest asked = push.request();
    Flow flow = asked.peering().flow();
    boolean isLarge = isLarge(asked.files());
    Greeting.prepare();
    if (isLarge) {
      Greeting.prepareTls(false);
    }
    Login login = push.target().login();
    Supplier<ServeRequest> take =
        () ->
            new ServeRequest.Take(
                key(),
                flow.stallTimeoutNs(),
                push.target().path(),
                push.rule(),
                push.replaces(),
                List.of(),
                ListenAt.PIPE_AND_PORT,
                isLarge,
                asked.sending().isForced(),
                push.deletion(),
                bytes(asked.policy().formerCopies()));
    try (RemoteEnd end = start(login, take)) {
      Name as = nameThere(push, end.reply().found().getFirst());
      SendRequest request =
          new SendRequest(
              peering(login, key().text(), flow),
              asked.files(),
              as,
              asked.choice(),
              asked.selection(),
              asked.preserve(),
              asked.policy(),
              sending(push, as));
      Route sent = new Route(Ends.sent(Long.MAX_VALUE), Ends.socket(true));
      Dialler dialler = dialler(end, Side.SENDER, isServable(asked.choice(), sent), flow);
      Found source = source(asked.files().getFirst());
      boolean isContent = OperandRoots.isDots(OperandRoots.name(asked.files().getFirst()));
      boolean isRenamed = as != null && !isContent;
      return Sender.send(request, environment(isRenamed, push.rule(), source), dialler);
    } catch (Failure failure) {
      return failed("send", asked.choice(), failure);
    }
  }

  private static List<byte[]> bytes(List<RawPath> paths) {
    return paths.stream().map(RawPath::bytes).toList();
  }

  /// Receives files, by whatever names fit the target.
  public Result run(Fetch fetch) {
    Greeting.prepare();
    ReceiveRequest asked = fetch.request();
    Flow flow = asked.peering().flow();
    Login login = fetch.sources().getFirst().login();
    List<byte[]> paths = new ArrayList<>();
    fetch.sources().forEach(each -> paths.add(each.path()));
    RawPath target = asked.directory();
    try {
      boolean stream = target.isStandardStream();
      boolean into = !stream && isInto(target, fetch.rule(), target(target), paths.size());
      Name as = into || stream ? null : name(target);
      Supplier<ServeRequest> give =
          () ->
              new ServeRequest.Give(
                  key(),
                  flow.stallTimeoutNs(),
                  paths,
                  as,
                  fetch.sources().getFirst().isForContent(),
                  fetch.wanted(),
                  null);
      try (RemoteEnd end = start(login, give)) {
        if (as != null || fetch.sources().getFirst().isForContent()) {
          boolean comesDirectory = end.reply().found().getFirst() == Found.DIRECTORY;
          requireFit(target, target(target), target.endsInSlash(), comesDirectory);
        }
        ReceiveRequest request =
            new ReceiveRequest(
                peering(login, key().text(), flow),
                into || stream ? target : target.parent(),
                asked.choice(),
                as == null
                    ? asked.admission().of(names(fetch.sources()), fetch.wanted().recursive())
                    : asked.admission().ofTheOnly(as, fetch.wanted().recursive()));
        Route received = new Route(Ends.socket(true), Ends.received(!stream));
        Dialler dialler = dialler(end, Side.RECEIVER, isServable(asked.choice(), received), flow);
        Found source = end.reply().found().getFirst();
        boolean isRenamed = as != null && !fetch.sources().getFirst().isContent();
        CommandEnvironment told = environment(isRenamed, fetch.rule(), source);
        return Receiver.receive(
            request, fetch.wanted().dryRun() ? withSources(told, fetch, as) : told, dialler);
      }
    } catch (Failure failure) {
      return failed("receive", asked.choice(), failure);
    }
  }

  /// Has one other machine send files to another one, by whatever names fit the target. The sender
  /// tells the user how it goes, on this process's standard output and error.
  public ExitCode run(Between between) {
    List<RemotePath> sources = between.sources();
    Login from = sources.getFirst().login();
    RemotePath target = between.target();
    long stallNs = between.flow().stallTimeoutNs();
    boolean isRelayed = between.isRelayed();
    try {
      Set<Name> names = names(sources);
      Supplier<ServeRequest> take =
          () ->
              new ServeRequest.Take(
                  key(),
                  stallNs,
                  target.path(),
                  between.rule(),
                  true,
                  names == null ? List.of() : List.copyOf(names),
                  isRelayed ? ListenAt.PIPE : ListenAt.PORT,
                  !isRelayed,
                  between.durable(),
                  between.deletion(),
                  bytes(between.formerCopies()));
      try (RemoteEnd receiver = start(target.login(), take)) {
        ServeReply reply = receiver.reply();
        Found found = reply.found().getFirst();
        boolean into = isInto(target, between.rule(), found, sources.size());
        ServeRequest.Onward onward =
            new ServeRequest.Onward(
                from.toString(),
                target.login().host(),
                target.toString(),
                found,
                reply.port(),
                between.choice(),
                between.flow().rateBytes(),
                between.report());
        Name as = into ? null : name(RawPath.of(target.path()));
        Supplier<ServeRequest> give =
            () ->
                new ServeRequest.Give(
                    key(),
                    stallNs,
                    sources.stream().map(RemotePath::path).toList(),
                    as,
                    sources.getFirst().isForContent(),
                    between.wanted(),
                    onward);
        try (RemoteEnd sender = start(from, give)) {
          Found source = sender.reply().found().getFirst();
          boolean isRenamed = as != null && !sources.getFirst().isContent();
          CommandEnvironment told = environment(isRenamed, between.rule(), source);
          return new JoinedEnds(sender, receiver, told, isRelayed, stallNs).run();
        }
      }
    } catch (Failure failure) {
      return failed("send", between.choice(), failure).exitCode();
    }
  }

  /// @param isRenamed whether the only source gets the name of the target
  private CommandEnvironment environment(boolean isRenamed, Placement rule, Found source) {
    return isRenamed && rule == Placement.AS_FOUND && source == Found.DIRECTORY
        ? environment.with(new ChangingListener(environment.listener(), RemoteTransfer::withAdvice))
        : environment;
  }

  /// A receiver knows what it is offered below its own directory; the user named it elsewhere.
  ///
  /// @param as what the only source is called here, or null
  private static CommandEnvironment withSources(CommandEnvironment told, Fetch fetch, Name as) {
    RemotePath source = fetch.sources().getFirst();
    if (fetch.sources().size() > 1) {
      return told;
    }
    boolean isNamed = as != null || !source.isContent();
    String top = prefix(source.toString(), false);
    String whole = top.length() > 1 && top.endsWith("/") ? top.substring(0, top.length() - 1) : top;
    UnaryOperator<Event> change =
        event -> {
          if (!(event instanceof Event.PlanLine line) || line.action() == Planned.DELETE) {
            return event;
          }
          int slash = line.name().indexOf('/');
          boolean isTop = isNamed ? slash < 0 : line.name().equals(".");
          String below = isNamed ? line.name().substring(slash + 1) : line.name();
          return new Event.PlanLine(
              line.action(), isTop ? whole : top + below, line.target(), line.bytes());
        };
    return told.with(new ChangingListener(told.listener(), change));
  }

  private Key key() {
    if (key == null) {
      key = Key.random();
    }
    return key;
  }

  private RemoteEnd start(Login login, Supplier<ServeRequest> request) throws Failure {
    return RemoteEnd.start(ssh, login, request, deployment, this::tell, errors);
  }

  private void tell(String detail) {
    if (isVerbose) {
      environment.listener().on(new Event.Noted(detail));
    }
  }

  private Dialler dialler(RemoteEnd end, Side self, boolean suitsTls, Flow flow) {
    SocketDialler direct = SshDialler.direct(end.reply().port(), self, flow);
    return new SshDialler(end, direct, suitsTls, this::tell);
  }

  /// Whether the strategy that was asked for serves this route.
  private boolean isServable(Choice choice, Route route) throws Failure {
    try {
      return choice.isAuto()
          || !new Engine(environment.strategies(), choice).rank(route, Long.MAX_VALUE).isEmpty();
    } catch (RefusedException e) {
      return false;
    }
  }

  private Result failed(String command, Choice choice, Failure failure) {
    Insight insight = new Insight(command, choice.strategy(), environment.listener());
    insight.failed(failure);
    return insight.finish();
  }

  private static Sending sending(Push push, Name as) {
    Sending asked = push.request().sending();
    return asked.dryRun() ? asked.asPlan(prefix(push.target().toString(), as != null)) : asked;
  }

  /// What stands before a path in the receiver's directory, for messages.
  ///
  /// @param target as it was typed
  /// @param isNamed whether it is the name of the only source, and not that directory
  static String prefix(String target, boolean isNamed) {
    int end = target.length();
    while (end > 0 && target.charAt(end - 1) == '/') {
      end--;
    }
    if (!isNamed) {
      boolean isEnded = end < target.length() || target.endsWith(":");
      return isEnded ? target : target + "/";
    }
    int last = Math.max(target.lastIndexOf('/', end - 1), target.indexOf(':'));
    return target.substring(0, last + 1);
  }

  /// What the only source is called there; null if the sources go into the target.
  private static Name nameThere(Push push, Found found) throws Failure {
    RemotePath target = push.target();
    if (isInto(target, push.rule(), found, push.request().files().size())) {
      return null;
    }
    RawPath path = RawPath.of(target.path());
    boolean sendsDirectory = source(push.request().files().getFirst()) == Found.DIRECTORY;
    requireFit(target, found, path.endsInSlash(), sendsDirectory);
    return name(path);
  }

  /// Whether sources go into the target under their own names.
  private static boolean isInto(Object target, Placement rule, Found found, int sources)
      throws Failure {
    if (found == Found.DIRECTORY && rule != Placement.EXACTLY) {
      return true;
    }
    if (rule == Placement.INSIDE) {
      throw noDirectory(target, found);
    }
    if (sources > 1) {
      throw Failure.of(
          ExitCode.DESTINATION, target, "not a directory, but several sources need one");
    }
    return false;
  }

  /// @throws Failure USAGE if no file can be called like `target`
  static Name name(RawPath target) throws Failure {
    try {
      return Name.of(target.lastComponent());
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, target, e.getMessage()).because(e);
    }
  }

  /// Whether direct connections are sure, as far as the first source shows. How much of a directory
  /// has to be sent shows later, and what TLS takes is then loaded while it is sent.
  private static boolean isLarge(List<RawPath> sources) {
    try {
      FileStatus first = FileStatus.ofExisting(sources.getFirst());
      return first != null && !first.isDirectory() && first.sizeBytes() >= Opener.DIRECT_BYTES_MIN;
    } catch (IOException e) {
      // Whoever reads it tells why it cannot be.
      return false;
    }
  }

  private static Found source(RawPath path) throws Failure {
    try {
      return found(path);
    } catch (IOException e) {
      throw Reasons.source(path, e);
    }
  }

  /// What is at a target.
  static Found target(RawPath path) throws Failure {
    try {
      return found(path);
    } catch (IOException e) {
      throw Reasons.destination(path, e);
    }
  }

  static Found found(RawPath path) throws IOException {
    if (path.isStandardStream()) {
      return Found.OTHER;
    }
    RawPath entry = withoutSlash(path);
    FileStatus status = FileStatus.ofExisting(entry);
    return status != null && status.isDirectory()
        ? Found.DIRECTORY
        : status != null || FileStatus.exists(entry) ? Found.OTHER : Found.NOTHING;
  }

  /// With a slash at its end, a file looks as if it were missing.
  private static RawPath withoutSlash(RawPath path) {
    return path.parent().resolve(path.lastComponent());
  }

  /// @param target what has the name that the source is to get
  static void requireFit(Object name, Found target, boolean endsInSlash, boolean isDirectory)
      throws Failure {
    if (target == Found.OTHER && isDirectory) {
      throw Failure.of(ExitCode.EXISTS, name, "is not a directory, but the source is");
    }
    if (target == Found.DIRECTORY && !isDirectory) {
      throw Failure.of(ExitCode.EXISTS, name, "is a directory, but the source is not")
          .with("name the file in it: " + name + "/NAME");
    }
    if (endsInSlash && !isDirectory) {
      throw noDirectory(name, target);
    }
  }

  private static Failure noDirectory(Object name, Found found) {
    return found == Found.OTHER
        ? Failure.of(ExitCode.DESTINATION, name, "not a directory")
        : Failure.of(ExitCode.DESTINATION, name, "no such directory").with("create it first");
  }

  /// What the sources are called, or null if the content of one comes, which may be called
  /// anything.
  private static Set<Name> names(List<RemotePath> sources) throws Failure {
    Set<Name> names = new HashSet<>();
    for (RemotePath source : sources) {
      if (source.isContent()) {
        return null;
      }
      Name name = Name.of(RawPath.of(source.path()).lastComponent());
      if (!names.add(name)) {
        throw Failure.of(ExitCode.USAGE, name, "several sources have this name");
      }
    }
    return names;
  }

  /// Of a copy of a directory to a new name, which the same command again would copy into that: so
  /// whoever interrupts it is told what to add.
  private static Event withAdvice(Event event) {
    return event instanceof Event.Interrupted interrupted
        ? new Event.Interrupted(interrupted.message().replace(AGAIN, "the same command with -T"))
        : event;
  }

  /// Has another one hear each event as it knows it.
  private record ChangingListener(Listener listener, UnaryOperator<Event> change)
      implements Listener {

    @Override
    public void on(Event event) {
      listener.on(change.apply(event));
    }

    @Override
    public void on(Event event, SessionName session) {
      listener.on(change.apply(event), session);
    }

    @Override
    public void requireHeard() throws Failure {
      listener.requireHeard();
    }

    @Override
    public boolean hearsEachFile() {
      return listener.hearsEachFile();
    }

    @Override
    public int worstWanted() {
      return listener.worstWanted();
    }

    @Override
    public boolean wantsTotals() {
      return listener.wantsTotals();
    }
  }
}
