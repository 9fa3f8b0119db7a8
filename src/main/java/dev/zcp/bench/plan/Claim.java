package dev.zcp.bench.plan;

/// What an article says of a cell.
///
/// @param row which row of which table: `A1 1.2`; empty where no article speaks of the cell
/// @param figures its figures as a reader would copy them: `176 ms, then 92 ms`; empty where it
///   gives none
/// @param meanMs the mean of its runs after the first, in milliseconds, or its only figure; NaN
///   where it gives none
/// @param fileBytes the size of its file, which the cell's need not have; 0 where no article speaks
///   of the cell
public record Claim(String row, String figures, double meanMs, long fileBytes) {

  public static final Claim NONE = new Claim("", "", Double.NaN, 0);

  /// Whether its figures are of a file as large as one of `bytes`, so that they may be drawn to the
  /// same scale.
  public boolean isOfSize(long bytes) {
    return fileBytes == bytes;
  }

  /// Whether its figures tell the processor's time, too.
  public boolean tellsProcessorTime() {
    return figures.contains("user");
  }
}
