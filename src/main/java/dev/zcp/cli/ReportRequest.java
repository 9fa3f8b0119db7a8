package dev.zcp.cli;

import dev.zcp.core.RawPath;

/// How a transfer is to be reported.
///
/// @param quiet only what goes wrong
/// @param verbose every file; never together with `quiet`
/// @param json events on standard output; never together with `dataOnStandardOutput`
/// @param histogram where to write the latencies, or null
/// @param dataOnStandardOutput whether standard output carries the bytes of a file and nothing else
///   may
record ReportRequest(
    boolean quiet,
    boolean verbose,
    boolean json,
    ProgressWhen progress,
    RawPath histogram,
    boolean dataOnStandardOutput) {}
