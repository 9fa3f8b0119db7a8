package dev.zcp.wire;

import java.util.List;

/// What a receiver would delete, since the sender does not have it: said before the last word of a
/// dry run.
///
/// @param paths below the receiver's directory, 1 to [Limits#RECORDS_MAX], each of 1 to
///   [Limits#PATH_BYTES_MAX] bytes; at most [Limits#PAYLOAD_BYTES_MAX] bytes together
public record SurplusNames(List<Bytes> paths) implements Frame {

  /// The length of each.
  public static final int HEAD_BYTES = 2;

  public SurplusNames {
    paths = List.copyOf(paths);
    Limits.requireRecords(paths.size());
    for (Bytes path : paths) {
      if (path.length() < 1 || path.length() > Limits.PATH_BYTES_MAX) {
        throw new IllegalArgumentException("a path of " + path.length() + " bytes");
      }
    }
    Limits.requirePayload(payloadBytes(paths));
  }

  /// As few frames as hold `paths`, in their order; none for none.
  public static List<SurplusNames> of(List<Bytes> paths) {
    return RecordSplitter.cut(
        paths,
        (_, path) -> HEAD_BYTES + path.length(),
        Limits.PAYLOAD_BYTES_MAX,
        SurplusNames::new);
  }

  /// What they take of a receiver's and a sender's memory: see [Limits#SURPLUS_BYTES_MAX].
  public int payloadBytes() {
    return payloadBytes(paths);
  }

  private static int payloadBytes(List<Bytes> paths) {
    int bytes = 0;
    for (Bytes path : paths) {
      bytes += HEAD_BYTES + path.length();
    }
    return bytes;
  }
}
