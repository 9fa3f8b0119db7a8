package dev.zcp.session.send;

import dev.zcp.carrier.CongestionControl;
import dev.zcp.carrier.Dialler;
import dev.zcp.carrier.RateLimit;
import dev.zcp.carrier.SocketDialler;
import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.exchange.SendingEnd;
import dev.zcp.insight.CommandEnvironment;
import dev.zcp.insight.Event.Link;
import dev.zcp.insight.Insight;
import dev.zcp.insight.Result;
import dev.zcp.profile.RouteTunings;
import dev.zcp.secure.Key;
import dev.zcp.session.Flow;
import dev.zcp.session.Greeting;
import dev.zcp.session.Keys;
import dev.zcp.session.Levels;
import dev.zcp.session.SendRequest;
import dev.zcp.spi.Route;
import dev.zcp.tree.Ends;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Digest;
import dev.zcp.wire.Level;
import dev.zcp.wire.Manifest;
import java.util.List;

/// `zcp send`: files and trees of this machine to a receiver.
public final class Sender {

  private final SendRequest request;
  private final CommandEnvironment environment;
  private final Insight insight;
  private final String peer;

  /// Null for one of the address that the request names, which is looked up only once the operands
  /// were looked at.
  private final Dialler given;

  /// Whether the receiver lost the session.
  private boolean forgotten;

  /// Whether everything can be read once more.
  private boolean isReadTwice;

  /// How often the receiver could not keep what it took.
  private long lossesThere;

  private Sender(
      SendRequest request, CommandEnvironment environment, Dialler given, Insight insight) {
    this.given = given;
    this.request = request;
    this.environment = environment;
    this.insight = insight;
    this.peer = request.address().toString();
  }

  /// Begins what every session needs and takes a while: to be called while there is something else
  /// to do, such as to find out what is to be sent.
  public static void expect() {
    Greeting.prepare();
  }

  /// Sends everything it can; what fails does not stop the rest. Nothing is connected before the
  /// operands have been looked at.
  ///
  /// A receiver that was begun anew meanwhile knows no session: another one is begun then, as often
  /// as there are retries, and the result is of the last. What had arrived counts as resumed. Of a
  /// stream nothing could be sent again, so with one among the operands that is the end.
  public static Result send(SendRequest request, CommandEnvironment environment) {
    return send(request, environment, null);
  }

  /// As [#send(SendRequest, CommandEnvironment)], over whatever `dialler` connects by.
  static Result send(SendRequest request, CommandEnvironment environment, Dialler dialler) {
    String asked = request.choice().strategy();
    Insight insight = new Insight("send", asked, environment.listener());
    Sender sender = new Sender(request, environment, dialler, insight);
    int left = request.sending().retries();
    while (!sender.isDone(left)) {
      left--;
      insight = new Insight("send", asked, environment.listener());
      insight.note(request.address() + ": the receiver has forgotten the session; begun anew");
      sender = new Sender(request, environment, dialler, insight);
    }
    return insight.finish();
  }

  /// @param left how often it may be begun anew
  /// @return whether it is done, well or not, and need not be
  private boolean isDone(int left) {
    Losses losses = new Losses();
    try {
      send(losses);
    } catch (Failure failure) {
      if (forgotten && isReadTwice && left > 0) {
        return false;
      }
      insight.failed(failure);
    }
    tell(losses.all());
    tellOfLossesThere();
    return true;
  }

  private void send(Losses losses) throws Failure {
    Engine engine = new Engine(environment.strategies(), request.choice());
    requireServable(engine);
    try (OutgoingTree tree = OutgoingTree.of(request, environment, insight, losses)) {
      isReadTwice = tree.isReadTwice();
      if (!tree.isEmpty()) {
        connect(engine, tree);
      }
    }
  }

  /// A strategy that cannot send is refused before anybody is asked to receive.
  private void requireServable(Engine engine) throws Failure {
    boolean stream = request.files().size() == 1 && request.files().getFirst().isStandardStream();
    long bytes = stream ? -1 : Long.MAX_VALUE;
    try {
      engine.rank(new Route(Ends.sent(bytes), Ends.socket()), Long.MAX_VALUE);
    } catch (RefusedException e) {
      throw Reasons.refused(request.files().getFirst(), e);
    }
  }

  private void connect(Engine engine, OutgoingTree tree) throws Failure {
    Dialler dialler = given == null ? socketDialler() : given;
    requirePlain(dialler.isLocal());
    String congestion = request.flow().congestion();
    CongestionControl.requireKnown(congestion);
    Key key = Keys.given(request.address(), request.key());
    Totals totals = tree.count();
    insight.started((int) Math.min(Integer.MAX_VALUE, totals.files()), totals.bytes());
    insight.acknowledged(0);
    Dialling dialling = new Dialling(request, dialler, key);
    Dialling.First begun = dialling.reachFirst(request.sending().retries(), insight);
    Dialling.Reached first = begun.reached();
    if (first == null) {
      throw Failure.of(ExitCode.PROTOCOL, peer, "the receiver will not begin a session");
    }
    insight.connected(new Link(peer, first.discards(), first.buffer()));
    if (congestion != null) {
      insight.congestion(congestion);
    }
    RouteTunings tunings = new RouteTunings(environment.profile(), request.choice(), insight::note);
    Engines engines = new Engines(engine, tunings, dialler.host());
    run(tree, totals, dialling, begun, engines);
  }

  private void run(
      OutgoingTree tree, Totals totals, Dialling dialling, Dialling.First begun, Engines engines)
      throws Failure {
    Level level = Levels.of(request.sending().verify());
    Manifest manifest =
        new Manifest(
            totals.entries(),
            totals.bytes(),
            totals.dataBytes(),
            level,
            Digest.Algorithm.of(level, dialling.isLocal()),
            tree.keeps());
    RateLimit rate = new RateLimit(request.flow().rateBytes());
    SendingEnd end = new SendingEnd(manifest, batchFileBytesMax(), (int) batchBytesMax(rate));
    HeldComparison comparison = new HeldComparison(request.sending().resumeVerify());
    SendingSession session =
        new SendingSession(end, insight, request.policy().onChange(), comparison, peer, level);
    Lines lines =
        new Lines(
            session,
            begun.sessionId(),
            dialling,
            engines,
            rate,
            request.sending(),
            insight,
            peer,
            totals.bytes());
    Offering offering = new Offering(session, insight);
    boolean well = false;
    session.whenOver(tree::stop);
    lines.start(begun.reached(), 0);
    try {
      tree.walk(offering);
      offering.finish();
      session.finish();
      well = true;
    } finally {
      forgotten = session.isForgotten();
      lines.close(well);
      session.agreement().tell();
      lossesThere = end.losses();
    }
  }

  private Dialler socketDialler() throws Failure {
    Flow flow = request.flow();
    return new SocketDialler(
        request.address(),
        SocketDialler.resolve(request.address()),
        flow.connectTimeoutNs(),
        flow.socketBufferBytes(),
        flow.congestion());
  }

  /// Files up to this size go in batches, which are moved by what `auto` takes for small files;
  /// whoever names a strategy gets it for each file.
  private int batchFileBytesMax() {
    Choice choice = request.choice();
    if (!choice.isAuto()) {
      return -1;
    }
    return choice.chunkBytes() == Choice.ADAPTIVE
        ? BatchSender.FILE_BYTES_MAX
        : (int) Math.min(BatchSender.FILE_BYTES_MAX, choice.chunkBytes());
  }

  /// With a limit of the rate a batch is no more than a piece of it, or as much as one file needs.
  private static long batchBytesMax(RateLimit rate) {
    return Math.clamp(
        rate.pieceBytesMax(), BatchSender.FILE_BYTES_MAX, BatchSender.BATCH_BYTES_MAX);
  }

  /// The mode comes from the address or the flag, and is never negotiated down.
  private void requirePlain(boolean loopback) throws Failure {
    Address address = request.address();
    if (address.scheme() == Address.Scheme.ENCRYPTED) {
      throw Failure.of(ExitCode.USAGE, peer, "there is no encryption yet")
          .with("zcp+plain:// goes unencrypted, if the receiver says --plain too");
    }
    boolean said = request.plain() || address.scheme() == Address.Scheme.PLAIN;
    if (!loopback && !said) {
      throw Failure.of(ExitCode.USAGE, peer, "is not this machine, and there is no encryption yet")
          .with("--plain sends what everyone on the way can read");
    }
  }

  private void tell(List<Loss> lost) {
    for (Loss loss : lost) {
      insight.lost(loss.kind().label(), loss.files(), loss.firstName(), loss.reason());
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

  /// Of those only the receiver knows what they are.
  private void tellOfLossesThere() {
    if (lossesThere == 0) {
      return;
    }
    String times = lossesThere == 1 ? "once" : lossesThere + " times";
    String what = "could not keep what it took besides bytes, " + times;
    if (request.policy().strict()) {
      insight.failed(
          Failure.of(ExitCode.DESTINATION, peer, what)
              .with("its own report names it; without --strict that is no failure"));
    } else {
      insight.note(peer + ": " + what + " (its own report names it)");
    }
  }
}
