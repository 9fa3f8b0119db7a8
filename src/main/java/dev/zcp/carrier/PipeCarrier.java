package dev.zcp.carrier;

import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.linux.Libc;
import dev.zcp.linux.StandardStreams;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/// Two pipes, one for each direction: at one end those of an ssh that this process has started, at
/// the other its own standard streams.
///
/// Nothing frees a thread from a read(2) on a pipe but the end of whoever has the other end. So
/// [#cut] asks the [PipeLife] to end that.
public final class PipeCarrier implements Carrier {

  /// What a pipe of Linux holds if nobody asks for another size: pipe(7).
  private static final int PIPE_BYTES = 64 << 10;

  /// Who is at the other end of the pipes, or knows when they are to end.
  public interface PipeLife {

    /// Ends whoever has the other ends of the pipes. Must not wait.
    void cut();

    /// No thread reads or writes any more, and the pipes are closed.
    void closed();
  }

  private final StandardStreams streams;
  private final Source in;
  private final Sink out;
  private final String peer;
  private final PipeLife life;
  private final String encryptedBy;
  private volatile boolean outputEnded;

  /// @param peer the other end, as messages name it
  /// @param isSsh whether an ssh has the other ends of the pipes
  public PipeCarrier(StandardStreams streams, String peer, PipeLife life, boolean isSsh)
      throws IOException {
    this.streams = streams;
    this.in = streams.source();
    this.out = streams.sink();
    this.peer = peer;
    this.life = life;
    this.encryptedBy = isSsh ? "ssh" : "";
  }

  @Override
  public String encryptedBy() {
    return encryptedBy;
  }

  @Override
  public Source source() {
    return in;
  }

  @Override
  public Sink sink() {
    return out;
  }

  @Override
  public void write(ByteBuffer... bytes) throws IOException {
    for (ByteBuffer each : bytes) {
      if (each.hasRemaining()) {
        write(each);
        return;
      }
    }
  }

  private void write(ByteBuffer bytes) throws IOException {
    try {
      out.write(bytes, 0);
    } catch (IOException e) {
      // "Broken pipe" says nothing to a user who has made none.
      throw new IOException("ssh, or the zcp that it started, has ended", e);
    }
  }

  @Override
  public boolean isWritable() {
    int descriptor = outputEnded ? -1 : out.descriptor();
    return descriptor >= 0 && Libc.pollOut(descriptor) > 0;
  }

  @Override
  public boolean isReadable() {
    int descriptor = in.descriptor();
    return descriptor >= 0 && Libc.pollIn(descriptor) > 0;
  }

  /// ssh protects the bytes from everybody on the way.
  @Override
  public boolean isLocal() {
    return true;
  }

  /// Whoever ends ssh ends the end that it started, and so the session.
  @Override
  public boolean isControl() {
    return true;
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public InetAddress address() {
    return null;
  }

  @Override
  public SocketBuffer buffer() {
    return new SocketBuffer("F_SETPIPE_SZ", 0, PIPE_BYTES, "fs.pipe-max-size");
  }

  @Override
  public void endOutput() throws IOException {
    outputEnded = true;
    streams.out().close();
  }

  @Override
  public void cut() {
    life.cut();
  }

  @Override
  public void close() throws IOException {
    outputEnded = true;
    try {
      streams.out().close();
      streams.in().close();
    } finally {
      life.closed();
    }
  }
}
