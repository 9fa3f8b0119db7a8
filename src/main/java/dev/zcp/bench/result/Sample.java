package dev.zcp.bench.result;

import dev.zcp.bench.count.Usage;

/// One run of a cell.
///
/// @param elapsedNs from the first call until the last byte was where it belongs
/// @param usage of the thread that moved the bytes, and of no other
public record Sample(long elapsedNs, Usage usage) {}
