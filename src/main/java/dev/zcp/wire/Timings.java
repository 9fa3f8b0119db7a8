package dev.zcp.wire;

import dev.zcp.core.ProcessTimes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What an end has measured: for the other end to show, which decides nothing by it.
///
/// @param elapsedNs how long the end was at work
/// @param process what its process took of the processors
/// @param stages the latencies of its stages, each once
/// @param slowest its slowest operations
public record Timings(
    long elapsedNs, ProcessTimes process, List<StageTimes> stages, List<SlowOperation> slowest) {

  /// Of an end that measured nothing, or does not tell.
  public static final Timings NONE = new Timings(0, ProcessTimes.UNKNOWN, List.of(), List.of());

  public Timings {
    Limits.requireSize(elapsedNs);
    stages = List.copyOf(stages);
    slowest = List.copyOf(slowest);
    requireAtMost(stages.size(), Limits.STAGES_MAX, "stages");
    requireAtMost(slowest.size(), Limits.SLOWEST_MAX, "slow operations");
    requireAtMost(TimingRecords.stageBytes(stages), Limits.STAGES_BYTES_MAX, "bytes of stages");
    requireAtMost(
        TimingRecords.slowestBytes(slowest), Limits.SLOWEST_BYTES_MAX, "bytes of slow operations");
    Set<String> words = new HashSet<>();
    for (StageTimes stage : stages) {
      if (!words.add(stage.stage())) {
        throw new IllegalArgumentException("the stage " + stage.stage() + " twice");
      }
    }
  }

  private static void requireAtMost(int count, int max, String what) {
    if (count > max) {
      throw new IllegalArgumentException(count + " " + what);
    }
  }

  static void requireWord(String word) {
    boolean isWord = !word.isEmpty() && word.length() <= Limits.STAGE_WORD_BYTES_MAX;
    for (int i = 0; i < word.length(); i++) {
      isWord &= word.charAt(i) >= 'a' && word.charAt(i) <= 'z';
    }
    if (!isWord) {
      throw new IllegalArgumentException("not a word of small letters");
    }
  }

  /// The latencies of one stage.
  ///
  /// @param stage its word, as in `--json`. Whoever does not know it passes over it
  /// @param busiestNs how much of the total is of the thread that has most of it
  /// @param cells at least one, ascending
  public record StageTimes(
      String stage,
      long leastNs,
      long greatestNs,
      long totalNs,
      long busiestNs,
      List<TimeCell> cells) {

    public StageTimes {
      requireWord(stage);
      Limits.requireSize(leastNs);
      Limits.requireSize(greatestNs);
      Limits.requireSize(totalNs);
      Limits.requireSize(busiestNs);
      if (leastNs > greatestNs) {
        throw new IllegalArgumentException("a least time above the greatest");
      }
      cells = List.copyOf(cells);
      if (cells.isEmpty()) {
        throw new IllegalArgumentException("a stage without samples");
      }
      int before = -1;
      long samples = 0;
      for (TimeCell cell : cells) {
        if (cell.index() <= before) {
          throw new IllegalArgumentException("cells that do not ascend");
        }
        before = cell.index();
        samples += cell.count();
        if (samples < 0) {
          throw new IllegalArgumentException("more than 2^63-1 samples");
        }
      }
    }
  }

  /// How many samples there are in one cell of a histogram.
  ///
  /// @param index as HdrHistogram numbers the cells of three significant figures: one for each
  ///   nanosecond below 2048, then 1024 for each power of two
  public record TimeCell(int index, long count) {

    public TimeCell {
      if (index < 0 || index >= Limits.CELLS_MAX || count < 1) {
        throw new IllegalArgumentException("no such cell: " + index + " with " + count);
      }
    }
  }

  /// One operation.
  ///
  /// @param stage as [StageTimes] has it
  /// @param path of the file below what is sent, or empty. From a peer it may hold any character
  /// @param offset in the file; [#OFFSET_UNKNOWN] if that is not known
  /// @param bytes how many it was about; 0 if it was about none
  /// @param startedMs when it began, in milliseconds since 1970
  public record SlowOperation(
      String stage, String path, long offset, long bytes, long elapsedNs, long startedMs) {

    public static final long OFFSET_UNKNOWN = -1;

    public SlowOperation {
      requireWord(stage);
      path = Text.capped(path);
      if (offset != OFFSET_UNKNOWN) {
        Limits.requireSize(offset);
      }
      Limits.requireSize(bytes);
      Limits.requireSize(elapsedNs);
      Limits.requireSize(startedMs);
    }
  }
}
