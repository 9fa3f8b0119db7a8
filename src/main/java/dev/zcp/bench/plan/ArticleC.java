package dev.zcp.bench.plan;

import static dev.zcp.engine.Choice.WHOLE;

import java.util.ArrayList;
import java.util.List;

/// MappedByteBuffer against FileChannel: a file of 1 GB read and written through a mapping, a
/// channel, a RandomAccessFile and streams, in calls from 32 bytes to the whole file, and forced to
/// its device in three ways.
///
/// It claims that reading a mapping wins below 4 KB and the channel from there on; that writing to
/// a mapping wins below 64 bytes and the channel from there on; that with an asynchronous force
/// every 16 KB the mapping takes about 4000 ms for about 1500 without, which the channel does not
/// notice; and that one force of the whole takes about 800 ms. It has curves and no tables, so
/// there is no figure for a single cell, and the sizes between the two ends are ours: each power of
/// two at which a claim turns, its neighbours, and few beyond.
final class ArticleC {

  private static final long FILE_BYTES = 1L << 30;

  private static final List<Long> CALLS_BYTES =
      List.of(
          32L, 64L, 128L, 512L, 1L << 10, 2L << 10, 4L << 10, 16L << 10, 64L << 10, 1L << 20,
          32L << 20, WHOLE);

  /// From this size of a call on the channel is said to win.
  private static final long CHANNEL_READS_FASTER_BYTES = 4L << 10;

  private static final long CHANNEL_WRITES_FASTER_BYTES = 64;

  private static final String MAPPING = BenchOnly.MAPPED_ONCE.word();
  private static final String CHANNEL = "direct";

  /// The article's calls while it forces: it does not say, so a page.
  private static final long FORCED_CALL_BYTES = 4L << 10;

  private static final Forcing EVERY_16K = new Forcing(16L << 10, true);

  private static final String MACHINE =
      "The article's machine: i7 at 4.2 GHz, SSD of about 2 GB/s; 1 GB is taken for 1 GiB.";

  private static final String CURVES =
      " It gives curves, not figures. Where a buffer cannot hold the whole file, one call moves"
          + " what it holds.";

  private ArticleC() {}

  static List<Plan.Group> tables(SizeScale scale) {
    List<Plan.Group> groups = new ArrayList<>();
    groups.addAll(sweep(Experiment.READ, CHANNEL_READS_FASTER_BYTES, scale));
    groups.addAll(sweep(Experiment.WRITE, CHANNEL_WRITES_FASTER_BYTES, scale));
    groups.add(forcing(scale));
    return groups;
  }

  /// A group for each size of a call, since the claim is who wins at which; the first has the note
  /// of all.
  private static List<Plan.Group> sweep(Experiment experiment, long turnBytes, SizeScale scale) {
    List<Plan.Group> groups = new ArrayList<>();
    for (long callBytes : CALLS_BYTES) {
      String size = label(callBytes);
      boolean isMappingAhead = callBytes < turnBytes;
      String row = experiment.word() + " " + size;
      groups.add(
          new ArticleTable("C", experiment, FILE_BYTES, scale)
              .row(row, MAPPING, callBytes, isMappingAhead ? "ahead of the channel" : "")
              .row(row, CHANNEL, callBytes, isMappingAhead ? "" : "ahead of the mapping")
              .row(row, BenchOnly.RANDOM_ACCESS_FILE.word(), callBytes, "")
              .row(row, BenchOnly.FILE_STREAM.word(), callBytes, "")
              .group(
                  "article C: "
                      + experiment.word()
                      + " 1 GB, "
                      + (callBytes == WHOLE ? "in one call" : size + " a call"),
                  groups.isEmpty() ? scale.note(MACHINE + CURVES) : ""));
    }
    return groups;
  }

  /// `4 KiB`, of a size that is a whole number of some unit.
  private static String label(long callBytes) {
    if (callBytes == WHOLE) {
      return "whole";
    }
    if (callBytes < 1 << 10) {
      return callBytes + " B";
    }
    return callBytes < 1 << 20 ? (callBytes >> 10) + " KiB" : (callBytes >> 20) + " MiB";
  }

  private static Plan.Group forcing(SizeScale scale) {
    return new ArticleTable("C", Experiment.FORCE, FILE_BYTES, scale)
        .row(
            "mapping, never forced",
            MAPPING,
            FORCED_CALL_BYTES,
            Forcing.NEVER,
            "about 1500 ms",
            1500)
        .row(
            "mapping, forced every 16 KB",
            MAPPING,
            FORCED_CALL_BYTES,
            EVERY_16K,
            "about 4000 ms",
            4000)
        .row(
            "mapping, forced at the end",
            MAPPING,
            FORCED_CALL_BYTES,
            Forcing.AT_THE_END,
            "about 800 ms for the force alone",
            Double.NaN)
        .row("channel, never forced", CHANNEL, FORCED_CALL_BYTES, Forcing.NEVER, "", Double.NaN)
        .row(
            "channel, forced every 16 KB",
            CHANNEL,
            FORCED_CALL_BYTES,
            EVERY_16K,
            "as without",
            Double.NaN)
        .row(
            "channel, forced at the end",
            CHANNEL,
            FORCED_CALL_BYTES,
            Forcing.AT_THE_END,
            "about 800 ms for the force alone",
            Double.NaN)
        .group(
            "article C: write 1 GB and force it",
            scale.note(
                MACHINE
                    + " Calls are taken to be of 4 KiB. Forces beside the writing are done by one"
                    + " thread here, which makes one of those that came meanwhile, and a run ends"
                    + " when the last of them has; the article does not say how its own ended. Its"
                    + " 800 ms are of the force alone, ours of writing and force together."));
  }
}
