package dev.zcp.tree;

/// What a file system can still take: statfs(2).
///
/// @param bytes that this user may write
/// @param inodes that can be made: files, directories and all else; or [#UNLIMITED], where it has
///   no fixed number of them
public record Room(long bytes, long inodes) {

  public static final long UNLIMITED = Long.MAX_VALUE;
}
