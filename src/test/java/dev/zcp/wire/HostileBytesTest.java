package dev.zcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Whatever arrives, a decoder makes a frame of it or throws [ProtocolException], and nothing else.
/// Every MAC fits here, or nothing but the MAC would be tried.
class HostileBytesTest {

  private static final int CASES = 300_000;

  private Random random;

  @BeforeEach
  void seed() {
    long seed = Long.getLong("zcp.seed", System.nanoTime());
    System.out.println("HostileBytesTest seed " + seed + " (repeat with -Dzcp.seed=" + seed + ")");
    random = new Random(seed);
  }

  @Test
  void randomHeadersAreHeadersOrRefused() throws InterruptedException {
    byte[] header = new byte[Limits.HEADER_BYTES];
    int accepted =
        accepted(
            () -> {
              random.nextBytes(header);
              if (random.nextInt(8) != 0) {
                narrow(header);
              }
              Header.decode(ByteBuffer.wrap(header));
            });
    // A test that is refused everything would try nothing behind the first check.
    assertThat(accepted).isGreaterThan(CASES / 100);
  }

  @Test
  void mutatedFramesAreFramesOrRefused() throws InterruptedException {
    List<byte[]> frames = FrameTest.frames().stream().map(Wire::bytes).toList();
    int accepted =
        accepted(
            () -> {
              byte[] frame = frames.get(random.nextInt(frames.size())).clone();
              for (int mutations = 1 + random.nextInt(4); mutations > 0; mutations--) {
                mutate(frame);
              }
              readOrRefuse(frame);
            });
    assertThat(accepted).isGreaterThan(CASES / 20);
  }

  @Test
  void randomPayloadsAreFramesOrRefused() throws InterruptedException {
    List<FrameType> types = new ArrayList<>(EnumSet.complementOf(EnumSet.of(FrameType.DATA)));
    int accepted =
        accepted(
            () -> {
              FrameType type = types.get(random.nextInt(types.size()));
              int spread = Math.min(30, type.lengthMax() - type.lengthMin());
              int length = type.lengthMin() + random.nextInt(spread + 1);
              byte[] rest = new byte[length + Limits.MAC_BYTES];
              random.nextBytes(rest);
              Header header = new Header(type, 0, length, 0, 0);
              new FrameReader(Wire.NO_VERIFIER).frame(header, ByteBuffer.wrap(rest));
            });
    assertThat(accepted).isGreaterThan(CASES / 100);
  }

  @Test
  void randomHandshakesAreHandshakesOrRefused() throws InterruptedException {
    Bytes id = Bytes.of(new byte[Hello.SESSION_ID_BYTES]);
    byte[] hello = Hello.of(Side.SENDER, id, 0, Bytes.of(new byte[Hello.NONCE_BYTES])).encode();
    byte[] welcome = Welcome.BUSY.encode();
    int accepted =
        accepted(
            () -> {
              byte[] bent = (random.nextBoolean() ? hello : welcome).clone();
              bent[random.nextInt(bent.length)] = edge();
              ByteBuffer in = ByteBuffer.wrap(bent);
              if (bent.length == Hello.BYTES) {
                Hello.decode(in).requireSupported(Side.RECEIVER);
              } else {
                Welcome.decode(in);
              }
            });
    assertThat(accepted).isGreaterThan(CASES / 20);
  }

  private interface Case {
    void decode() throws ProtocolException;
  }

  /// How many of [#CASES] cases decoded. They run on a thread of their own for its short stack: to
  /// fill in the traces of refusals takes most of the time else.
  private static int accepted(Case hostile) throws InterruptedException {
    AtomicInteger accepted = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Runnable cases =
        () -> {
          for (int i = 0; i < CASES; i++) {
            try {
              hostile.decode();
              accepted.incrementAndGet();
            } catch (ProtocolException e) {
              if (e.getMessage().isBlank()) {
                throw new AssertionError("refused for no reason", e);
              }
            }
          }
        };
    Thread thread = new Thread(cases, "hostile bytes");
    thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
    thread.start();
    thread.join();
    assertThat(failure.get()).isNull();
    return accepted.get();
  }

  private void mutate(byte[] frame) {
    // Half of them behind the header, where there is something.
    int from = random.nextBoolean() && frame.length > Limits.HEADER_BYTES ? Limits.HEADER_BYTES : 0;
    // And most where the counts are: the rest of a long frame is names and values.
    int to = random.nextInt(4) == 0 ? frame.length : Math.min(frame.length, from + 128);
    int at = from + random.nextInt(to - from);
    frame[at] = random.nextBoolean() ? edge() : (byte) (frame[at] ^ 1 << random.nextInt(8));
  }

  /// A length that grew asks for more bytes than there are; then they are zeros.
  private static void readOrRefuse(byte[] frame) throws ProtocolException {
    ByteBuffer in = ByteBuffer.wrap(frame);
    Header header = Header.decode(in);
    ByteBuffer rest = ByteBuffer.allocate(Math.max(in.remaining(), header.restBytes()));
    rest.put(in).clear();
    new FrameReader(Wire.NO_VERIFIER).frame(header, rest);
  }

  /// Makes a random header one that gets past the first checks often enough.
  private void narrow(byte[] header) {
    header[0] = (byte) random.nextInt(18);
    header[1] &= (byte) random.nextInt(4);
    zero(header, 2, 4);
    if (random.nextBoolean()) {
      header[5] &= 7;
      header[6] = 0;
      header[7] = 0;
    }
    zero(header, 12 - random.nextInt(5), 16);
    zero(header, 16 + random.nextInt(9), 24);
  }

  private static void zero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      bytes[i] = 0;
    }
  }

  private byte edge() {
    return new byte[] {0, 1, 2, 0x7f, (byte) 0x80, (byte) 0xff, '/', '.'}[random.nextInt(8)];
  }
}
