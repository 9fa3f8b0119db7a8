package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;

/// What becomes of an entry whose name the target may have already.
sealed interface Decision {

  /// Nothing has the name. Somebody may take it before it is given away.
  record New() implements Decision {}

  /// Both are directories, and the one that is there takes in what the other holds.
  record Merge(FileStatus existing) implements Decision {}

  /// What is there gives its name to the new one.
  record Replace(FileStatus existing) implements Decision {}

  /// What is there stays, and that is as it should be.
  ///
  /// @param reason why, of the target: a phrase without a full stop
  record Keep(String reason) implements Decision {}

  /// What is there stays, and the copy of this entry fails.
  record Refuse(Failure failure) implements Decision {}
}
