package dev.zcp.bench;

import dev.zcp.bench.plan.Plan;
import dev.zcp.core.RawPath;

/// What `zcp bench` was asked to do.
///
/// @param plan what to measure
/// @param command the command line, for the record
/// @param zcpVersion as `zcp --version` says it, for the record
/// @param directory where files are made; they are removed afterwards
/// @param file a file of the user's own that is read instead of a made one, or null
/// @param content what made files hold
/// @param runs how many runs of each cell count, at least 1
/// @param cellTimeNs a cell that has run for longer than this is given no further runs, but for the
///   first that counts; the report says how many it had
/// @param seed of the order in which cells take turns, and of made content
/// @param strace whether system calls are counted by strace, in one more run of each cell
public record BenchRequest(
    Plan plan,
    String command,
    String zcpVersion,
    RawPath directory,
    RawPath file,
    ContentKind content,
    int runs,
    long cellTimeNs,
    long seed,
    boolean strace) {}
