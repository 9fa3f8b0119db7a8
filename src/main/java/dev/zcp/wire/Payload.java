package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Level;
import dev.zcp.core.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// What stands between the header and the MAC of a frame, both ways; [OfferRecords],
/// [ReplyRecords], [VerdictRecords] and [TimingRecords] have those of the longest. Every buffer
/// here is little-endian.
///
/// Whoever reads may trust the payload's length, since a [Header] bounds it for its type; all else
/// is checked by the frame that it becomes, or here.
final class Payload {

  private Payload() {}

  static Header header(Frame frame) {
    FrameType type = frame.type();
    return switch (type) {
      case MANIFEST, SHOW, BEAT -> new Header(type, 0, type.lengthMax(), 0, 0);
      case ACCEPT ->
          new Header(
              type, ((Accept) frame).inOrder() ? Accept.IN_ORDER : 0, Accept.PAYLOAD_BYTES, 0, 0);
      case OFFER -> new Header(type, 0, OfferRecords.bytes(((Offer) frame).entries()), 0, 0);
      case REPLY -> new Header(type, 0, ReplyRecords.bytes(((Reply) frame).answers()), 0, 0);
      case WANTS -> new Header(type, 0, ((Wants) frame).payloadBytes(), 0, 0);
      case PART -> {
        Part part = (Part) frame;
        yield new Header(type, part.flags(), part.payloadBytes(), 0, 0);
      }
      case DATA -> {
        Data data = (Data) frame;
        Span block = data.block();
        yield new Header(type, data.flags(), (int) block.length(), data.fileId(), block.offset());
      }
      case TRAILER -> {
        Trailer trailer = (Trailer) frame;
        long offset = trailer.block().offset();
        yield new Header(type, 0, Trailer.PAYLOAD_BYTES, trailer.fileId(), offset);
      }
      case END ->
          new Header(type, 0, EntryEnds.RECORD_BYTES * ((EntryEnds) frame).endings().size(), 0, 0);
      case LOST ->
          new Header(type, 0, Lost.RECORD_BYTES * ((Lost) frame).connections().size(), 0, 0);
      case VERDICTS ->
          new Header(type, 0, VerdictRecords.bytes(((Verdicts) frame).rejections()), 0, 0);
      case SURPLUS -> new Header(type, 0, ((SurplusNames) frame).payloadBytes(), 0, 0);
      case CHUNKS -> {
        Chunks chunks = (Chunks) frame;
        yield new Header(type, chunks.isLast() ? Chunks.LAST : 0, chunks.payloadBytes(), 0, 0);
      }
      case LIMITED -> {
        LimitedBy found = (LimitedBy) frame;
        yield new Header(type, found.isSure() ? LimitedBy.SURE : 0, found.payloadBytes(), 0, 0);
      }
      case DONE -> {
        Done done = (Done) frame;
        int bytes =
            Done.FIXED_BYTES + Text.length(done.text()) + TimingRecords.bytes(done.timings());
        yield new Header(type, flags(done), bytes, 0, 0);
      }
    };
  }

  /// Writes the payload of `frame`; of DATA nothing.
  static void put(Frame frame, ByteBuffer out) {
    switch (frame.type()) {
      case MANIFEST -> put((Manifest) frame, out);
      case ACCEPT -> put((Accept) frame, out);
      case OFFER -> OfferRecords.put(((Offer) frame).entries(), out);
      case REPLY -> ReplyRecords.put(((Reply) frame).answers(), out);
      case WANTS -> ((Wants) frame).put(out);
      case PART -> ((Part) frame).put(out);
      case SHOW -> put((Show) frame, out);
      case DATA -> {}
      case TRAILER -> put((Trailer) frame, out);
      case END -> put((EntryEnds) frame, out);
      case LOST -> ((Lost) frame).connections().forEach(each -> out.putShort(each.shortValue()));
      case VERDICTS -> VerdictRecords.put((Verdicts) frame, out);
      case DONE -> put((Done) frame, out);
      case SURPLUS -> put((SurplusNames) frame, out);
      case CHUNKS -> ((Chunks) frame).put(out);
      case LIMITED -> ((LimitedBy) frame).put(out);
      case BEAT -> out.putLong(((Beat) frame).count());
    }
  }

  /// Reads `payload`, which has exactly [Header#payloadBytes].
  ///
  /// @throws IllegalArgumentException with the reason, if they are no payload of this type
  static Frame parse(Header header, ByteBuffer payload) {
    return switch (header.type()) {
      case MANIFEST -> manifest(payload);
      case ACCEPT -> accept(header, payload);
      case OFFER -> new Offer(OfferRecords.parse(payload));
      case REPLY -> new Reply(ReplyRecords.parse(payload));
      case WANTS -> Wants.parse(payload);
      case PART -> Part.parse(header, payload);
      case SHOW -> show(payload);
      case DATA -> {
        Span block = new Span(header.offset(), header.length());
        yield new Data(header.fileId(), block, header.has(Data.HOLE), header.has(Data.ZSTD));
      }
      case TRAILER -> trailer(header, payload);
      case END -> end(payload);
      case LOST -> lost(payload);
      case VERDICTS -> VerdictRecords.parse(payload);
      case DONE -> done(header, payload);
      case SURPLUS -> surplus(payload);
      case CHUNKS -> Chunks.parse(header.has(Chunks.LAST), payload);
      case LIMITED -> LimitedBy.parse(header.has(LimitedBy.SURE), payload);
      case BEAT -> new Beat(payload.getLong());
    };
  }

  private static void put(Manifest manifest, ByteBuffer out) {
    out.putLong(manifest.entries()).putLong(manifest.bytes()).putLong(manifest.dataBytes());
    put(manifest.level(), manifest.digest(), out);
    int flags = (manifest.dryRun() ? Manifest.DRY_RUN : 0) | (manifest.cuts() ? Manifest.CUTS : 0);
    out.put((byte) manifest.keepExisting().ordinal()).put((byte) flags);
    out.putInt(manifest.keeps());
  }

  private static Manifest manifest(ByteBuffer in) {
    long entries = in.getLong();
    long bytes = in.getLong();
    long dataBytes = in.getLong();
    Level level = take(in, Level.values(), "level");
    Digest.Algorithm digest = digest(in);
    KeepExisting keepExisting = take(in, KeepExisting.ALL_CODES, "wish about what exists");
    int flags = in.get();
    if ((flags & ~(Manifest.DRY_RUN | Manifest.CUTS)) != 0) {
      throw new IllegalArgumentException("unknown flags " + flags);
    }
    boolean dryRun = (flags & Manifest.DRY_RUN) != 0;
    boolean cuts = (flags & Manifest.CUTS) != 0;
    int keeps = in.getInt();
    return new Manifest(
        entries, bytes, dataBytes, level, digest, keepExisting, dryRun, cuts, keeps);
  }

  private static void put(Accept accept, ByteBuffer out) {
    put(accept.level(), accept.digest(), out);
    out.putShort((short) 0);
    out.putInt(accept.keeps());
    out.putInt(accept.connectionsMax()).putInt(accept.filesMax()).putLong(accept.windowBytes());
  }

  private static Accept accept(Header header, ByteBuffer in) {
    Level level = take(in, Level.values(), "level");
    Digest.Algorithm digest = digest(in);
    requireZero(in, 2);
    int keeps = in.getInt();
    int connectionsMax = in.getInt();
    int filesMax = in.getInt();
    boolean inOrder = header.has(Accept.IN_ORDER);
    return new Accept(level, digest, keeps, inOrder, connectionsMax, in.getLong(), filesMax);
  }

  private static void put(Level level, Digest.Algorithm digest, ByteBuffer out) {
    out.put((byte) level.ordinal()).put((byte) digest.ordinal());
  }

  private static Digest.Algorithm digest(ByteBuffer in) {
    return take(in, Digest.Algorithm.ALL, "digest algorithm");
  }

  private static void put(Trailer trailer, ByteBuffer out) {
    out.putInt((int) trailer.block().length());
    out.put((byte) trailer.status().ordinal()).put((byte) trailer.digest().algorithm().ordinal());
    out.putShort((short) 0);
    putPadded(trailer.digest(), out);
  }

  private static Trailer trailer(Header header, ByteBuffer in) {
    Span block = new Span(header.offset(), Integer.toUnsignedLong(in.getInt()));
    Status status = take(in, Status.ALL, "status");
    Digest.Algorithm algorithm = digest(in);
    requireZero(in, 2);
    return new Trailer(header.fileId(), block, status, takePadded(algorithm, in));
  }

  private static void put(Show shown, ByteBuffer out) {
    out.putLong(shown.fileId()).putInt(shown.crc32c());
    out.put((byte) shown.digest().algorithm().ordinal()).put(new byte[3]);
    putPadded(shown.digest(), out);
  }

  private static Show show(ByteBuffer in) {
    long fileId = in.getLong();
    int crc32c = in.getInt();
    Digest.Algorithm algorithm = digest(in);
    requireZero(in, 3);
    return new Show(fileId, crc32c, takePadded(algorithm, in));
  }

  private static void putPadded(Digest digest, ByteBuffer out) {
    digest.value().put(out);
    out.put(new byte[Limits.DIGEST_BYTES_MAX - digest.value().length()]);
  }

  private static Digest takePadded(Digest.Algorithm algorithm, ByteBuffer in) {
    Digest digest = new Digest(algorithm, Bytes.take(in, algorithm.bytes()));
    requireZero(in, in.remaining());
    return digest;
  }

  private static void put(EntryEnds end, ByteBuffer out) {
    for (Ending ending : end.endings()) {
      out.putLong(ending.fileId()).put((byte) ending.status().ordinal());
      out.putLong(ending.size()).putInt(ending.crc32c());
    }
  }

  private static EntryEnds end(ByteBuffer in) {
    int count = records(in, EntryEnds.RECORD_BYTES);
    List<Ending> endings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long fileId = in.getLong();
      Status status = take(in, Status.ALL, "status");
      long size = in.getLong();
      endings.add(new Ending(fileId, status, size, in.getInt()));
    }
    return new EntryEnds(endings);
  }

  private static Lost lost(ByteBuffer in) {
    int count = records(in, Lost.RECORD_BYTES);
    List<Integer> connections = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      connections.add(in.getShort() & 0xffff);
    }
    return new Lost(connections);
  }

  private static void put(SurplusNames surplus, ByteBuffer out) {
    for (Bytes path : surplus.paths()) {
      out.putShort((short) path.length());
      path.put(out);
    }
  }

  private static SurplusNames surplus(ByteBuffer in) {
    List<Bytes> paths = new ArrayList<>();
    while (in.hasRemaining()) {
      Bytes.requireRemaining(in, SurplusNames.HEAD_BYTES);
      paths.add(Bytes.take(in, in.getShort() & 0xffff));
    }
    return new SurplusNames(paths);
  }

  private static void put(Done done, ByteBuffer out) {
    out.putLong(done.entries()).putLong(done.bytes());
    out.putLong(done.tally().losses());
    out.putLong(done.tally().deletions()).putLong(done.tally().corrections());
    out.put((byte) done.exitCode().number()).put((byte) done.level().ordinal());
    done.digest().put(out);
    byte[] text = Text.bytes(done.text());
    out.putShort((short) text.length).put(text);
    TimingRecords.put(done.timings(), out);
  }

  private static int flags(Done done) {
    return (done.isEarly() ? Done.EARLY : 0)
        | (done.lacksNames() ? Done.LACKS_NAMES : 0)
        | (done.tally().losesOwners() ? Done.OWNERS : 0)
        | (done.tally().losesAsUser() ? Done.AS_USER : 0);
  }

  private static Done done(Header header, ByteBuffer in) {
    long entries = in.getLong();
    long bytes = in.getLong();
    long losses = in.getLong();
    long deletions = in.getLong();
    long corrections = in.getLong();
    ExitCode exitCode = ExitCode.ofNumber(in.get() & 0xff);
    Level level = take(in, Level.values(), "level");
    Bytes digest = Bytes.take(in, Limits.TREE_DIGEST_BYTES);
    boolean isEarly = header.has(Done.EARLY);
    boolean losesOwners = header.has(Done.OWNERS);
    boolean losesAsUser = header.has(Done.AS_USER);
    Done.Tally tally = new Done.Tally(losses, losesOwners, losesAsUser, deletions, corrections);
    String text = Text.take(in.getShort() & 0xffff, in);
    Timings timings = TimingRecords.parse(in);
    boolean lacksNames = header.has(Done.LACKS_NAMES);
    return new Done(
        exitCode, entries, bytes, level, digest, text, isEarly, lacksNames, tally, timings);
  }

  /// Takes the code of one of `all`, which is its place among them.
  ///
  /// @throws IllegalArgumentException if none of them has it
  static <E> E take(ByteBuffer in, E[] all, String what) {
    int code = in.get() & 0xff;
    if (code >= all.length) {
      throw new IllegalArgumentException("unknown " + what + " " + code);
    }
    return all[code];
  }

  private static int records(ByteBuffer in, int recordBytes) {
    if (in.remaining() % recordBytes != 0) {
      throw new IllegalArgumentException("half a record");
    }
    return in.remaining() / recordBytes;
  }

  private static void requireZero(ByteBuffer in, int count) {
    for (int i = 0; i < count; i++) {
      if (in.get() != 0) {
        throw new IllegalArgumentException("reserved bits are set");
      }
    }
  }
}
