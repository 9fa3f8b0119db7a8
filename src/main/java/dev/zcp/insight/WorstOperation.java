package dev.zcp.insight;

import java.util.List;

/// One of the operations that took longest.
///
/// @param stage what it was
/// @param side where it was done
/// @param path the file's name, printable; empty if it was about no file, or about several
/// @param offset in the file; -1 if that is not known
/// @param bytes how many it was about; 0 if it was about none, or that is not known
/// @param startedMs when it began, in milliseconds since 1970
public record WorstOperation(
    Stage stage,
    WorkSide side,
    String path,
    long offset,
    long bytes,
    long elapsedNs,
    long startedMs) {

  /// The most that are kept.
  public static final int COUNT_MAX = 1000;

  /// Sorts `operations`: the slowest comes first.
  static void sort(List<WorstOperation> operations) {
    operations.sort((a, b) -> Long.compare(b.elapsedNs, a.elapsedNs));
  }
}
