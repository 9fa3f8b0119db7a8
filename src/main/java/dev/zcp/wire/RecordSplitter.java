package dev.zcp.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;

/// Cuts a list of records of any length into as few frames as hold it, in its order.
final class RecordSplitter {

  private RecordSplitter() {}

  /// @param weigher what a record takes of a frame's room, after the one before it in the same
  ///   frame, or null
  /// @param weightMax what a frame has room for; a record alone in its frame fits
  static <T, F> List<F> cut(
      List<T> records, ToLongBiFunction<T, T> weigher, long weightMax, Function<List<T>, F> frame) {
    List<F> frames = new ArrayList<>();
    int start = 0;
    long weight = 0;
    for (int i = 0; i < records.size(); i++) {
      T record = records.get(i);
      long more = weigher.applyAsLong(i == start ? null : records.get(i - 1), record);
      if (i > start && (weight + more > weightMax || i - start == Limits.RECORDS_MAX)) {
        frames.add(frame.apply(records.subList(start, i)));
        start = i;
        weight = 0;
        more = weigher.applyAsLong(null, record);
      }
      weight += more;
    }
    if (start < records.size()) {
      frames.add(frame.apply(records.subList(start, records.size())));
    }
    return frames;
  }
}
