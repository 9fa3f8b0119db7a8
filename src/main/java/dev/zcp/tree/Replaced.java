package dev.zcp.tree;

import dev.zcp.linux.FileStatus;

/// A regular file that is about to lose its name to its copy's.
///
/// @param directory where it is
/// @param name its name there
/// @param status what it was when it was looked at
public record Replaced(OpenDirectory directory, byte[] name, FileStatus status) {

  Handle handle() {
    return Handle.Named.of(directory.descriptor(), name);
  }
}
