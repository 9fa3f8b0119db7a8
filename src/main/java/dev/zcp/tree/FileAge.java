package dev.zcp.tree;

import dev.zcp.linux.FileStatus;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// Compares what exists at a target with its source, by what is known without reading either.
public final class FileAge {

  private static final long NS_PER_SECOND = 1_000_000_000L;

  /// The steps in which file systems keep times, in nanoseconds, the coarsest first: FAT, ext3,
  /// exFAT, and those of protocols between.
  private static final long[] STEPS_NS = {
    2 * NS_PER_SECOND, NS_PER_SECOND, 10_000_000, 1_000_000, 1_000, 100
  };

  private FileAge() {}

  /// Whether `existing` was modified before `source` was, as far as the file system of `existing`
  /// can tell: what was copied onto FAT, which keeps every second second, is no older than what it
  /// was copied from.
  public static boolean isOlder(FileStatus existing, FileStatus source) {
    return existing.modified().toInstant().isBefore(keptTime(existing, source));
  }

  /// Whether `existing` has the type, the size and the time of `source`, a file or a symbolic link,
  /// as far as the file system of `existing` can tell.
  public static boolean isSame(FileStatus existing, FileStatus source) {
    boolean isAlike =
        (source.isRegular() || source.isSymlink())
            && existing.type() == source.type()
            && existing.sizeBytes() == source.sizeBytes();
    return isAlike && isOfTime(existing, source);
  }

  /// Whether `existing` has the time of `source`, as far as its file system can keep it.
  public static boolean isOfTime(FileStatus existing, FileStatus source) {
    return existing.modifiedSeconds() == source.modifiedSeconds()
            && existing.modifiedNanos() == source.modifiedNanos()
        || existing.modified().toInstant().equals(keptTime(existing, source));
  }

  /// When `source` was modified, as the file system of `existing` would keep it.
  private static Instant keptTime(FileStatus existing, FileStatus source) {
    long step = stepNs(existing);
    Instant then = source.modified().toInstant();
    long seconds = then.getEpochSecond();
    long nanos = then.getNano();
    if (step > NS_PER_SECOND) {
      seconds -= Math.floorMod(seconds, step / NS_PER_SECOND);
      nanos = 0;
    } else {
      nanos -= nanos % step;
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  /// The coarsest step in which both times of `existing` can be counted. A file system that keeps
  /// nanoseconds shows it in the time of the last change, which nobody can set: by chance that is a
  /// whole second once in a thousand million.
  private static long stepNs(FileStatus existing) {
    for (long step : STEPS_NS) {
      if (isMultiple(existing.modified(), step) && isMultiple(existing.changed(), step)) {
        return step;
      }
    }
    return 1;
  }

  private static boolean isMultiple(FileTime time, long stepNs) {
    Instant instant = time.toInstant();
    return stepNs > NS_PER_SECOND
        ? instant.getNano() == 0 && instant.getEpochSecond() % (stepNs / NS_PER_SECOND) == 0
        : instant.getNano() % stepNs == 0;
  }
}
