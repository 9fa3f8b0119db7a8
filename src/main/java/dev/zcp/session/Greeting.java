package dev.zcp.session;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.compress.Compression;
import dev.zcp.core.Crc32c;
import dev.zcp.core.Daemon;
import dev.zcp.core.Elapsed;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.Randomness;
import dev.zcp.secure.SessionKeys;
import dev.zcp.secure.Tls;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Bytes;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The handshake: two hellos, two proofs, a welcome. All of it happens within one deadline and a
/// few hundred bytes, since nobody knows yet who is at the other end.
public final class Greeting {

  /// Of a peer that speaks something else: what it says at first, such as a ClientHello of TLS.
  private static final int STRANGE_BYTES_MAX = 16 << 10;

  /// How long that may take to arrive.
  private static final long STRANGE_NS = 100_000_000;

  /// How long a dialler that is turned away has to read that and to close its connection.
  private static final long TURNED_AWAY_NS = 2_000_000_000L;

  private final Carrier carrier;
  private final Side self;
  private final String peer;
  private final PeerTimeout timeout;
  private final HelloTerms terms;
  private final long deadlineNs;

  /// Whether the peer has said what only a zcp says.
  private boolean isZcp;

  /// One that may take as long as any.
  public Greeting(Carrier carrier, Side self, String peer, PeerTimeout timeout, HelloTerms terms) {
    this(carrier, self, peer, timeout, terms, Limits.HANDSHAKE_DEADLINE_NS);
  }

  /// @param self what this end does
  /// @param peer the other end, for messages
  /// @param deadlineNs until both must have proved the key; from [Limits#HANDSHAKE_DEADLINE_NS] on
  ///   that
  public Greeting(
      Carrier carrier,
      Side self,
      String peer,
      PeerTimeout timeout,
      HelloTerms terms,
      long deadlineNs) {
    this.deadlineNs = Math.min(deadlineNs, Limits.HANDSHAKE_DEADLINE_NS);
    this.carrier = carrier;
    this.self = self;
    this.peer = peer;
    this.timeout = timeout;
    this.terms = terms;
    // One that ssh has started has answered a request.
    this.isZcp = carrier.isControl();
  }

  /// Loads the randomness and the digests that a handshake and what follows take, on a thread of
  /// its own: some 20 ms that a cold process can spend while it looks at files and connects.
  public static void prepare() {
    load(Greeting::rehearse);
  }

  /// As [#prepare], what TLS takes besides: some 100 ms.
  ///
  /// @param listens whether this end listens, and so needs a certificate
  public static void prepareTls(boolean listens) {
    load(() -> Tls.prepare(listens));
  }

  private static void load(Runnable what) {
    Daemon.start(
        () -> {
          try {
            what.run();
          } catch (Error | RuntimeException e) {
            // Whoever needs it finds the same, and says so.
          }
        },
        "zcp-prepare");
  }

  private static void rehearse() {
    byte[] hello = Randomness.bytes(Hello.BYTES);
    new Handshake(Key.random(), "sender", hello, "receiver", hello, new byte[0]).diallerProof();
    // Its tables are made with the first of them.
    Crc32c.of(ByteBuffer.allocate(0));
  }

  /// What an end knows of the other one once both have proved the key.
  ///
  /// @param keys of this connection
  /// @param receiver the hello of the end that receives
  public record Joined(SessionKeys keys, Hello receiver) {}

  @FunctionalInterface
  public interface KeyFinder {

    /// @throws Failure if there is none
    Key find() throws Failure;
  }

  /// The dialler's part. The welcome to the first connection is still to be read after it: frames
  /// go out without it, which saves a round trip.
  ///
  /// @param finder asked once the listener has said hello, and not before: one that was just
  ///   started takes connections a moment before it leaves its key, and speaks after that
  /// @param sessionId of [Hello#SESSION_ID_BYTES] random bytes, the same for each connection of a
  ///   session
  /// @param connection its number in the session, 0 to 65535, never used before
  /// @return null if the listener has no such session (any more), so that a new one must be begun
  /// @throws Failure AUTHENTICATION if the listener has another key, PROTOCOL if it is none or not
  ///   what was asked for, NETWORK if it falls silent, EXISTS if it serves somebody else
  public Joined asDialler(KeyFinder finder, Bytes sessionId, int connection) throws Failure {
    timeout.hurry(deadlineNs);
    try {
      byte[] binding = carrier.establish();
      Hello hello = saying(Hello.of(self, sessionId, connection, nonce()));
      byte[] mine = hello.encode();
      write(mine);
      byte[] theirs = readHello();
      Hello answer = Hello.decode(ByteBuffer.wrap(theirs));
      hello.requireAnswer(answer);
      isZcp = true;
      byte[] proof = read(Handshake.PROOF_BYTES);
      if (self == Side.SENDER && terms.discards() && !answer.isDiscarding()) {
        throw Failure.of(ExitCode.PROTOCOL, peer, "the receiver would keep what it gets")
            .with("nothing was sent; start it with --discard");
      }
      Handshake handshake =
          new Handshake(
              finder.find(), self.toString(), mine, self.other().toString(), theirs, binding);
      // Also if the listener has another key, so that it can say so at its end.
      write(handshake.diallerProof());
      if (!handshake.isListenerProof(proof)) {
        throw anotherKey().with("use the URL that it printed");
      }
      Welcome welcome =
          connection == 0 ? Welcome.ACCEPTED : Welcome.decode(ByteBuffer.wrap(read(Welcome.BYTES)));
      if (welcome == Welcome.NO_SESSION) {
        return null;
      }
      if (welcome == Welcome.BUSY) {
        throw Failure.of(
            ExitCode.EXISTS,
            peer,
            "the " + self.other() + " takes no more connections of this session");
      }
      welcome.requireAccepted(self.other());
      return new Joined(handshake.diallerKeys(), self == Side.RECEIVER ? hello : answer);
    } catch (ProtocolException e) {
      throw Failure.of(e.exitCode(), peer, e.getMessage()).because(e);
    } catch (IOException e) {
      // Who asks for another connection of a session knows that somebody was there.
      if (e instanceof EOFException && !timeout.ranOut() && !isZcp && connection == 0) {
        String plain = carrier.isEncrypted() ? " that takes TLS, without --plain" : "";
        throw Failure.of(ExitCode.PROTOCOL, peer, "the peer closed the connection at once")
            .with("is it a zcp " + self.other() + plain + "?")
            .because(e);
      }
      throw network(e);
    }
  }

  /// Over TLS a right key proves nothing if somebody in the middle has ended the one TLS and begun
  /// another.
  private Failure anotherKey() {
    String what = "the " + self.other() + " has another key";
    String between = carrier.isEncrypted() ? ", or somebody between intercepts the connection" : "";
    return Failure.of(ExitCode.AUTHENTICATION, peer, what + between);
  }

  /// Says what becomes of a connection whose dialler has proved the key.
  @FunctionalInterface
  public interface Decision {

    /// @return ACCEPTED, BUSY or NO_SESSION
    /// @throws IOException if the connection is to break: its dialler tries again
    Welcome decide(Bytes sessionId, int connection) throws IOException;
  }

  /// The listener's part. It proves the key first, to anybody: what it shows is the HMAC of 128
  /// random bits at least, and says nothing about them.
  ///
  /// @throws Failure AUTHENTICATION if the dialler has another key, PROTOCOL if it is none, NETWORK
  ///   if it falls silent, EXISTS if it was told to wait
  public Joined asListener(Key key, Decision decision) throws Failure {
    timeout.hurry(deadlineNs);
    try {
      byte[] binding = carrier.establish();
      byte[] theirs = readHello();
      Hello hello = Hello.decode(ByteBuffer.wrap(theirs));
      Hello answer = saying(hello.answer(self, nonce()));
      byte[] mine = answer.encode();
      Handshake handshake =
          new Handshake(key, self.other().toString(), theirs, self.toString(), mine, binding);
      write(mine, handshake.listenerProof());
      requireSupported(hello);
      if (!handshake.isDiallerProof(read(Handshake.PROOF_BYTES))) {
        write(Welcome.BAD_KEY.encode());
        throw anotherKey();
      }
      Welcome welcome = decision.decide(hello.sessionId(), hello.connection());
      write(welcome.encode());
      if (welcome != Welcome.ACCEPTED) {
        swallowTheRest();
        throw Failure.of(
            ExitCode.EXISTS, peer, "turned away: " + whyNot(welcome, hello.connection()));
      }
      return new Joined(handshake.listenerKeys(), self == Side.RECEIVER ? answer : hello);
    } catch (ProtocolException e) {
      throw Failure.of(ExitCode.PROTOCOL, peer, e.getMessage()).because(e);
    } catch (IOException e) {
      throw network(e);
    }
  }

  /// Only the first connection of a session may find another one in its place.
  private String whyNot(Welcome welcome, int connection) {
    if (welcome != Welcome.BUSY) {
      return "its session is over";
    }
    return connection == 0
        ? "another " + self.other() + " is being served"
        : "its session may have no more connections";
  }

  /// The dialler sends its first frames behind its proof. If they came to a closed socket it would
  /// be told of a reset, and not why it was turned away.
  private void swallowTheRest() {
    timeout.hurry(TURNED_AWAY_NS);
    try {
      carrier.endOutput();
      ByteBuffer waste = ByteBuffer.allocate(STRANGE_BYTES_MAX);
      while (carrier.source().read(waste.clear(), 0) >= 0) {
        // What arrives now belongs to no session.
      }
    } catch (IOException e) {
      // The time is up, or the dialler has gone.
    }
  }

  private static Bytes nonce() {
    return Bytes.of(Randomness.bytes(Hello.NONCE_BYTES));
  }

  private Hello saying(Hello hello) {
    boolean takesCompressed = self == Side.RECEIVER && Compression.isSupported();
    Hello said = takesCompressed ? hello.takingCompressed() : hello;
    said = said.having(terms.room().get());
    return terms.discards() ? said.discarding() : said;
  }

  private void requireSupported(Hello hello) throws ProtocolException, IOException {
    try {
      hello.requireSupported(self);
      if (self == Side.RECEIVER && hello.isDiscarding() && !terms.discards()) {
        throw new ProtocolException("the sender wants a receiver that discards what it gets");
      }
    } catch (ProtocolException e) {
      write(Welcome.UNSUPPORTED.encode());
      throw e;
    }
  }

  private Failure network(IOException e) {
    String what =
        timeout.ranOut()
            ? "the peer said nothing that zcp would say within " + new Elapsed(deadlineNs)
            : e instanceof EOFException
                ? "the peer closed the connection before it proved the key"
                : Reasons.of(e);
    return Failure.of(ExitCode.NETWORK, peer, what).because(e);
  }

  private void write(byte[]... all) throws IOException {
    ByteBuffer[] buffers = new ByteBuffer[all.length];
    for (int i = 0; i < all.length; i++) {
      buffers[i] = ByteBuffer.wrap(all[i]);
    }
    carrier.writeAll(buffers);
  }

  /// Reads a hello and gives up at the first byte that shows it is none: a peer of another kind may
  /// have no more to say.
  private byte[] readHello() throws IOException, ProtocolException {
    ByteBuffer bytes = ByteBuffer.allocate(Hello.BYTES);
    while (bytes.hasRemaining()) {
      boolean ended = carrier.source().read(bytes, 0) < 0;
      try {
        Hello.checkMagic(bytes.duplicate().flip());
      } catch (ProtocolException e) {
        if (!bytes.hasRemaining()) {
          endAfterMore();
        }
        throw e;
      }
      if (ended) {
        throw new EOFException("the peer closed the connection");
      }
    }
    return bytes.array();
  }

  /// There may be more. Unread it would be a reset, and no end that tells the peer anything.
  private void endAfterMore() {
    timeout.hurry(STRANGE_NS);
    try {
      carrier.endOutput();
      carrier.source().read(ByteBuffer.allocate(STRANGE_BYTES_MAX), 0);
    } catch (IOException e) {
      // There is no more.
    }
  }

  private byte[] read(int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (carrier.source().read(bytes, 0) < 0) {
        throw new EOFException("the peer closed the connection");
      }
    }
    return bytes.array();
  }
}
