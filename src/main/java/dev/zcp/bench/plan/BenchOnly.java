package dev.zcp.bench.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Contenders that only the benchmark has: what programs do that know no better, measured beside
/// the strategies and not offered to move anybody's files.
public enum BenchOnly {
  /// A `FileInputStream` or `FileOutputStream` and a byte array.
  FILE_STREAM(
      "fileStream",
      Experiment.READ,
      Experiment.WRITE,
      Experiment.COPY,
      Experiment.SEND,
      Experiment.FORCE),
  /// The same streams without an array, a byte at a call: minutes where others take a second, so it
  /// is measured only for whom asks.
  SINGLE_BYTE("singleByte", Experiment.READ, Experiment.WRITE, Experiment.FORCE),
  /// A `RandomAccessFile` and a byte array.
  RANDOM_ACCESS_FILE("randomAccessFile", Experiment.READ, Experiment.WRITE, Experiment.FORCE),
  /// One mapping of the whole file, from which or into which a chunk is copied at a time. The
  /// strategy mmap maps each chunk anew.
  MAPPED_ONCE("mappedOnce", Experiment.READ, Experiment.WRITE, Experiment.FORCE),
  /// The same filled from a direct `ByteBuffer` and not from an array, as a row of an article has
  /// it; measured only for whom asks.
  MAPPED_BUFFER("mappedBuffer", Experiment.WRITE);

  private final String word;
  private final Set<Experiment> experiments;

  BenchOnly(String word, Experiment... experiments) {
    this.word = word;
    this.experiments = Set.of(experiments);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(BenchOnly::word).toList();
  }

  /// The one that a user calls `typed`: like a strategy's name, without regard to case and hyphens.
  public static Optional<BenchOnly> named(String typed) {
    String key = typed.replace("-", "").toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(each -> each.word.toLowerCase(Locale.ROOT).equals(key))
        .findFirst();
  }

  /// As a user types it.
  public String word() {
    return word;
  }

  /// Whether it is measured where nobody names it.
  boolean isMeasuredUnasked() {
    return switch (this) {
      case FILE_STREAM, RANDOM_ACCESS_FILE, MAPPED_ONCE -> true;
      case SINGLE_BYTE, MAPPED_BUFFER -> false;
    };
  }

  /// Whether it can be measured there at all.
  public boolean serves(Experiment experiment) {
    return experiments.contains(experiment);
  }
}
