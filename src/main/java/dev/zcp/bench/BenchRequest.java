package dev.zcp.bench;

import dev.zcp.core.RawPath;
import java.util.List;

/// What `zcp bench` was asked to do.
///
/// @param groups what to measure, each a table of its own
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
    List<CellGroup> groups,
    String command,
    String zcpVersion,
    RawPath directory,
    RawPath file,
    Content.Kind content,
    int runs,
    long cellTimeNs,
    long seed,
    boolean strace) {}
