package dev.zcp.insight;

/// What a dry run would have done.
///
/// @param files to copy, those that replace others among them
/// @param bytes of those files, as far as that is known
/// @param entries all the others
public record Plan(long files, long bytes, Entries entries) {}
