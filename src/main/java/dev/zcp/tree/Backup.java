package dev.zcp.tree;

/// What becomes of a file that is replaced.
///
/// @param numbered whether it becomes `NAME.~1~`, `NAME.~2~` and so on, and not `NAME` and `suffix`
/// @param suffix for its name, such as `~`
public record Backup(boolean numbered, String suffix) {}
