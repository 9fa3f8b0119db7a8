package dev.zcp.session.receive;

import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Failure;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.linux.StandardStreams;
import dev.zcp.place.RoomCheck;
import dev.zcp.session.Dialling;
import dev.zcp.session.HelloTerms;
import dev.zcp.session.ListeningPort;
import dev.zcp.session.Opener;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.PeerSession;
import dev.zcp.session.ReceiveRequest;
import dev.zcp.session.Sessions;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.tree.Ends;
import dev.zcp.tree.Guard;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.RoomThere;
import dev.zcp.wire.Side;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// `zcp receive`: files from senders into one directory, or one file to standard output.
public final class Receiver {

  private final ReceiveRequest request;
  private final CommandEnvironment environment;

  /// Null for TCP.
  private final Dialler dialler;

  private final Allowance allowance;

  /// Null as long as nothing is open, and for standard output.
  private volatile TargetDirectory directory;

  private Receiver(
      ReceiveRequest request,
      CommandEnvironment environment,
      Dialler dialler,
      TargetDirectory directory) {
    this.request = request;
    this.environment = environment;
    this.dialler = dialler;
    this.directory = directory;
    this.allowance = new Allowance(request.admission());
  }

  /// Receives until one transfer is over, if only one was asked for or this end dials, and else
  /// until a signal ends the process. Each transfer has a result of its own, which the listener is
  /// told; this returns the last.
  public static Result receive(ReceiveRequest request, CommandEnvironment environment) {
    return new Receiver(request, environment, null, null).result();
  }

  /// As [#receive(ReceiveRequest, CommandEnvironment)], over whatever `dialler` connects by.
  public static Result receive(
      ReceiveRequest request, CommandEnvironment environment, Dialler dialler) {
    return new Receiver(request, environment, dialler, null).result();
  }

  /// As [#receive(ReceiveRequest, CommandEnvironment)], into a directory that is open.
  public static Result receive(
      ReceiveRequest request, CommandEnvironment environment, TargetDirectory directory) {
    return new Receiver(request, environment, null, directory).result();
  }

  private Result result() {
    try {
      return receive();
    } catch (Failure failure) {
      Insight insight = new Insight("receive", request.choice().strategy(), environment.listener());
      insight.failed(failure);
      return insight.finish();
    }
  }

  private Result receive() throws Failure {
    Engine engine = new Engine(environment.strategies(), request.choice());
    requireServable(engine, false);
    PeerEndpoint endpoint = request.peering().endpoint();
    Meeting meeting;
    if (endpoint instanceof PeerEndpoint.Dial) {
      meeting = dialling(engine);
    } else if (endpoint instanceof PeerEndpoint.Listen listen) {
      meeting = listening(engine, listen.once());
    } else {
      meeting = serving((PeerEndpoint.Served) endpoint);
    }
    return request.directory().isStandardStream()
        ? toStandardOutput(engine, meeting)
        : toDirectory(engine, meeting);
  }

  /// A strategy that cannot receive is refused before anybody sends.
  private void requireServable(Engine engine, boolean encrypted) throws Failure {
    boolean directory = !request.directory().isStandardStream();
    try {
      engine.rank(new Route(Ends.socket(encrypted), Ends.received(directory)), Long.MAX_VALUE);
    } catch (RefusedException e) {
      throw Reasons.refused(directory ? request.directory() : "standard output", e);
    }
  }

  /// How the sender is met.
  @FunctionalInterface
  private interface Meeting {

    /// @param abandon what becomes of unfinished files if a signal ends the process
    Result meet(ReceiverContext context, Runnable abandon) throws Failure;
  }

  private Meeting listening(Engine engine, boolean once) throws Failure {
    ListeningPort port =
        new ListeningPort(Side.RECEIVER, request.peering(), environment.listener());
    requireServable(engine, port.isEncrypted());
    return (context, abandon) -> port.serve(sessions(context), once, true, hello(), abandon);
  }

  private Meeting serving(PeerEndpoint.Served served) {
    return (context, abandon) -> {
      try (Guard _ = Guard.install(abandon)) {
        return served
            .pipe()
            .serve(
                Side.RECEIVER,
                request.peering(),
                hello(),
                sessions(context),
                environment.listener());
      } catch (Failure failure) {
        // The sender has left in the middle, and perhaps a thread still waits for it.
        abandon.run();
        throw failure;
      }
    };
  }

  private HelloTerms hello() {
    return new HelloTerms(request.admission().discard(), this::room);
  }

  /// To standard output goes one file, and the number of them must be known.
  private RoomThere room() {
    TargetDirectory into = directory;
    if (into == null) {
      return RoomThere.UNSAID;
    }
    if (request.admission().discard()) {
      return allowance.room(Long.MAX_VALUE, Long.MAX_VALUE);
    }
    try {
      OpenDirectory.Room room = RoomCheck.sure(into.directory());
      return allowance.room(room.bytes(), room.inodes());
    } catch (IOException e) {
      return RoomThere.UNSAID;
    }
  }

  private static Sessions.Factory sessions(ReceiverContext context) {
    return (first, whenClosed) ->
        new ReceivingSession(context, first.peer(), PeerSession.CONNECTIONS_MAX, whenClosed);
  }

  private Meeting dialling(Engine engine) throws Failure {
    Dialling dialling = new Dialling(Side.RECEIVER, request.peering(), dialler, hello());
    requireServable(engine, dialling.isEncrypted());
    return (context, abandon) -> {
      try (Guard _ = Guard.install(() -> interrupt(dialling.peer(), abandon))) {
        return dial(context, dialling);
      }
    };
  }

  private void interrupt(String peer, Runnable abandon) {
    abandon.run();
    if (!request.directory().isStandardStream()) {
      String kept =
          request.admission().discard()
              ? "--discard keeps no file"
              : "what had arrived is kept; the same command again takes the rest";
      Guard.tell(
          () ->
              environment
                  .listener()
                  .on(new Event.Interrupted(peer + ": interrupted (" + kept + ")")));
    }
  }

  /// A sender that was begun anew meanwhile knows no session: another one is begun then, as often
  /// as there are retries. What had arrived counts as resumed. What went to standard output cannot
  /// be taken back, so that is the end there.
  private Result dial(ReceiverContext context, Dialling dialling) throws Failure {
    PeerEndpoint.Dial dial = dialling.endpoint();
    int left = request.directory().isStandardStream() ? 0 : dial.retries();
    while (true) {
      Dialling.First first = dialling.reachFirst(dial.retries(), context::note);
      CompletableFuture<Result> closed = new CompletableFuture<>();
      ReceivingSession session =
          new ReceivingSession(
              context,
              dialling.peer(),
              PeerEndpoint.Dial.CONNECTIONS_MAX,
              (_, result) -> closed.complete(result));
      if (dialler != null && dialler.loginNs() > 0) {
        session.insight().loggedIn(dialler.loginNs());
      }
      session.expectToBeginAnew(left > 0);
      Opener.start(session, first, dialling, request.peering().flow().rateBytes() > 0);
      Result result = closed.join();
      if (result != null || !session.isForgotten()) {
        return result;
      }
      left--;
      context.note(dialling.peer() + ": the sender has forgotten the session; begun anew");
    }
  }

  private Result toStandardOutput(Engine engine, Meeting meeting) throws Failure {
    StandardStreams streams = new StandardStreams(environment.in(), environment.out());
    try (Sink sink = streams.sink()) {
      StreamPlace place = new StreamPlace(sink);
      return meeting.meet(context(engine, _ -> place), () -> {});
    } catch (IOException e) {
      throw Reasons.destination("standard output", e);
    }
  }

  private Result toDirectory(Engine engine, Meeting meeting) throws Failure {
    if (directory != null) {
      return toDirectory(directory, engine, meeting);
    }
    try (TargetDirectory target = TargetDirectory.open(request.directory())) {
      directory = target;
      return toDirectory(target, engine, meeting);
    }
  }

  private Result toDirectory(TargetDirectory target, Engine engine, Meeting meeting)
      throws Failure {
    ReceiverContext.PlaceFactory places =
        session -> target.begin(request.admission(), session.takeover(), session);
    return meeting.meet(context(engine, places), target::abandon);
  }

  private ReceiverContext context(Engine engine, ReceiverContext.PlaceFactory places) {
    return new ReceiverContext(
        request,
        engine,
        new AtomicInteger(),
        places,
        ReceivingWorkers::new,
        new PartBuffers(),
        allowance,
        new RateLimit(request.peering().flow().rateBytes()),
        environment.listener());
  }
}
