package dev.zcp.wire;

import java.util.ArrayList;
import java.util.List;

/// What became of the units of this connection. A unit is a [Part], a block ([Data] with its
/// [Trailer]), or a hole ([Data]) or an [EntryEnds].
///
/// @param units so many more were dealt with, in their order, at most [Limits#UNITS_UNDER_WAY_MAX].
///   What was not well with one of them is rejected here or was before
/// @param rejections at most [Limits#RECORDS_MAX], and [Limits#PAYLOAD_BYTES_MAX] bytes of frame;
///   at least one if there are no units. They come before the units
public record Verdicts(int units, List<Rejection> rejections) implements Frame {

  public Verdicts {
    rejections = List.copyOf(rejections);
    for (Rejection each : rejections) {
      Limits.requireFileId(each.fileId());
    }
    if (units < 0 || units > Limits.UNITS_UNDER_WAY_MAX) {
      throw new IllegalArgumentException(Integer.toUnsignedString(units) + " units");
    }
    if (units == 0 || !rejections.isEmpty()) {
      Limits.requireRecords(rejections.size());
    }
    Limits.requirePayload(VerdictRecords.bytes(rejections));
  }

  /// As few frames as hold this, in its order; none for nothing.
  public static List<Verdicts> of(int units, List<Rejection> rejections) {
    List<Verdicts> all =
        new ArrayList<>(
            RecordSplitter.cut(
                rejections,
                (previous, rejection) -> VerdictRecords.bytes(rejection),
                Limits.PAYLOAD_BYTES_MAX - VerdictRecords.UNITS_BYTES,
                some -> new Verdicts(0, some)));
    if (units > 0) {
      List<Rejection> last = all.isEmpty() ? List.of() : all.removeLast().rejections();
      all.add(new Verdicts(units, last));
    }
    return all;
  }
}
