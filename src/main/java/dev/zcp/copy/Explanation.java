package dev.zcp.copy;

import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Engine.Tuning;
import dev.zcp.engine.Strategies;
import dev.zcp.linux.FileStatus;
import dev.zcp.profile.Mounts;
import dev.zcp.profile.Profile.Finding;
import dev.zcp.profile.RouteKey;
import dev.zcp.profile.RouteTunings;
import dev.zcp.profile.RouteTunings.UserProfile;
import dev.zcp.spi.Route;
import dev.zcp.spi.TransferStrategy;
import dev.zcp.spi.Verdict;
import dev.zcp.tree.Ends;
import dev.zcp.tree.Reasons;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What `auto` would do on one route and why, without moving a byte or calling a peer.
///
/// @param route what both ends can do
/// @param routeKey what a profile would know the route by, or null if none can know it
/// @param noRouteKey why none can know it, a sentence without its full stop; empty if one can
/// @param bytes how many are to be moved, or [Long#MAX_VALUE] if nobody knows
/// @param path how the bytes move
/// @param whySteps why they go by strategy steps, a clause; empty if they do not
/// @param profile what the user's profile says
/// @param tooShort whether the profile is not asked, since it could save less than reading it takes
/// @param usable the strategies in the order in which `auto` would try them
/// @param refusals the others
/// @param whenVerified what a verified transfer goes by instead of the first: over loopback its
///   bytes pass through memory, where they are digested; empty if it goes by the first
public record Explanation(
    Route route,
    RouteKey routeKey,
    String noRouteKey,
    long bytes,
    PathChoice path,
    String whySteps,
    Finding profile,
    boolean tooShort,
    List<Engine.Candidate> usable,
    List<Refusal> refusals,
    String whenVerified) {

  /// Files shorter than this go as if there were no profile.
  public static final long PROFILE_BYTES_MIN = RouteTunings.FILE_BYTES_MIN;

  private static final String NO_LENGTH =
      "a profile knows only files of known length, on their way to files or receivers";

  private static final String NOT_TWO_FILES = "all other paths take a file at both ends";

  /// A strategy that cannot serve.
  public record Refusal(TransferStrategy strategy, String reason) {}

  public Explanation {
    usable = List.copyOf(usable);
    refusals = List.copyOf(refusals);
  }

  /// @param target a path, `-`, or the address of a receiver
  /// @param profile the user's profile, or null if there is to be none
  /// @throws Failure if the source is missing or either end cannot be looked at
  public static Explanation of(
      Strategies strategies, RawPath source, RawPath target, RawPath profile) throws Failure {
    Route.Traits sink = Ends.ofTarget(target);
    long bytes = Ends.bytesOf(source);
    RouteKey routeKey = null;
    String noRouteKey = "";
    if (bytes != Long.MAX_VALUE && sink.kind() == Route.Kind.SOCKET) {
      Address address = Ends.address(target);
      try {
        routeKey = routeKeyTo(address);
      } catch (Failure e) {
        // There is no such host, and the other facts hold all the same.
        noRouteKey = e.getMessage();
      }
      sink = Ends.socket(address.isEncrypted(Address.Scheme.UNSAID, isLoopback(routeKey)));
    }
    Route route = new Route(Ends.ofSource(source), sink);
    if (bytes != Long.MAX_VALUE && sink.kind() == Route.Kind.FILE) {
      routeKey = routeKey(source, target);
    }
    if (routeKey == null && noRouteKey.isEmpty()) {
      noRouteKey = NO_LENGTH;
    }
    boolean tooShort = bytes < PROFILE_BYTES_MIN;
    Finding finding = new UserProfile(profile).find(routeKey);
    boolean holds = finding instanceof Finding.Current && !tooShort;
    Tuning tuning = holds ? ((Finding.Current) finding).tuned().tuning() : Tuning.NONE;
    List<Engine.Candidate> usable = usable(strategies, route, bytes, tuning);
    boolean digested = tuning == Tuning.NONE && isLoopback(routeKey) && !usable.isEmpty();
    PathChoice.Facts facts = facts(source, route, routeKey, bytes, usable);
    PathChoice path =
        facts == null ? PathChoice.STRATEGY_STEPS : PathChoice.of(Choice.DEFAULT, facts);
    String whySteps = facts == null ? NOT_TWO_FILES : PathChoice.whySteps(facts);
    return new Explanation(
        route,
        routeKey,
        noRouteKey,
        bytes,
        path,
        path == PathChoice.STRATEGY_STEPS ? whySteps : "",
        finding,
        tooShort,
        usable,
        refusals(strategies, route),
        digested ? whenVerified(strategies, route, bytes, usable.getFirst()) : "");
  }

  /// Whether the receiver is on this machine.
  public boolean isLoopback() {
    return isLoopback(routeKey);
  }

  private static boolean isLoopback(RouteKey routeKey) {
    return routeKey instanceof RouteKey.Send send && send.isLoopback();
  }

  private static String whenVerified(
      Strategies strategies, Route route, long bytes, Engine.Candidate first) throws Failure {
    Route throughMemory = new Route(route.source(), Ends.received(false));
    List<Engine.Candidate> others = usable(strategies, throughMemory, bytes, Tuning.NONE);
    String name = others.isEmpty() ? "" : others.getFirst().strategy().name();
    return name.equals(first.strategy().name()) ? "" : name;
  }

  /// What the path of a file between two files is chosen by; null if the ends are others.
  private static PathChoice.Facts facts(
      RawPath source, Route route, RouteKey routeKey, long bytes, List<Engine.Candidate> usable)
      throws Failure {
    boolean isBetweenFiles = bytes != Long.MAX_VALUE && route.sink().kind() == Route.Kind.FILE;
    if (usable.isEmpty() || !isBetweenFiles) {
      return null;
    }
    return new PathChoice.Facts(
        bytes,
        route.source().device() == route.sink().device(),
        usable.getFirst().measured(),
        Ends.mayHaveHoles(source),
        () ->
            routeKey instanceof RouteKey.Copy copy
                && copy.to().type().equals(PathChoice.TWO_THREADS_TYPE));
  }

  /// The way to a receiver.
  ///
  /// @throws Failure NETWORK if there is no such host
  public static RouteKey routeKeyTo(Address address) throws Failure {
    return RouteKey.Send.to(SocketDialler.resolve(address)[0]);
  }

  /// What a profile that is there says of why it is not used, or empty.
  ///
  /// @param file where it is
  public String remark(RawPath file) {
    return RouteTunings.remark(file, profile);
  }

  private static RouteKey routeKey(RawPath source, RawPath target) throws Failure {
    try {
      return Mounts.read().between(source.toPath(), directoryOf(target.toPath()));
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    }
  }

  /// The directory in which what is copied to `target` gets its name.
  static Path directoryOf(Path target) throws IOException {
    FileStatus status = FileStatus.ofExisting(target);
    if (status != null && status.isDirectory()) {
      return target;
    }
    // Of a link to a file, the file is replaced and not the link.
    Path real = status == null ? target : target.toRealPath();
    return real.toAbsolutePath().getParent();
  }

  public static List<Engine.Candidate> usable(
      Strategies strategies, Route route, long bytes, Tuning tuning) throws Failure {
    try {
      return new Engine(strategies, Choice.DEFAULT).tunedBy(tuning).rank(route, bytes);
    } catch (RefusedException e) {
      // No strategy is usable; the refusals say why of each.
      return List.of();
    }
  }

  private static List<Refusal> refusals(Strategies strategies, Route route) {
    List<Refusal> refusals = new ArrayList<>();
    for (TransferStrategy strategy : strategies.all()) {
      if (strategy.judge(route) instanceof Verdict.Refused(String reason)) {
        refusals.add(new Refusal(strategy, reason));
      }
    }
    return refusals;
  }
}
