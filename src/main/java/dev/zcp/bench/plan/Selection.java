package dev.zcp.bench.plan;

import dev.zcp.core.RawPath;
import java.util.List;

/// Which cells of the experiments to measure. An empty list leaves its choice to the plan.
///
/// @param experiments what to do, in the order of the report
/// @param contenders proper names of strategies, of [BenchOnly], and `auto`; one that cannot serve
///   an experiment is in the plan all the same, for the report to say why not
/// @param chunkBytes sizes of one call, as in [Cell#chunkBytes]
/// @param fileBytes sizes of the files that are made
/// @param file a file of the user's own in place of made ones, or null; its size is found out by
///   who runs the plan
/// @param caches where the source's bytes are, of experiments that [read a
///   file][Experiment#readsFile]; others pay no heed to it
public record Selection(
    List<Experiment> experiments,
    List<String> contenders,
    List<Long> chunkBytes,
    List<Long> fileBytes,
    RawPath file,
    List<Cache> caches) {

  public Selection {
    experiments = List.copyOf(experiments);
    contenders = List.copyOf(contenders);
    chunkBytes = List.copyOf(chunkBytes);
    fileBytes = List.copyOf(fileBytes);
    caches = List.copyOf(caches);
  }

  /// These experiments, and all else as the plan has it.
  public static Selection of(Experiment... experiments) {
    return new Selection(List.of(experiments), List.of(), List.of(), List.of(), null, List.of());
  }
}
