package dev.zcp.testing;

import dev.zcp.carrier.Carrier;
import dev.zcp.insight.Event.Link.SocketBuffer;
import dev.zcp.linux.Libc;
import dev.zcp.spi.Route;
import dev.zcp.spi.Sink;
import dev.zcp.spi.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.Pipe;
import java.util.concurrent.atomic.AtomicInteger;

/// Two pipes, one for each direction, as ssh has them for its standard streams. It counts calls.
public final class PairedCarrier implements Carrier {

  /// What a pipe of Linux holds if nobody asks for another size: pipe(7).
  public static final int PIPE_BYTES = 64 << 10;

  private final Pipe.SourceChannel in;
  private final Pipe.SinkChannel out;
  private final boolean isLocal;
  private final End end = new End();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();

  private PairedCarrier(Pipe.SourceChannel in, Pipe.SinkChannel out, boolean isLocal) {
    this.in = in;
    this.out = out;
    this.isLocal = isLocal;
  }

  /// Both ends of a connection.
  public static PairedCarrier[] pair() throws IOException {
    return pair(true);
  }

  /// @param isLocal what both ends say of it
  public static PairedCarrier[] pair(boolean isLocal) throws IOException {
    Pipe there = Pipe.open();
    Pipe back = Pipe.open();
    return new PairedCarrier[] {
      new PairedCarrier(back.source(), there.sink(), isLocal),
      new PairedCarrier(there.source(), back.sink(), isLocal)
    };
  }

  public int reads() {
    return reads.get();
  }

  public int writes() {
    return writes.get();
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
    writes.incrementAndGet();
    out.write(bytes);
  }

  @Override
  public boolean isWritable() {
    return out.isOpen() && Libc.pollOut(TestEnds.descriptor(out)) > 0;
  }

  @Override
  public boolean isReadable() {
    return in.isOpen() && Libc.pollIn(TestEnds.descriptor(in)) > 0;
  }

  @Override
  public boolean isLocal() {
    return isLocal;
  }

  @Override
  public String peer() {
    return "the other end of two pipes";
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
    out.close();
  }

  /// Java frees whoever reads or writes, and keeps the descriptors until they have left.
  @Override
  public void cut() {
    try {
      out.close();
      in.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    cut();
  }

  private final class End implements Source, Sink, ByteChannel {

    @Override
    public Route.Traits traits() {
      return new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
      reads.incrementAndGet();
      return in.read(target);
    }

    @Override
    public int write(ByteBuffer bytes, long offset) throws IOException {
      return out.write(bytes);
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
      return in.isOpen() && out.isOpen();
    }

    @Override
    public void close() {
      // The carrier closes its pipes.
    }
  }
}
