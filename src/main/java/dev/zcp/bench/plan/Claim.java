package dev.zcp.bench.plan;

/// What an article says of a cell.
///
/// @param row which row of which table: `A1 1.2`; empty where no article speaks of the cell
/// @param figures its figures as a reader would copy them: `176 ms, then 92 ms`; empty where it
///   gives none
/// @param medianMs the figure to set beside our median, in milliseconds; NaN where it gives none
public record Claim(String row, String figures, double medianMs) {

  public static final Claim NONE = new Claim("", "", Double.NaN);
}
