package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.wire.EntryPath;
import java.util.HashMap;
import java.util.Map;

/// Which path at the receiver is whose, if the contents of several operands go into one directory,
/// so that none of them takes another's place. Directories become one, and are not noted. Belongs
/// to the thread that walks.
final class TakenPaths {

  /// Null if no two can meet: then nothing is remembered.
  private final Map<EntryPath, Object> labels;

  /// @param mayMeet whether two operands may have something of one path
  TakenPaths(boolean mayMeet) {
    this.labels = mayMeet ? new HashMap<>() : null;
  }

  /// @throws Failure EXISTS if another entry goes there
  void take(EntryPath path, Object label) throws Failure {
    Object other = labels == null ? null : labels.putIfAbsent(path, label);
    if (other != null) {
      throw Failure.of(
          ExitCode.EXISTS,
          path.toString(),
          "both " + other + " and " + label + " would go there; the former is sent");
    }
  }
}
