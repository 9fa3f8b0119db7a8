package dev.zcp.session.send;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.RateLimit;
import dev.zcp.core.Daemon;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.core.Printable;
import dev.zcp.core.RawPath;
import dev.zcp.delta.DeltaMode;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event;
import dev.zcp.insight.Event.SessionName;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.insight.Stage;
import dev.zcp.profile.RouteTunings;
import dev.zcp.session.Dialling;
import dev.zcp.session.HelloTerms;
import dev.zcp.session.ListeningPort;
import dev.zcp.session.Opener;
import dev.zcp.session.PeerEndpoint;
import dev.zcp.session.PeerEndpoint.Dial;
import dev.zcp.session.PeerEndpoint.Listen;
import dev.zcp.session.PeerEndpoint.Served;
import dev.zcp.session.PeerSession;
import dev.zcp.session.Peering;
import dev.zcp.session.RefusedMetadata;
import dev.zcp.session.SendRequest;
import dev.zcp.spi.Route;
import dev.zcp.tree.Ends;
import dev.zcp.tree.Guard;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.BackgroundCount;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Done;
import dev.zcp.wire.KeepExisting;
import dev.zcp.wire.Manifest;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.RoomThere;
import dev.zcp.wire.Side;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/// `zcp send`: files and trees of this machine to a receiver, or to each that comes. An instance is
/// one session.
public final class Sender {

  /// What all sessions of a context share.
  ///
  /// @param sessions how many have begun
  /// @param running those that a signal would interrupt
  private record SendContext(
      SendRequest request,
      CommandEnvironment environment,
      Engine engine,
      RateLimit rate,
      AtomicInteger sessions,
      Set<Sender> running) {

    Insight insight(String peer) {
      SessionName name = new SessionName(sessions.incrementAndGet(), peer);
      return new Insight("send", request.choice().strategy(), environment.listener(), name);
    }

    Insight insight() {
      return new Insight("send", request.choice().strategy(), environment.listener());
    }

    void tellWhatIsKept() {
      Guard.tell(() -> running.forEach(Sender::tellWhatIsKept));
    }

    /// A strategy that cannot send is refused before anybody is asked to receive.
    void requireServable(boolean encrypted) throws Failure {
      RawPath first = request.files().getFirst();
      boolean stream = request.files().size() == 1 && first.isStandardStream();
      long bytes = stream ? -1 : Long.MAX_VALUE;
      try {
        engine.rank(new Route(Ends.sent(bytes), Ends.socket(encrypted)), Long.MAX_VALUE);
      } catch (RefusedException e) {
        throw Reasons.refused(first, e);
      }
    }
  }

  private final SendContext context;
  private final SendRequest request;
  private final Insight insight;
  private final Losses losses = new Losses();
  private final String peer;
  private SendingSession session;

  /// Null before the operands were looked at, and if they cannot be sent.
  private volatile OutgoingTree tree;

  /// The receiver's; null if it said none.
  private Done lastWord;

  private Sender(SendContext context, String peer, Insight insight) {
    this.context = context;
    this.request = context.request();
    this.insight = insight;
    this.peer = peer;
  }

  /// Sends everything it can; what fails does not stop the rest. Nothing is connected, and nobody
  /// is let in, before the operands have been looked at.
  ///
  /// If this end dials, it returns when the session is over. A receiver that was begun anew
  /// meanwhile knows no session: another one is begun then, as often as there are retries, and the
  /// result is of the last. What had arrived counts as resumed. Of a stream nothing could be sent
  /// again, so with one among the operands that is the end.
  ///
  /// If it listens, each receiver gets everything, by a walk of its own, and has a result of its
  /// own, which the listener is told. It returns if only one was to be served; with a stream among
  /// the operands no other one could be.
  public static Result send(SendRequest request, CommandEnvironment environment) {
    return send(request, environment, null);
  }

  /// As [#send(SendRequest, CommandEnvironment)], over whatever `dialler` connects by; null for
  /// TCP.
  public static Result send(SendRequest request, CommandEnvironment environment, Dialler dialler) {
    try {
      SendContext context =
          new SendContext(
              request,
              environment,
              new Engine(environment.strategies(), request.choice()),
              new RateLimit(request.peering().flow().rateBytes()),
              new AtomicInteger(),
              ConcurrentHashMap.newKeySet());
      context.requireServable(false);
      PeerEndpoint endpoint = request.peering().endpoint();
      if (endpoint instanceof Dial dial) {
        return dial(context, dial, dialler);
      }
      return endpoint instanceof Listen listen
          ? listen(context, listen)
          : serve(context, (Served) endpoint);
    } catch (Failure failure) {
      Insight insight = new Insight("send", request.choice().strategy(), environment.listener());
      insight.failed(failure);
      return insight.finish();
    }
  }

  private static Result dial(SendContext context, Dial dial, Dialler dialler) {
    String peer = dial.address().toString();
    Sender sender = new Sender(context, peer, context.insight(peer));
    if (dialler != null && dialler.loginNs() > 0) {
      sender.insight.loggedIn(dialler.loginNs());
    }
    for (int left = dial.retries(); !sender.isDone(dial, dialler, left); left--) {
      sender = new Sender(context, peer, context.insight(peer));
      sender.insight.note(peer + ": the receiver has forgotten the session; begun anew");
    }
    return sender.insight.finish();
  }

  /// @param left how often it may be begun anew
  /// @return whether it is done, well or not, and need not be
  private boolean isDone(Dial dial, Dialler dialler, int left) {
    try (OutgoingTree mine = look()) {
      if (!mine.isEmpty()) {
        dial(mine, dial, dialler);
      }
    } catch (Failure failure) {
      boolean isForgotten = session != null && session.isForgotten();
      if (isForgotten && tree.isReadTwice() && left > 0) {
        return false;
      }
      insight.failed(left < dial.retries() ? whenBegunAnew(failure) : failure);
    }
    tell();
    return true;
  }

  /// A receiver that was to serve one session is over with it and takes nobody in, also if its last
  /// word was lost. What ended this session is the connection, and the same command can go on.
  private Failure whenBegunAnew(Failure failure) {
    boolean isTurnedAway =
        failure.exitCode() == ExitCode.EXISTS && failure.getCause() instanceof ProtocolException;
    return isTurnedAway
        ? Failure.of(
                ExitCode.NETWORK,
                peer,
                "the connection was lost, and the receiver takes no new session")
            .with("it may have everything: start it again and run the same command")
            .because(failure)
        : failure;
  }

  private void dial(OutgoingTree mine, Dial dial, Dialler dialler) throws Failure {
    HelloTerms hello = HelloTerms.ofSender(request.sending().mustDiscard());
    Dialling dialling = new Dialling(Side.SENDER, request.peering(), dialler, hello);
    context.requireServable(dialling.isEncrypted());
    Dialling.First first = reach(mine, dialling, dial.retries());
    open(dialling.dialler().host(), Dial.CONNECTIONS_MAX, Long.MAX_VALUE, () -> {});
    context.running().add(this);
    try (Guard _ = Guard.install(context::tellWhatIsKept)) {
      Opener.start(session, first, dialling, context.rate().isLimited());
      walk(mine, dialling.isTamperProof(), first.reached().connection().room());
    } finally {
      context.running().remove(this);
    }
  }

  /// Connects. If that fails, what is known of what was to be sent is told before.
  private Dialling.First reach(OutgoingTree mine, Dialling dialling, int retries) throws Failure {
    try {
      return dialling.reachFirst(retries, insight::note);
    } catch (Failure failure) {
      tell(mine.count().known());
      throw failure;
    }
  }

  private void tellWhatIsKept() {
    insight.interrupted(peer + ": interrupted (" + session.whatIsKept() + ")");
  }

  private static Result listen(SendContext context, Listen listen) {
    Sender first = new Sender(context, listen.address().toString(), context.insight());
    try (OutgoingTree mine = first.look()) {
      if (!mine.isEmpty()) {
        boolean isRepeatable = mine.isReadTwice();
        ListeningPort port =
            new ListeningPort(
                Side.SENDER, context.request().peering(), context.environment().listener());
        context.requireServable(port.isEncrypted());
        return port.serve(
            (carrier, whenClosed) -> begin(context, isRepeatable, carrier, whenClosed),
            listen.once(),
            isRepeatable,
            HelloTerms.ofSender(false),
            context::tellWhatIsKept);
      }
    } catch (Failure failure) {
      first.insight.failed(failure);
    }
    return first.insight.finish();
  }

  /// The other end has started this one, and hears in the session what cannot be sent.
  private static Result serve(SendContext context, Served served) throws Failure {
    return served
        .pipe()
        .serve(
            Side.SENDER,
            context.request().peering(),
            HelloTerms.ofSender(false),
            (carrier, whenClosed) -> begin(context, false, carrier, whenClosed),
            context.environment().listener());
  }

  /// @param isRepeatable whether other receivers are to get the same
  private static PeerSession begin(
      SendContext context,
      boolean isRepeatable,
      Carrier carrier,
      BiConsumer<PeerSession, Result> whenClosed) {
    String peer = carrier.peer();
    Sender sender = new Sender(context, peer, context.insight(peer));
    Peering peering = context.request().peering();
    long patienceNs = peering.endpoint().patienceNs(peering.flow());
    sender.open(
        carrier.address(),
        PeerSession.CONNECTIONS_MAX,
        patienceNs,
        () -> Daemon.start(() -> sender.serve(isRepeatable, whenClosed), "zcp-send"));
    return sender.session;
  }

  /// Sends everything to a receiver that has come, unless it left at once.
  private void serve(boolean isRepeatable, BiConsumer<PeerSession, Result> whenClosed) {
    if (!session.connections().hasBegun()) {
      whenClosed.accept(session, null);
      return;
    }
    context.running().add(this);
    try (OutgoingTree mine = look()) {
      if (isRepeatable && !mine.isReadTwice()) {
        // Each receiver would get a part of it.
        throw Failure.of(
            ExitCode.SOURCE, peer, "a file was replaced by a stream, which can be sent only once");
      }
      walk(mine, session.isTamperProof(), session.room());
    } catch (Failure failure) {
      session.fail(failure);
      insight.failed(failure);
    } catch (RuntimeException | Error e) {
      Failure defect = Reasons.defect(peer, e);
      session.fail(defect);
      insight.failed(defect);
    }
    context.running().remove(this);
    session.close(false);
    tell();
    whenClosed.accept(session, insight.finish());
  }

  private OutgoingTree look() throws Failure {
    tree = OutgoingTree.of(request, context.environment(), insight, losses);
    return tree;
  }

  /// Makes the session, which waits for its [manifest][#walk].
  ///
  /// @param to where the receiver is, by which it is known what moves bytes there best
  /// @param patienceNs how long it may be without a connection
  /// @param whenBegun as [SendingSession#SendingSession] has it
  private void open(InetAddress to, int connectionsMax, long patienceNs, Runnable whenBegun) {
    RateLimit rate = context.rate();
    if (rate.isLimited()) {
      insight.paced(Stage.SEND, rate::intervalNs);
    }
    RouteTunings tunings =
        new RouteTunings(context.environment().profile(), request.choice(), insight::note);
    Engines engines = new Engines(context.engine(), tunings, to);
    session =
        new SendingSession(
            new SendingEnd(),
            insight,
            peer,
            request,
            new SendingSession.LineTerms(
                engines,
                rate,
                connectionsMax,
                patienceNs,
                partFileBytesMax(),
                partBytesMax(rate),
                request.sending().savings()),
            whenBegun);
    session.whenOver(this::stop);
  }

  private void stop() {
    OutgoingTree walked = tree;
    if (walked != null) {
      walked.stop();
    }
  }

  private static KeepExisting keepExisting(Policy policy) {
    return switch (policy.existing()) {
      case KEEP -> KeepExisting.ALL;
      case OLDER -> KeepExisting.NOT_OLDER;
      case REPLACE, REFUSE, ASK, ASK_IF_OLDER ->
          policy.skipSame() ? KeepExisting.SAME : KeepExisting.NONE;
    };
  }

  /// @param isTamperProof whether nobody on the way can change bytes unseen
  /// @param room of the receiver
  private void walk(OutgoingTree mine, boolean isTamperProof, RoomThere room) throws Failure {
    Offering offering = new Offering(session);
    boolean well = false;
    try {
      OutgoingCount.Totals totals = mine.count().before(room);
      tell(totals);
      session.begin(manifest(totals, mine.keeps(), isTamperProof));
      boolean isCounted = totals.files() < 0 && context.environment().listener().wantsTotals();
      try (BackgroundCount _ = isCounted ? mine.count().beside(insight::counted) : null) {
        mine.walk(offering);
        offering.finish();
      }
      session.finish();
      well = true;
    } finally {
      session.close(well);
      session.agreement().tell();
      lastWord = session.end().peersLastWord();
      if (lastWord != null) {
        tell(lastWord.tally());
      }
    }
  }

  private Manifest manifest(OutgoingCount.Totals totals, int keeps, boolean isTamperProof) {
    Level level = request.sending().verify();
    return new Manifest(
        totals.entries(),
        totals.bytes(),
        totals.dataBytes(),
        level,
        Digest.Algorithm.of(level, isTamperProof),
        keepExisting(request.policy()),
        request.sending().dryRun(),
        request.sending().savings().delta() != DeltaMode.NEVER,
        keeps);
  }

  private void tell(OutgoingCount.Totals totals) {
    insight.ofSession().acknowledged(0);
    boolean isStream = request.files().stream().anyMatch(RawPath::isStandardStream);
    if (request.sending().isForced() && !isStream) {
      insight.durable(0);
    }
    if (request.sending().dryRun()) {
      insight.dryRun();
    }
    insight.started((int) Math.min(Integer.MAX_VALUE, totals.files()), totals.bytes());
  }

  private void tell(Done.Tally there) {
    if (request.sending().dryRun()) {
      insight.plannedToDelete(there.deletions() - session.outcomes().surplusTold());
    } else {
      insight.deletedThere(there.deletions());
      insight.corrected(there.corrections());
    }
    if (there.losesOwners()) {
      RefusedMetadata.tellOwners(peer, losses);
    }
  }

  /// Files up to this size go in parts, which are moved by what `auto` takes for small files;
  /// whoever names a strategy gets it for each file. A dry run offers each.
  private int partFileBytesMax() {
    Choice choice = request.choice();
    if (!choice.isAuto() || request.sending().dryRun()) {
      return -1;
    }
    return choice.chunkBytes() == Choice.ADAPTIVE
        ? PartSender.FILE_BYTES_MAX
        : (int) Math.min(PartSender.FILE_BYTES_MAX, choice.chunkBytes());
  }

  /// With a limit of the rate a part is no more than a piece of it, or as much as one file needs.
  private static long partBytesMax(RateLimit rate) {
    return Math.clamp(rate.pieceBytesMax(), PartSender.FILE_BYTES_MAX, PartSender.BYTES_MAX);
  }

  private void tell() {
    tell(losses.all());
    tellOfLossesThere();
  }

  private void tell(List<Loss> lost) {
    for (Loss loss : lost) {
      insight.lost(loss.told());
    }
    if (!lost.isEmpty() && request.policy().strict()) {
      Loss first = lost.getFirst();
      insight.failed(
          Failure.of(
                  ExitCode.DESTINATION,
                  first.firstName(),
                  first.kind().label() + " not kept: " + first.reason())
              .with("without --strict that is no failure"));
    }
  }

  private void tellOfLossesThere() {
    if (lastWord == null || lastWord.tally().losses() == 0) {
      return;
    }
    boolean isNamed = lastWord.exitCode() == ExitCode.OK && !lastWord.text().isEmpty();
    // Else something failed besides, and the receiver said that.
    String what =
        isNamed
            ? Printable.of(lastWord.text())
            : "could not keep some owners, modes or attributes: its own report names them";
    if (request.policy().strict()) {
      insight.failed(
          Failure.of(ExitCode.DESTINATION, peer, what).with("without --strict that is no failure"));
    } else {
      insight.note(new Event.Noted(peer + ": " + what, lastWord.tally().losesAsUser()));
    }
  }
}
