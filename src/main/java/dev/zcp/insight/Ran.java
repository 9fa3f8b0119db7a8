package dev.zcp.insight;

/// What really moved the bytes of a file, and why it was not what came before it.
///
/// @param strategy the name of the strategy that ran
/// @param bytes how many bytes it moved
/// @param steps in how many steps
/// @param fellBackBecause why the strategies before it would not go on, each as `NAME: REASON`,
///   joined by `; `; empty if none was tried before it
public record Ran(String strategy, long bytes, long steps, String fellBackBecause) {}
