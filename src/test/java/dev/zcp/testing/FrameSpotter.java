package dev.zcp.testing;

import dev.zcp.wire.Data;
import dev.zcp.wire.FrameReader;
import dev.zcp.wire.FrameType;
import dev.zcp.wire.Header;
import dev.zcp.wire.Hello;
import dev.zcp.wire.Limits;
import dev.zcp.wire.Part;
import dev.zcp.wire.ProtocolException;
import dev.zcp.wire.Welcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Finds the frames in what one end of a session says on one connection, as it passes by. It checks
/// no seal.
public final class FrameSpotter {

  private final FrameReader reader = new FrameReader((sequence, message, mac) -> true);
  private final ByteBuffer frame = ByteBuffer.allocate(Limits.CONTROL_BYTES_MAX);
  private final List<Long> edges = new ArrayList<>();
  private final Map<FrameType, Integer> counts = new EnumMap<>(FrameType.class);
  private final Map<FrameType, Long> firstRaw = new EnumMap<>(FrameType.class);
  private final Map<FrameType, Long> lastRaw = new EnumMap<>(FrameType.class);

  private long position;

  /// How many bytes come before the next header.
  private long passing;

  /// Null between frames.
  private Header header;

  private boolean lost;

  private FrameSpotter(long greetingBytes) {
    this.passing = greetingBytes;
    frame.limit(Limits.HEADER_BYTES);
  }

  /// Of what a sender that dials says.
  public static FrameSpotter ofSender() {
    return new FrameSpotter(Hello.BYTES + Limits.PROOF_BYTES);
  }

  /// Of what a receiver that listens says.
  public static FrameSpotter ofReceiver() {
    return new FrameSpotter(Hello.BYTES + Limits.PROOF_BYTES + Welcome.BYTES);
  }

  /// Looks at the next bytes.
  public synchronized void see(byte[] bytes, int count) {
    int at = 0;
    while (at < count && !lost) {
      int taken = (int) Math.min(passing, count - at);
      passing -= taken;
      if (taken == 0) {
        taken = Math.min(frame.remaining(), count - at);
        frame.put(bytes, at, taken);
      }
      at += taken;
      position += taken;
      boolean isAtAnEdge = passing == 0 && (frame.position() == 0 || !frame.hasRemaining());
      if (isAtAnEdge) {
        edges.add(position);
      }
      if (!frame.hasRemaining()) {
        parse();
      }
    }
  }

  private void parse() {
    try {
      if (header == null) {
        header = Header.decode(frame.flip());
        frame.limit(Limits.HEADER_BYTES + header.restBytes());
      } else {
        frame.position(Limits.HEADER_BYTES);
        end(
            switch (reader.frame(header, frame)) {
              case Data data -> data.isHole() ? 0 : data.block().length();
              case Part part -> part.rawBytes();
              default -> 0;
            });
      }
    } catch (ProtocolException e) {
      // From here on nobody knows where a frame begins; the ends do not either.
      lost = true;
    }
  }

  private void end(long rawBytes) {
    counts.merge(header.type(), 1, Integer::sum);
    if (rawBytes > 0) {
      firstRaw.putIfAbsent(header.type(), position);
      lastRaw.put(header.type(), position);
    }
    passing = rawBytes;
    header = null;
    frame.clear().limit(Limits.HEADER_BYTES);
  }

  /// Where parts begin: of the greeting's end, of each frame after its header and at its end, and
  /// of raw bytes after theirs.
  public synchronized List<Long> edges() {
    return List.copyOf(edges);
  }

  /// How many frames of a type came by in whole, but for raw bytes after them.
  public synchronized int count(FrameType type) {
    return counts.getOrDefault(type, 0);
  }

  public synchronized int count() {
    return counts.values().stream().mapToInt(each -> each).sum();
  }

  /// Where the raw bytes after the first DATA or PART begin.
  ///
  /// @return -1 where none came by
  public synchronized long firstRaw(FrameType type) {
    return firstRaw.getOrDefault(type, -1L);
  }

  /// As [#firstRaw], after the last.
  public synchronized long lastRaw(FrameType type) {
    return lastRaw.getOrDefault(type, -1L);
  }
}
