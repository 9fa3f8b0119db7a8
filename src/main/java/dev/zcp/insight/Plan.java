package dev.zcp.insight;

/// What a dry run would have done.
///
/// @param files to copy, those that replace something among them
/// @param bytes of those files, as far as that is known
/// @param replaced entries that would replace something, files or not
/// @param entries all that is no file and would replace nothing
public record Plan(long files, long bytes, long replaced, Entries entries) {}
