/// The built-in strategies, which [dev.zcp.strategy.BuiltIn] lists. Nobody else knows them.
///
/// The costs that their verdicts give come from side-by-side measurement: nanoseconds for each MiB,
/// ends on a warm page cache, medians of nine runs of 1 GiB on ext4 (tmpfs if it is named), on a
/// machine with four cores, Linux 6.18, with the start of the process subtracted. They rank; they
/// predict nothing about another machine.
package dev.zcp.strategy;
