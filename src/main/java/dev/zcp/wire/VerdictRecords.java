package dev.zcp.wire;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Span;
import dev.zcp.wire.Rejection.Again;
import dev.zcp.wire.Rejection.Kept;
import dev.zcp.wire.Rejection.Refused;
import dev.zcp.wire.Rejection.Wanted;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The payload of [Verdicts], both ways: the units, then one [Rejection] after the other.
final class VerdictRecords {

  /// Before the records.
  static final int UNITS_BYTES = 4;

  private static final int REFUSED = 0;
  private static final int AGAIN = 1;
  private static final int KEPT = 2;
  private static final int WANTED = 3;

  /// File id and kind.
  private static final int HEAD_BYTES = 9;

  /// With exit code and length, before the text.
  private static final int REFUSED_BYTES = HEAD_BYTES + 3;

  private static final int AGAIN_BYTES = HEAD_BYTES + 16;

  private VerdictRecords() {}

  static int bytes(List<Rejection> rejections) {
    int bytes = UNITS_BYTES;
    for (Rejection rejection : rejections) {
      bytes += bytes(rejection);
    }
    return bytes;
  }

  static int bytes(Rejection rejection) {
    if (rejection instanceof Refused refused) {
      return REFUSED_BYTES + Text.length(refused.text());
    }
    return rejection instanceof Again ? AGAIN_BYTES : HEAD_BYTES;
  }

  static void put(Verdicts verdicts, ByteBuffer out) {
    out.putInt(verdicts.units());
    for (Rejection rejection : verdicts.rejections()) {
      out.putLong(rejection.fileId());
      if (rejection instanceof Refused(_, ExitCode exitCode, String why)) {
        byte[] text = Text.bytes(why);
        out.put((byte) REFUSED).put((byte) exitCode.number());
        out.putShort((short) text.length).put(text);
      } else if (rejection instanceof Again(_, Span span)) {
        out.put((byte) AGAIN).putLong(span.offset()).putLong(span.length());
      } else {
        out.put((byte) (rejection instanceof Wanted ? WANTED : KEPT));
      }
    }
  }

  /// @throws IllegalArgumentException with the reason, if `in` holds no such records
  static Verdicts parse(ByteBuffer in) {
    int units = in.getInt();
    List<Rejection> rejections = new ArrayList<>();
    while (in.hasRemaining()) {
      // Bounds the list before it grows.
      Limits.requireRecords(rejections.size() + 1);
      rejections.add(rejection(in));
    }
    return new Verdicts(units, rejections);
  }

  private static Rejection rejection(ByteBuffer in) {
    Bytes.requireRemaining(in, HEAD_BYTES);
    long fileId = in.getLong();
    int kind = in.get() & 0xff;
    return switch (kind) {
      case REFUSED -> {
        Bytes.requireRemaining(in, REFUSED_BYTES - HEAD_BYTES);
        ExitCode exitCode = ExitCode.ofNumber(in.get() & 0xff);
        yield new Refused(fileId, exitCode, Text.take(in.getShort() & 0xffff, in));
      }
      case AGAIN -> {
        Bytes.requireRemaining(in, AGAIN_BYTES - HEAD_BYTES);
        yield new Again(fileId, new Span(Limits.requireSize(in.getLong()), in.getLong()));
      }
      case KEPT -> new Kept(fileId);
      case WANTED -> new Wanted(fileId);
      default -> throw new IllegalArgumentException("unknown verdict " + kind);
    };
  }
}
