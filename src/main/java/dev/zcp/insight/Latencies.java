package dev.zcp.insight;

/// The latencies of one stage, as they stood when asked for. All times are in nanoseconds, to three
/// significant figures.
public final class Latencies {}
