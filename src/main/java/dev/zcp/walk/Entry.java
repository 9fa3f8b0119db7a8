package dev.zcp.walk;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.Folder.EntryName;
import java.io.IOException;

/// Something in a folder that the walk came to.
///
/// @param folder the one it is in
/// @param name in the source
/// @param newName in the target
/// @param label for messages
/// @param follow whether `name` may be that of a link, and what it leads to is meant
/// @param isFirst whether it is known to be the first name of its file
public record Entry(
    Folder folder, byte[] name, byte[] newName, EntryName label, boolean follow, boolean isFirst) {

  public Entry asFirst() {
    return new Entry(folder, name, newName, label, follow, true);
  }

  /// The target's name, for messages.
  public String targetLabel() {
    return folder.targetLabel(newName);
  }

  /// What it is now. The caller holds the folder.
  ///
  /// @param follow whether what a link leads to is meant
  /// @throws Failure SOURCE if it is missing, a link that leads nowhere, or may not be looked at
  public FileStatus status(boolean follow) throws Failure {
    try {
      FileStatus status = follow ? folder.source.statusBehind(name) : folder.source.statusOf(name);
      if (status == null) {
        boolean dangles = follow && folder.source.statusOf(name) != null;
        throw Failure.of(
            ExitCode.SOURCE,
            label.toString(),
            dangles ? "is a link that leads nowhere" : "no such file or directory");
      }
      return status;
    } catch (IOException e) {
      throw Reasons.source(label, e);
    }
  }
}
