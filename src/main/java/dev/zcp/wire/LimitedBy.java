package dev.zcp.wire;

import dev.zcp.core.Network;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// What limited the session, as the sender has found it from what both ends measured. The sender
/// says it once, after the receiver's last word; nothing depends on it.
///
/// @param elapsedNs the time of the whole
/// @param isSure whether the first share is surely the limit
/// @param shares of the time, the largest first
/// @param network what the sender's kernel tells of the connections
public record LimitedBy(long elapsedNs, boolean isSure, List<ShareOfTime> shares, Network network)
    implements Frame {

  static final int SURE = 1;

  /// The payload before the shares.
  static final int FIXED_BYTES = 7 * Long.BYTES + 2;

  /// Of a share, beside its word.
  static final int SHARE_BYTES = 3;

  static final int BYTES_MAX =
      FIXED_BYTES + Limits.SHARES_MAX * (SHARE_BYTES + Limits.STAGE_WORD_BYTES_MAX);

  /// More are told as so many.
  private static final int CONNECTIONS_MAX = 0xff;

  public LimitedBy {
    Limits.requireSize(elapsedNs);
    shares = List.copyOf(shares);
    if (shares.size() > Limits.SHARES_MAX) {
      throw new IllegalArgumentException(shares.size() + " shares");
    }
  }

  /// @param word of a stage, or another one that the protocol names. Whoever does not know it
  ///   passes over the frame
  /// @param side null if it is of both ends
  /// @param percent from 0 to 100
  public record ShareOfTime(String word, Side side, int percent) {

    public ShareOfTime {
      Timings.requireWord(word);
      if (percent < 0 || percent > 100) {
        throw new IllegalArgumentException(percent + " percent");
      }
    }
  }

  int payloadBytes() {
    int bytes = FIXED_BYTES;
    for (ShareOfTime share : shares) {
      bytes += SHARE_BYTES + share.word().length();
    }
    return bytes;
  }

  void put(ByteBuffer out) {
    out.putLong(elapsedNs);
    out.putLong(network.busyNs()).putLong(network.windowNs()).putLong(network.bufferNs());
    out.putLong(network.roundTripNs()).putLong(network.leastRoundTripNs());
    out.putLong(network.repeated()).put((byte) Math.min(CONNECTIONS_MAX, network.connections()));
    out.put((byte) shares.size());
    for (ShareOfTime share : shares) {
      TimingRecords.putWord(share.word(), out);
      out.put((byte) (share.side() == null ? 0 : share.side().code()));
      out.put((byte) share.percent());
    }
  }

  /// @throws IllegalArgumentException with the reason, if it is no payload of this frame
  static LimitedBy parse(boolean isSure, ByteBuffer in) {
    long elapsedNs = in.getLong();
    long busyNs = in.getLong();
    long windowNs = in.getLong();
    long bufferNs = in.getLong();
    long roundTripNs = in.getLong();
    long leastRoundTripNs = in.getLong();
    long repeated = in.getLong();
    int connections = in.get() & 0xff;
    int count = in.get() & 0xff;
    List<ShareOfTime> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String word = TimingRecords.takeWord(in);
      Bytes.requireRemaining(in, SHARE_BYTES - 1);
      Side side = side(in.get());
      shares.add(new ShareOfTime(word, side, in.get() & 0xff));
    }
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("bytes behind the shares");
    }
    Network network =
        new Network(
            connections, busyNs, windowNs, bufferNs, roundTripNs, leastRoundTripNs, repeated);
    return new LimitedBy(elapsedNs, isSure, shares, network);
  }

  private static Side side(byte code) {
    return switch (code) {
      case 0 -> null;
      case 1 -> Side.SENDER;
      case 2 -> Side.RECEIVER;
      default -> throw new IllegalArgumentException("unknown side " + (code & 0xff));
    };
  }
}
