package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Name;
import dev.zcp.core.Span;
import java.nio.ByteBuffer;

/// What stands between the header and the MAC of a control frame, both ways. Every buffer here is
/// little-endian.
///
/// Whoever reads may trust the payload's length, since a [Header] bounds it for its type; all else
/// is checked by the frame that it becomes, or here.
final class Payload {

  private Payload() {}

  /// Writes the header of `frame`, and its payload where it has one.
  static void put(Frame frame, ByteBuffer out) {
    switch (frame.type()) {
      case META -> put((Meta) frame, out);
      case DATA -> put((Data) frame, out);
      case TRAILER -> put((Trailer) frame, out);
      case ACK -> put((Ack) frame, out);
      case NACK -> put((Nack) frame, out);
      case DONE -> put((Done) frame, out);
      case BEAT -> put((Beat) frame, out);
    }
  }

  /// Reads `payload`, which has exactly [Header#length] bytes.
  ///
  /// @throws IllegalArgumentException with the reason, where they are no payload of this type
  static Frame parse(Header header, ByteBuffer payload) {
    return switch (header.type()) {
      case META -> meta(header, payload);
      case DATA -> throw new IllegalStateException("DATA is no control frame");
      case TRAILER -> trailer(header, payload);
      case ACK -> new Ack(header.fileId(), payload.getLong(), header.has(Ack.PUBLISHED));
      case NACK -> new Nack(header.fileId(), exitCode(payload), Text.decode(payload));
      case DONE -> done(payload);
      case BEAT -> new Beat(payload.getLong());
    };
  }

  private static void put(Meta meta, ByteBuffer out) {
    byte[] name = meta.name().bytes();
    head(FrameType.META, 0, Meta.FIXED_BYTES + name.length, meta.fileId(), 0, out);
    out.putLong(meta.size()).putLong(meta.mtimeSeconds()).putInt(meta.mtimeNanos());
    out.putShort((short) meta.mode()).put(name);
  }

  private static Meta meta(Header header, ByteBuffer in) {
    long size = in.getLong();
    long mtimeSeconds = in.getLong();
    int mtimeNanos = in.getInt();
    int mode = in.getShort() & 0xffff;
    byte[] name = new byte[in.remaining()];
    in.get(name);
    return new Meta(header.fileId(), size, mode, mtimeSeconds, mtimeNanos, Name.of(name));
  }

  private static void put(Data data, ByteBuffer out) {
    Span block = data.block();
    head(FrameType.DATA, 0, (int) block.length(), data.fileId(), block.offset(), out);
  }

  private static void put(Trailer trailer, ByteBuffer out) {
    Span block = trailer.block();
    int flags = trailer.last() ? Trailer.LAST : 0;
    head(FrameType.TRAILER, flags, Trailer.PAYLOAD_BYTES, trailer.fileId(), block.offset(), out);
    out.putInt((int) block.length()).putInt((int) trailer.validBytes());
    out.put((byte) trailer.status().code()).put((byte) trailer.digest().algorithm().code());
    byte[] digest = trailer.digest().value().bytes();
    out.putShort((short) 0).putInt(0).put(digest);
    out.put(new byte[Limits.DIGEST_BYTES_MAX - digest.length]);
  }

  private static Trailer trailer(Header header, ByteBuffer in) {
    Span block = new Span(header.offset(), Integer.toUnsignedLong(in.getInt()));
    long validBytes = Integer.toUnsignedLong(in.getInt());
    Trailer.Status status = Trailer.Status.ofCode(in.get() & 0xff);
    Digest.Algorithm algorithm = Digest.Algorithm.ofCode(in.get() & 0xff);
    requireZero(in, 6);
    byte[] digest = new byte[algorithm.bytes()];
    in.get(digest);
    requireZero(in, in.remaining());
    boolean last = header.has(Trailer.LAST);
    return new Trailer(
        header.fileId(), block, last, status, validBytes, new Digest(algorithm, Octets.of(digest)));
  }

  private static void put(Ack ack, ByteBuffer out) {
    int flags = ack.published() ? Ack.PUBLISHED : 0;
    head(FrameType.ACK, flags, Ack.PAYLOAD_BYTES, ack.fileId(), 0, out);
    out.putLong(ack.size());
  }

  private static void put(Nack nack, ByteBuffer out) {
    byte[] text = Text.bytes(nack.text());
    head(FrameType.NACK, 0, Nack.FIXED_BYTES + text.length, nack.fileId(), 0, out);
    out.put((byte) nack.exitCode().number()).put(text);
  }

  private static void put(Beat beat, ByteBuffer out) {
    head(FrameType.BEAT, 0, Beat.PAYLOAD_BYTES, 0, 0, out);
    out.putLong(beat.blockBytes());
  }

  private static void put(Done done, ByteBuffer out) {
    byte[] text = Text.bytes(done.text());
    head(FrameType.DONE, 0, Done.FIXED_BYTES + text.length, 0, 0, out);
    out.putLong(done.files()).putLong(done.bytes());
    out.put((byte) done.exitCode().number()).put(text);
  }

  private static Done done(ByteBuffer in) {
    long files = in.getLong();
    long bytes = in.getLong();
    return new Done(exitCode(in), files, bytes, Text.decode(in));
  }

  private static ExitCode exitCode(ByteBuffer in) {
    return ExitCode.ofNumber(in.get() & 0xff);
  }

  private static void head(
      FrameType type, int flags, int length, long fileId, long offset, ByteBuffer out) {
    new Header(type, flags, length, fileId, offset).put(out);
  }

  private static void requireZero(ByteBuffer in, int count) {
    for (int i = 0; i < count; i++) {
      if (in.get() != 0) {
        throw new IllegalArgumentException("reserved bits are set");
      }
    }
  }
}
