package dev.zcp.session.send;

import dev.zcp.carrier.Carrier;
import dev.zcp.secure.FrameMac;
import dev.zcp.secure.Handshake;
import dev.zcp.secure.Key;
import dev.zcp.secure.SessionKeys;
import dev.zcp.testing.PairedCarrier;
import dev.zcp.wire.Data;
import dev.zcp.wire.Frame;
import dev.zcp.wire.FrameReader;
import dev.zcp.wire.Header;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Part;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Side;
import dev.zcp.wire.Welcome;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/// Somebody between the two ends of a connection who passes on what they say frame by frame, and
/// meddles with some of it, as a seed decides. One that has the key seals each frame anew, so that
/// the ends take what it says for the other's.
final class Meddler {

  /// What happens to a frame, to the bytes after it, or to what follows.
  enum Deed {
    FLIP_PAYLOAD,
    FLIP_HEADER,
    FLIP_RAW,
    CUT_PAYLOAD,
    CUT_RAW,
    INSERT_BYTES,
    DROP,
    REPEAT,
    REPEAT_AN_EARLIER_ONE,
    SWAP_WITH_THE_NEXT,
    HANG_UP
  }

  /// A conversation of the test's tree has about so many in each direction.
  private static final int FRAMES_TYPICAL = 7;

  private static final int TIMES_MAX = 5;

  private final Random random;
  private final Key key;
  private final PairedCarrier fromSender;
  private final PairedCarrier toReceiver;
  private final boolean seals;
  private final Side meddledWith;
  private final int firstFrame;

  /// Guarded by this, as the deeds are: mostly the thread of one direction does them all.
  private int timesLeft;

  private final List<String> deeds = new ArrayList<>();
  private final CompletableFuture<byte[]> senderHello = new CompletableFuture<>();
  private final CompletableFuture<byte[]> receiverHello = new CompletableFuture<>();
  private final CompletableFuture<Void> welcomed = new CompletableFuture<>();

  /// @param key of the session
  Meddler(Random random, Key key, PairedCarrier fromSender, PairedCarrier toReceiver) {
    this.random = random;
    this.key = key;
    this.fromSender = fromSender;
    this.toReceiver = toReceiver;
    this.seals = random.nextInt(3) != 0;
    this.meddledWith = random.nextInt(3) == 0 ? Side.RECEIVER : Side.SENDER;
    this.firstFrame = random.nextInt(FRAMES_TYPICAL);
    this.timesLeft = 1 + random.nextInt(TIMES_MAX);
  }

  void start() {
    begin(Side.SENDER);
    begin(Side.RECEIVER);
  }

  /// What it did, in words.
  synchronized String deeds() {
    return (seals ? "with the key, " : "without the key, ") + deeds;
  }

  synchronized int count() {
    return deeds.size();
  }

  /// Whether it can have told an end what the other one did not say.
  boolean hasKey() {
    return seals;
  }

  private void begin(Side speaker) {
    Thread thread = new Thread(() -> pass(speaker), "meddler-" + speaker);
    thread.setDaemon(true);
    thread.start();
  }

  private void pass(Side speaker) {
    boolean isSender = speaker == Side.SENDER;
    try {
      new Way(speaker, isSender ? fromSender : toReceiver, isSender ? toReceiver : fromSender)
          .pass();
    } catch (IOException | ProtocolException | CancellationException e) {
      // The end of the connection, or of its other direction; or, without the key, nobody can tell
      // where the next frame is.
    } finally {
      senderHello.cancel(false);
      receiverHello.cancel(false);
      welcomed.cancel(false);
      fromSender.cut();
      toReceiver.cut();
    }
  }

  /// A frame as it goes over the wire, with the raw bytes after it.
  private record Said(byte[] headerAndPayload, byte[] mac, byte[] raw) {

    Said with(byte[] other) {
      return new Said(other, mac, raw);
    }

    Said withRaw(byte[] other) {
      return new Said(headerAndPayload, mac, other);
    }
  }

  /// One direction.
  private final class Way {

    private final Side speaker;
    private final Carrier from;
    private final Carrier to;
    private final FrameReader reader = new FrameReader((_, _, _) -> true);
    private final List<Said> before = new ArrayList<>();
    private FrameMac mac;
    private long sealed;
    private int frames;

    Way(Side speaker, Carrier from, Carrier to) {
      this.speaker = speaker;
      this.from = from;
      this.to = to;
    }

    void pass() throws IOException, ProtocolException {
      CompletableFuture<byte[]> own = speaker == Side.SENDER ? senderHello : receiverHello;
      byte[] hello = read(Hello.BYTES);
      own.complete(hello);
      write(hello);
      write(read(Limits.PROOF_BYTES));
      Handshake handshake =
          new Handshake(
              key, "sender", senderHello.join(), "receiver", receiverHello.join(), new byte[0]);
      if (speaker == Side.RECEIVER) {
        write(read(Welcome.BYTES));
        welcomed.complete(null);
      } else {
        // A sender's frames come before that. Without it the receiver has no session, and waits for
        // another sender.
        welcomed.join();
      }
      SessionKeys keys =
          speaker == Side.SENDER ? handshake.diallerKeys() : handshake.listenerKeys();
      mac = keys.own();
      while (true) {
        Said next = next();
        if (isTime()) {
          meddle(next);
        } else {
          say(next);
        }
        frames++;
      }
    }

    private Said next() throws IOException, ProtocolException {
      byte[] head = read(Limits.HEADER_BYTES);
      Header header = Header.decode(ByteBuffer.wrap(head));
      byte[] rest = read(header.restBytes());
      Frame frame = reader.frame(header, ByteBuffer.wrap(rest));
      long rawBytes = 0;
      if (frame instanceof Data data) {
        rawBytes = data.isHole() ? 0 : data.block().length();
      } else if (frame instanceof Part part) {
        rawBytes = part.rawBytes();
      }
      int payloadBytes = rest.length - Limits.MAC_BYTES;
      ByteBuffer both = ByteBuffer.allocate(head.length + payloadBytes);
      both.put(head).put(rest, 0, payloadBytes);
      byte[] seal = new byte[Limits.MAC_BYTES];
      System.arraycopy(rest, payloadBytes, seal, 0, seal.length);
      Said said = new Said(both.array(), seal, read((int) rawBytes));
      before.add(said);
      return said;
    }

    private boolean isTime() {
      synchronized (Meddler.this) {
        boolean isNow =
            speaker == meddledWith
                && timesLeft > 0
                && frames >= firstFrame
                && (frames == firstFrame || random.nextBoolean());
        timesLeft -= isNow ? 1 : 0;
        return isNow;
      }
    }

    private void meddle(Said said) throws IOException, ProtocolException {
      Deed deed;
      synchronized (Meddler.this) {
        deed = Deed.values()[random.nextInt(Deed.values().length)];
        deeds.add(deed + " of the " + speaker + "'s frame " + frames + type(said));
      }
      switch (deed) {
        case FLIP_PAYLOAD -> say(said.with(flipped(said.headerAndPayload(), Limits.HEADER_BYTES)));
        case FLIP_HEADER -> {
          byte[] head = said.headerAndPayload().clone();
          head[random.nextInt(Limits.HEADER_BYTES)] = edge();
          say(said.with(head));
        }
        case FLIP_RAW -> say(said.withRaw(flipped(said.raw(), 0)));
        case CUT_PAYLOAD -> say(said.with(cut(said.headerAndPayload())));
        case CUT_RAW -> say(said.withRaw(first(said.raw(), random.nextInt(said.raw().length + 1))));
        case INSERT_BYTES -> {
          byte[] more = new byte[1 + random.nextInt(64)];
          random.nextBytes(more);
          write(more);
          say(said);
        }
        case DROP -> {}
        case REPEAT -> {
          say(said);
          say(said);
        }
        case REPEAT_AN_EARLIER_ONE -> {
          say(before.get(random.nextInt(before.size())));
          say(said);
        }
        case SWAP_WITH_THE_NEXT -> {
          say(next());
          say(said);
        }
        case HANG_UP -> {
          write(first(said.headerAndPayload(), random.nextInt(said.headerAndPayload().length)));
          throw new EOFException("as the deed says");
        }
      }
    }

    private String type(Said said) {
      return ", of type " + said.headerAndPayload()[0];
    }

    /// Some bytes from `start` on are others.
    private byte[] flipped(byte[] bytes, int start) {
      byte[] bent = bytes.clone();
      for (int flips = 1 + random.nextInt(3); flips > 0 && bent.length > start; flips--) {
        int at = start + random.nextInt(bent.length - start);
        bent[at] = random.nextBoolean() ? edge() : (byte) (bent[at] ^ 1 << random.nextInt(8));
      }
      return bent;
    }

    /// A shorter payload, and a header that says so.
    private byte[] cut(byte[] bytes) {
      int length = bytes.length - Limits.HEADER_BYTES;
      byte[] cut = first(bytes, Limits.HEADER_BYTES + (length == 0 ? 0 : random.nextInt(length)));
      if (length > 0) {
        ByteBuffer.wrap(cut)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(4, cut.length - Limits.HEADER_BYTES);
      }
      return cut;
    }

    private byte[] first(byte[] bytes, int count) {
      byte[] first = new byte[count];
      System.arraycopy(bytes, 0, first, 0, count);
      return first;
    }

    private byte edge() {
      return new byte[] {0, 1, 2, 0x7f, (byte) 0x80, (byte) 0xff, '/', '.'}[random.nextInt(8)];
    }

    private void say(Said said) throws IOException {
      byte[] seal = said.mac();
      if (seals) {
        ByteBuffer anew = ByteBuffer.allocate(Limits.MAC_BYTES);
        mac.sign(sealed++, ByteBuffer.wrap(said.headerAndPayload()), anew);
        seal = anew.array();
      }
      write(said.headerAndPayload());
      write(seal);
      write(said.raw());
    }

    private byte[] read(int count) throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate(count);
      while (bytes.hasRemaining()) {
        if (from.source().read(bytes, 0) < 0) {
          throw new EOFException("the " + speaker + " is gone");
        }
      }
      return bytes.array();
    }

    private void write(byte[] bytes) throws IOException {
      for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
        to.write(left);
      }
    }
  }
}
