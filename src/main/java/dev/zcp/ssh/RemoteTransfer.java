package dev.zcp.ssh;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.insight.Verified;
import dev.zcp.linux.FileStatus;
import dev.zcp.secure.Key;
import dev.zcp.session.Admission;
import dev.zcp.session.Flow;
import dev.zcp.session.KeySource;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.Peering;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.SendRequest;
import dev.zcp.session.Sending;
import dev.zcp.session.receive.Receiver;
import dev.zcp.session.send.Sender;
import dev.zcp.ssh.RemotePath.Login;
import dev.zcp.ssh.ServeReply.Found;
import dev.zcp.ssh.ServeRequest.TargetRule;
import dev.zcp.ssh.ServeRequest.Wanted;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Preserve;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A transfer between this machine and one that ssh leads to. This end dials, over the pipes of
/// ssh, and decides which source goes to which name, as cp(1) does.
public final class RemoteTransfer {

  private final SshCommand ssh;
  private final String release;
  private final boolean tellsBanner;
  private final CommandEnvironment environment;
  private final Key key = Key.random();

  /// @param release of this zcp
  /// @param tellsBanner whether the user hears what a login shell printed before
  public RemoteTransfer(
      SshCommand ssh, String release, boolean tellsBanner, CommandEnvironment environment) {
    this.ssh = ssh;
    this.release = release;
    this.tellsBanner = tellsBanner;
    this.environment = environment;
  }

  /// Files of this machine.
  ///
  /// @param target where they go
  /// @param replaces whether files that exist there are replaced
  public record Push(
      List<RawPath> sources,
      RemotePath target,
      TargetRule rule,
      boolean replaces,
      Choice choice,
      Selection selection,
      Preserve preserve,
      Policy policy,
      Sending sending,
      Flow flow) {

    /// What `zcp send` was asked to do.
    public static Push of(
        SendRequest request, RemotePath target, TargetRule rule, boolean replaces) {
      return new Push(
          request.files(),
          target,
          rule,
          replaces,
          request.choice(),
          request.selection(),
          request.preserve(),
          request.policy(),
          request.sending(),
          request.peering().flow());
    }
  }

  /// Files of the other machine.
  ///
  /// @param sources at least one; all have one login
  /// @param target a directory, a new name, or `-`
  /// @param admission what is taken of what comes
  public record Fetch(
      List<RemotePath> sources,
      RawPath target,
      TargetRule rule,
      Choice choice,
      Wanted wanted,
      Admission admission,
      Flow flow) {

    /// What `zcp receive` was asked to do: all that is at `source` is offered to it.
    public static Fetch of(ReceiveRequest request, RemotePath source) {
      Admission admission = request.admission();
      Preserve everything = new Preserve(true, true, true, true, true, true, true);
      Wanted wanted =
          new Wanted(
              true,
              true,
              false,
              Links.KEPT,
              List.of(),
              everything,
              Policy.USUAL.onChange(),
              false,
              admission.verify() == null ? Verified.WIRE : admission.verify(),
              admission.resumeVerify());
      return new Fetch(
          List.of(source),
          request.directory(),
          TargetRule.DIRECTORY,
          request.choice(),
          wanted,
          admission,
          request.peering().flow());
    }
  }

  /// How the end on another machine is met. The key of the session comes later.
  public static PeerEndpoint endpoint(Login login) {
    return new PeerEndpoint.Dial(Address.ofSsh(login.toString(), null), 1, 0);
  }

  /// Sends files, by whatever names fit the target.
  public Result run(Push push) {
    Sender.expect();
    Login login = push.target().login();
    ServeRequest.Take take =
        new ServeRequest.Take(
            key.text(),
            push.flow().stallTimeoutNs(),
            push.target().path(),
            push.rule(),
            push.replaces());
    try (RemoteEnd end = start(login, take)) {
      Name as = nameThere(push, end.reply().found().getFirst());
      SendRequest request =
          new SendRequest(
              peering(login, push.flow()),
              push.sources(),
              as,
              push.choice(),
              push.selection(),
              push.preserve(),
              push.policy(),
              push.sending());
      return Sender.send(request, environment, new SshDialler(end));
    } catch (Failure failure) {
      return failed("send", push.choice(), failure);
    }
  }

  /// Receives files, by whatever names fit the target.
  public Result run(Fetch fetch) {
    Receiver.expect();
    Login login = fetch.sources().getFirst().login();
    List<byte[]> paths = new ArrayList<>();
    fetch.sources().forEach(each -> paths.add(each.path()));
    RawPath target = fetch.target();
    try {
      boolean stream = target.isStandardStream();
      boolean into =
          !stream && isInto(target, fetch.rule(), look(target) == Found.DIRECTORY, paths.size());
      Name as = into || stream ? null : name(target);
      ServeRequest.Give give =
          new ServeRequest.Give(
              key.text(), fetch.flow().stallTimeoutNs(), paths, as, fetch.wanted());
      try (RemoteEnd end = start(login, give)) {
        require(fetch, end.reply().found(), as != null);
        ReceiveRequest request =
            new ReceiveRequest(
                peering(login, fetch.flow()),
                into || stream ? target : target.parent(),
                fetch.choice(),
                fetch.admission().of(as == null ? names(fetch.sources()) : Set.of(as)));
        return Receiver.receive(request, environment, new SshDialler(end));
      }
    } catch (Failure failure) {
      return failed("receive", fetch.choice(), failure);
    }
  }

  private RemoteEnd start(Login login, ServeRequest request) throws Failure {
    return RemoteEnd.start(
        ssh,
        login,
        request,
        release,
        banner -> {
          if (tellsBanner) {
            environment.listener().on(new Event.Noted(banner));
          }
        });
  }

  private Result failed(String command, Choice choice, Failure failure) {
    Insight insight = new Insight(command, choice.strategy(), environment.listener());
    insight.failed(failure);
    return insight.finish();
  }

  private Peering peering(Login login, Flow flow) {
    Address address = Address.ofSsh(login.toString(), key.text());
    return new Peering(
        new PeerEndpoint.Dial(address, 1, 0),
        new KeySource(null, null, null),
        Address.Scheme.UNSAID,
        flow);
  }

  /// What the only source is called there; null if the sources go into the target.
  private static Name nameThere(Push push, Found found) throws Failure {
    RemotePath target = push.target();
    boolean isDirectory = found == Found.DIRECTORY;
    if (isInto(target, push.rule(), isDirectory, push.sources().size())) {
      return null;
    }
    RawPath path = RawPath.of(target.path());
    boolean sendsDirectory = look(push.sources().getFirst()) == Found.DIRECTORY;
    requireFit(target, found, path.endsInSlash(), sendsDirectory);
    return name(path);
  }

  /// Whether sources go into the target under their own names.
  private static boolean isInto(Object target, TargetRule rule, boolean isDirectory, int sources)
      throws Failure {
    if (isDirectory && rule != TargetRule.NAME) {
      return true;
    }
    if (rule == TargetRule.DIRECTORY) {
      throw Failure.of(ExitCode.DESTINATION, target.toString(), "not a directory")
          .with("create it first");
    }
    if (sources > 1) {
      throw Failure.of(
          ExitCode.DESTINATION,
          target.toString(),
          "not a directory, and there are several sources");
    }
    return false;
  }

  private static Name name(RawPath target) throws Failure {
    try {
      return Name.of(target.lastComponent());
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, target.toString(), e.getMessage()).because(e);
    }
  }

  private static Found look(RawPath path) throws Failure {
    if (path.isStandardStream()) {
      return Found.OTHER;
    }
    try {
      FileStatus status = FileStatus.ofExisting(path);
      return status == null ? Found.NOTHING : status.isDirectory() ? Found.DIRECTORY : Found.OTHER;
    } catch (IOException e) {
      throw Reasons.source(path, e);
    }
  }

  /// @param isNew whether the target gets what the only source has
  private static void require(Fetch fetch, List<Found> found, boolean isNew) throws Failure {
    if (found.size() != fetch.sources().size()) {
      RemotePath first = fetch.sources().getFirst();
      throw Failure.of(ExitCode.PROTOCOL, first.login().toString(), "it answers something else");
    }
    if (isNew) {
      RawPath target = fetch.target();
      boolean comesDirectory = found.getFirst() == Found.DIRECTORY;
      requireFit(target, look(target), target.endsInSlash(), comesDirectory);
    }
  }

  /// @param target what has the name that the source is to get
  private static void requireFit(
      Object name, Found target, boolean endsInSlash, boolean isDirectory) throws Failure {
    if (target == Found.OTHER && isDirectory) {
      throw Failure.of(ExitCode.EXISTS, name.toString(), "is no directory, and the source is one");
    }
    if (target == Found.DIRECTORY && !isDirectory) {
      throw Failure.of(ExitCode.EXISTS, name.toString(), "is a directory, and the source is none");
    }
    if (endsInSlash && !isDirectory) {
      throw Failure.of(ExitCode.DESTINATION, name.toString(), "no such directory")
          .with("create it first");
    }
  }

  /// What the sources are called, or null if the content of one comes, which may be called
  /// anything.
  private static Set<Name> names(List<RemotePath> sources) throws Failure {
    Set<Name> names = new HashSet<>();
    for (RemotePath source : sources) {
      if (ServedEnd.isContent(source.path())) {
        return null;
      }
      Name name = Name.of(RawPath.of(source.path()).lastComponent());
      if (!names.add(name)) {
        throw Failure.of(ExitCode.USAGE, name.toString(), "several sources have this name");
      }
    }
    return names;
  }
}
