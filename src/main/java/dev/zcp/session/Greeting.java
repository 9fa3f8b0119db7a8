package dev.zcp.session;

import dev.zcp.carrier.Carrier;
import dev.zcp.carrier.PeerTimeout;
import dev.zcp.core.Crc32c;
import dev.zcp.core.Elapsed;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.Nonce;
import dev.zcp.secure.SessionKeys;
import dev.zcp.tree.Reasons;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Octets;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// The handshake: two hellos, two proofs. All of it happens within one deadline and a few hundred
/// bytes, since nobody knows yet who is at the other end.
public final class Greeting {

  private final Carrier carrier;
  private final String peer;
  private final PeerTimeout timeout;
  private final boolean discard;
  private final long deadlineNs;

  /// One that may take as long as any.
  public Greeting(Carrier carrier, String peer, PeerTimeout timeout, boolean discard) {
    this(carrier, peer, timeout, discard, Limits.HANDSHAKE_DEADLINE_NS);
  }

  /// @param peer the other end, for messages
  /// @param discard of a receiver, whether it throws away what it takes; of a sender, whether it
  ///   goes on only with such a receiver
  /// @param deadlineNs until both must have proved the key; from [Limits#HANDSHAKE_DEADLINE_NS] on
  ///   that
  public Greeting(
      Carrier carrier, String peer, PeerTimeout timeout, boolean discard, long deadlineNs) {
    this.deadlineNs = Math.min(deadlineNs, Limits.HANDSHAKE_DEADLINE_NS);
    this.carrier = carrier;
    this.peer = peer;
    this.timeout = timeout;
    this.discard = discard;
  }

  /// Loads the randomness and the digests that a handshake and what follows take, on a thread of
  /// its own: some 20 ms that a cold process can spend while it looks at files and connects.
  public static void prepare() {
    Thread thread = new Thread(Greeting::rehearse, "zcp-prepare");
    thread.setDaemon(true);
    thread.start();
  }

  private static void rehearse() {
    new Handshake(Key.random(), Nonce.random(), Nonce.random()).senderProof();
    // Its tables are made with the first of them.
    Crc32c.of(ByteBuffer.allocate(0));
  }

  /// What a sender knows of its receiver once both have proved the key.
  ///
  /// @param keys of this connection; null if the receiver has no such session (any more), so that
  ///   the sender must begin a new one
  /// @param discards whether the receiver throws away what it takes
  public record Receiving(SessionKeys keys, boolean discards) {

    public boolean isJoined() {
      return keys != null;
    }
  }

  /// Finds the key that a receiver has.
  @FunctionalInterface
  public interface KeyFinder {

    /// @throws Failure if there is none
    Key find() throws Failure;
  }

  /// The sender's part.
  ///
  /// @param finder asked once the receiver has said hello, and not before: one that was just
  ///   started takes connections a moment before it leaves its key, and speaks after that
  /// @param sessionId of [Hello#SESSION_ID_BYTES] random bytes, the same for each connection of a
  ///   session
  /// @param connection its number in the session, 0 to 65535, never used before
  /// @throws Failure AUTHENTICATION if the receiver has another key, PROTOCOL if it is none or not
  ///   what was asked for, NETWORK if it falls silent, EXISTS if it serves somebody else
  public Receiving asSender(KeyFinder finder, Octets sessionId, int connection) throws Failure {
    timeout.hurry(deadlineNs);
    try {
      Hello hello = saying(Hello.ofSender(sessionId, connection, Octets.of(Nonce.random())));
      byte[] mine = hello.encode();
      write(mine);
      byte[] theirs = readHello();
      Hello answer = Hello.decode(ByteBuffer.wrap(theirs), Side.RECEIVER);
      hello.requireAnswer(answer);
      if (discard && !answer.isDiscarding()) {
        throw Failure.of(ExitCode.PROTOCOL, peer, "the receiver would keep what it gets")
            .with("nothing was sent; start it with --discard");
      }
      Handshake handshake = new Handshake(finder.find(), mine, theirs);
      write(handshake.senderProof());
      Welcome welcome = Welcome.decode(ByteBuffer.wrap(read(Welcome.BYTES)));
      return switch (welcome.status()) {
        case ACCEPTED -> {
          if (!handshake.isReceiverProof(welcome.proof().bytes())) {
            throw Failure.of(ExitCode.AUTHENTICATION, peer, "the receiver does not know the key");
          }
          // Only now is the answer known to be the receiver's: its proof is over it.
          yield new Receiving(handshake.sessionKeys(), answer.isDiscarding());
        }
        case BAD_KEY ->
            throw Failure.of(ExitCode.AUTHENTICATION, peer, "the receiver has another key")
                .with("send to the URL that it printed");
        case BUSY -> throw Failure.of(ExitCode.EXISTS, peer, "the receiver serves another sender");
        case NO_SESSION -> new Receiving(null, answer.isDiscarding());
        case UNSUPPORTED ->
            throw Failure.of(ExitCode.PROTOCOL, peer, "the receiver is of another version");
      };
    } catch (ProtocolException e) {
      throw Failure.of(ExitCode.PROTOCOL, peer, e.getMessage()).because(e);
    } catch (IOException e) {
      // Who asks for another connection of a session knows that a receiver was there.
      if (e instanceof EOFException && !timeout.ranOut() && connection == 0) {
        throw Failure.of(ExitCode.PROTOCOL, peer, "the peer closed the connection at once")
            .with("is it a zcp receiver?")
            .because(e);
      }
      throw network(e);
    }
  }

  /// Says what becomes of a connection whose sender has proved the key.
  @FunctionalInterface
  public interface Decision {

    /// @return ACCEPTED, BUSY or NO_SESSION
    Welcome.Status decide(Octets sessionId, int connection);
  }

  /// What a receiver knows of its sender once both have proved the key.
  public record Joined(SessionKeys keys, Octets sessionId, int connection) {}

  /// The receiver's part.
  ///
  /// @throws Failure AUTHENTICATION if the sender has another key, PROTOCOL if it is none, NETWORK
  ///   if it falls silent, EXISTS if it was told to wait
  public Joined asReceiver(Key key, Decision decision) throws Failure {
    timeout.hurry(deadlineNs);
    try {
      byte[] theirs = readHello();
      Hello hello = Hello.decode(ByteBuffer.wrap(theirs), Side.SENDER);
      byte[] mine = saying(hello.answer(Octets.of(Nonce.random()))).encode();
      write(mine);
      requireSupported(hello);
      Handshake handshake = new Handshake(key, theirs, mine);
      if (!handshake.isSenderProof(read(Handshake.PROOF_BYTES))) {
        write(Welcome.refused(Welcome.Status.BAD_KEY).encode());
        throw Failure.of(ExitCode.AUTHENTICATION, peer, "the sender has another key");
      }
      Welcome.Status status = decision.decide(hello.sessionId(), hello.connection());
      if (status != Welcome.Status.ACCEPTED) {
        write(Welcome.refused(status).encode());
        throw Failure.of(
            ExitCode.EXISTS,
            peer,
            status == Welcome.Status.BUSY
                ? "turned away: another sender is being served"
                : "turned away: its session is over");
      }
      write(Welcome.accepted(Octets.of(handshake.receiverProof())).encode());
      return new Joined(handshake.sessionKeys(), hello.sessionId(), hello.connection());
    } catch (ProtocolException e) {
      throw Failure.of(ExitCode.PROTOCOL, peer, e.getMessage()).because(e);
    } catch (IOException e) {
      throw network(e);
    }
  }

  private Hello saying(Hello hello) {
    return discard ? hello.discarding() : hello;
  }

  private void requireSupported(Hello hello) throws ProtocolException, IOException {
    try {
      hello.requireSupported();
      if (hello.isDiscarding() && !discard) {
        throw new ProtocolException("the sender wants a receiver that discards what it gets");
      }
    } catch (ProtocolException e) {
      write(Welcome.refused(Welcome.Status.UNSUPPORTED).encode());
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

  private void write(byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      carrier.write(rest);
    }
  }

  /// Reads a hello and gives up at the first byte that shows it is none: a peer of another kind may
  /// have no more to say.
  private byte[] readHello() throws IOException, ProtocolException {
    ByteBuffer bytes = ByteBuffer.allocate(Hello.BYTES);
    while (bytes.hasRemaining()) {
      boolean ended = carrier.source().read(bytes, 0) < 0;
      Hello.checkMagic(bytes.duplicate().flip());
      if (ended) {
        throw new EOFException("the peer closed the connection");
      }
    }
    return bytes.array();
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
