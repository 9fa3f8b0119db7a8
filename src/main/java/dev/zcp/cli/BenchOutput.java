package dev.zcp.cli;

import dev.zcp.core.RawPath;

/// Where the findings of a benchmark go.
///
/// @param page where to write a page for a browser, or null
/// @param earlier the findings to compare with, or null
/// @param verbose more columns; never together with `quiet`
/// @param quiet no table but on standard output, no progress, no notes
record BenchOutput(
    Form form,
    RawPath page,
    RawPath earlier,
    boolean verbose,
    boolean quiet,
    ProgressWhen progress) {

  /// What goes to standard output. The table is what people ask for, as that of `zcp strategies`
  /// is; where a program gets its own form there, the table is for whoever watches.
  enum Form {
    TABLE,
    JSON,
    CSV
  }
}
