package dev.zcp.carrier;

import dev.zcp.core.Network;
import dev.zcp.core.Printable;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.secure.Cryptography;
import dev.zcp.secure.Tls;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import dev.zcp.tree.Ends;
import dev.zcp.wire.ProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/// TLS 1.3 over another carrier.
///
/// Of records, as many as fit go out by one write, and come in by one read.
///
/// The engine has locks of its own, so one thread may read while another one writes. The answer to
/// a key update stays in the engine until the next write, which RFC 8446, section 4.6.3, allows: a
/// connection writes a beat each second.
///
/// The end of the carrier below is the end here too, with or without a `close_notify`: whether all
/// was said is for the frames to tell, which are sealed.
public final class TlsCarrier implements Carrier {

  /// What the keys of one direction may protect: AES-GCM is safe up to 2^24.5 full records, which
  /// are 388 GB (RFC 8446, section 5.5). BoringSSL can make new keys, but Conscrypt has no call for
  /// it.
  private static final long KEY_BYTES_MAX = 256L << 30;

  /// How many records go by one call: 128 KiB.
  private static final int RECORDS = 8;

  /// What may come without a byte for the reader, as a handshake and key updates do, besides a part
  /// of what he gets. A peer that has proved nothing can have the engine keep no more than that.
  private static final int IDLE_BYTES_MAX = 64 << 10;

  private static final int IDLE_PART = 16;

  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;

  /// A fatal alert, unexpected_message: RFC 8446, section 6. Whoever knows TLS understands it, and
  /// a peer of zcp whose connection is plain knows it by its first bytes.
  private static final byte[] NO_TLS = {ALERT, 3, 3, 0, 2, 2, 10};

  private static final String BORING_SSL = "OPENSSL_internal:";

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Carrier below;
  private final boolean listens;
  private final long keyBytesMax;
  private final TlsEnd end = new TlsEnd();

  // Null before the handshake. After it the first is the reader's and the writer's, the next two
  // the reader's, and the last the writer's.
  private SSLEngine engine;
  private ByteBuffer encrypted;
  private ByteBuffer decrypted;
  private ByteBuffer outgoing;

  private long idleBytes;
  private long usefulBytes;
  private long writtenBytes;
  private boolean ended;

  /// @param listens whether the peer dialled
  public TlsCarrier(Carrier below, boolean listens) {
    this(below, listens, KEY_BYTES_MAX);
  }

  /// @param keyBytesMax it is [spent][#isSpent] after as many in one direction
  public TlsCarrier(Carrier below, boolean listens, long keyBytesMax) {
    this.below = below;
    this.listens = listens;
    this.keyBytesMax = keyBytesMax;
  }

  @Override
  public byte[] establish() throws IOException, ProtocolException {
    engine = Tls.engine(listens);
    int recordBytes = engine.getSession().getPacketBufferSize();
    encrypted = Cryptography.buffer(RECORDS * recordBytes).limit(0);
    decrypted = Cryptography.buffer(engine.getSession().getApplicationBufferSize()).limit(0);
    outgoing = Cryptography.buffer(RECORDS * recordBytes);
    try {
      shakeHands();
      return Tls.binding(engine);
    } catch (SSLException e) {
      sayAlert();
      throw new ProtocolException("the TLS handshake failed: " + reason(e));
    }
  }

  /// Why a handshake failed, in words; of BoringSSL's messages that is what stands between its own
  /// name and a place in its source.
  public static String reason(SSLException e) {
    String message = String.valueOf(e.getMessage());
    int start = message.indexOf(BORING_SSL);
    int end = message.indexOf(' ', Math.max(start, 0));
    if (start < 0 || end < 0) {
      return Printable.of(message);
    }
    String words = message.substring(start + BORING_SSL.length(), end);
    return Printable.of(words.replace('_', ' ').toLowerCase(Locale.ROOT));
  }

  private void shakeHands() throws IOException, ProtocolException {
    engine.beginHandshake();
    HandshakeStatus status = engine.getHandshakeStatus();
    while (status != HandshakeStatus.FINISHED && status != HandshakeStatus.NOT_HANDSHAKING) {
      status =
          switch (status) {
            case NEED_WRAP -> wrap(NOTHING).getHandshakeStatus();
            case NEED_TASK -> runTasks();
            default -> {
              flush();
              yield hearHandshake();
            }
          };
    }
    flush();
  }

  private HandshakeStatus runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    return engine.getHandshakeStatus();
  }

  private HandshakeStatus hearHandshake() throws IOException, ProtocolException {
    boolean first = usefulBytes == 0 && idleBytes == 0;
    if (first && !encrypted.hasRemaining()) {
      if (!fill()) {
        throw new EOFException("the peer closed the connection before it said anything of TLS");
      }
      requireTls(encrypted.get(encrypted.position()));
    }
    SSLEngineResult result = unwrap(decrypted.clear());
    decrypted.flip();
    if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && !fill()) {
      throw new EOFException("the peer closed the connection during the TLS handshake");
    }
    if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
      throw new SSLHandshakeException("the peer gave it up");
    }
    return result.getHandshakeStatus();
  }

  private void requireTls(byte first) throws IOException, ProtocolException {
    if (first != HANDSHAKE && first != ALERT) {
      below.writeAll(ByteBuffer.wrap(NO_TLS));
      throw new ProtocolException(
          "the peer does not speak TLS, which this end asks for (if it is a zcp, that one has a"
              + " plain address or --plain)");
    }
  }

  private void sayAlert() {
    try {
      engine.wrap(NOTHING, outgoing);
    } catch (SSLException e) {
      // It has said it before.
    }
    try {
      flush();
    } catch (IOException e) {
      // The peer need not hear why.
    }
  }

  @Override
  public Source source() {
    return end;
  }

  @Override
  public Sink sink() {
    return end;
  }

  @Override
  public void write(ByteBuffer... bytes) throws IOException {
    long taken = 0;
    while (taken == 0) {
      while (hasRemaining(bytes) && hasRoom()) {
        taken += wrap(bytes).bytesConsumed();
      }
      if (outgoing.position() == 0) {
        return;
      }
      flush();
    }
  }

  private static boolean hasRemaining(ByteBuffer[] bytes) {
    for (ByteBuffer each : bytes) {
      if (each.hasRemaining()) {
        return true;
      }
    }
    return false;
  }

  private boolean hasRoom() {
    return outgoing.remaining() >= outgoing.capacity() / RECORDS;
  }

  /// Makes at most one record, of these bytes or of what the engine has to say itself.
  private SSLEngineResult wrap(ByteBuffer... bytes) throws IOException {
    if (!hasRoom()) {
      flush();
    }
    SSLEngineResult result = engine.wrap(bytes, outgoing);
    boolean isClosed = result.getStatus() == SSLEngineResult.Status.CLOSED;
    // Of a handshake there may be nothing to say after all.
    if (isClosed || result.bytesProduced() == 0 && bytes[0] != NOTHING) {
      throw new ClosedChannelException();
    }
    writtenBytes += result.bytesConsumed();
    return result;
  }

  private void flush() throws IOException {
    outgoing.flip();
    try {
      below.writeAll(outgoing);
    } finally {
      outgoing.clear();
    }
  }

  private int read(ByteBuffer target) throws IOException {
    while (!decrypted.hasRemaining()) {
      if (ended) {
        return -1;
      }
      int count = readRecords(target);
      if (count > 0) {
        return count;
      }
    }
    int count = Math.min(target.remaining(), decrypted.remaining());
    target.put(decrypted.slice(decrypted.position(), count));
    decrypted.position(decrypted.position() + count);
    return count;
  }

  /// Decrypts what is there, straight into `target` as long as it has room for a whole record, else
  /// one record aside; reads if there is not even one.
  ///
  /// @return how many bytes `target` got
  private int readRecords(ByteBuffer target) throws IOException {
    int before = target.position();
    while (true) {
      boolean aside = target.remaining() < decrypted.capacity();
      if (aside && target.position() > before) {
        return target.position() - before;
      }
      SSLEngineResult result = unwrapRecord(aside ? decrypted.clear() : target);
      if (aside) {
        decrypted.flip();
      }
      switch (result.getStatus()) {
        case OK -> {
          if (decrypted.hasRemaining()) {
            return 0;
          }
        }
        case BUFFER_UNDERFLOW -> {
          if (target.position() > before) {
            return target.position() - before;
          }
          ended = !fill();
          if (ended) {
            return 0;
          }
        }
        default -> {
          ended = true;
          return target.position() - before;
        }
      }
    }
  }

  private SSLEngineResult unwrapRecord(ByteBuffer into) throws IOException {
    try {
      return unwrap(into);
    } catch (SSLException e) {
      // What was changed on the way is of no use, and another connection may do.
      throw new IOException("TLS broke: " + reason(e), e);
    }
  }

  private SSLEngineResult unwrap(ByteBuffer into) throws SSLException {
    SSLEngineResult result = engine.unwrap(encrypted, into);
    if (result.bytesProduced() > 0) {
      usefulBytes += result.bytesProduced();
    } else {
      idleBytes += result.bytesConsumed();
    }
    if (idleBytes > IDLE_BYTES_MAX + usefulBytes / IDLE_PART) {
      throw new SSLException("the peer says too much of TLS and nothing else");
    }
    return result;
  }

  /// Reads more.
  ///
  /// @return false at the end
  private boolean fill() throws IOException {
    encrypted.compact();
    try {
      return below.source().read(encrypted, 0) >= 0;
    } finally {
      encrypted.flip();
    }
  }

  @Override
  public boolean isWritable() {
    return below.isWritable();
  }

  @Override
  public boolean isReadable() {
    return below.isReadable();
  }

  @Override
  public boolean isLocal() {
    return below.isLocal();
  }

  @Override
  public boolean isTamperProof() {
    return true;
  }

  /// To be asked by the end that moves the bytes of files: of the other direction it may not know
  /// the latest.
  @Override
  public boolean isSpent() {
    return Math.max(writtenBytes, usefulBytes) >= keyBytesMax;
  }

  @Override
  public String peer() {
    return below.peer();
  }

  @Override
  public InetAddress address() {
    return below.address();
  }

  @Override
  public SocketBuffer buffer() throws IOException {
    return below.buffer();
  }

  @Override
  public Network network() {
    return below.network();
  }

  /// Without a `close_notify`, after which BoringSSL would write no more at the other end.
  @Override
  public void endOutput() throws IOException {
    below.endOutput();
  }

  @Override
  public void cut() {
    below.cut();
  }

  @Override
  public void breakOff() {
    below.breakOff();
  }

  @Override
  public void close() throws IOException {
    if (engine != null) {
      Tls.free(engine);
    }
    below.close();
  }

  /// Both directions as strategies see them: bytes must be copied.
  private final class TlsEnd implements Source, Sink, ByteChannel {

    @Override
    public Route.Traits traits() {
      return Ends.socket(true);
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      return TlsCarrier.this.read(target);
    }

    @Override
    public int write(ByteBuffer bytes, long offset) throws IOException {
      int before = bytes.position();
      TlsCarrier.this.write(bytes);
      return bytes.position() - before;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      return read(target, 0);
    }

    @Override
    public int write(ByteBuffer bytes) throws IOException {
      return write(bytes, 0);
    }

    @Override
    public ByteChannel channel() {
      return this;
    }

    @Override
    public int descriptor() {
      return -1;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      // What comes after the file's bytes is the protocol's.
    }
  }
}
