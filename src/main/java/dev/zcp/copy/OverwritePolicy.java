package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment.Consent;
import dev.zcp.insight.Insight;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import java.io.IOException;

/// Decides between a source and what has the target's name already. Any thread may call it.
///
/// It looks at nothing itself: it knows what it is told, and somebody may take the name the moment
/// after.
final class OverwritePolicy {

  private final Policy policy;
  private final Consent consent;
  private final Backups backups;

  OverwritePolicy(Policy policy, Consent consent, Insight insight) {
    this.policy = policy;
    this.consent = consent;
    this.backups = policy.backup() == null ? null : new Backups(policy.backup(), insight);
  }

  /// Why what has an entry's name stays: a phrase about the target; null if it is replaced. Asks,
  /// if that is the policy, on the caller's thread: whoever would ask meanwhile waits.
  ///
  /// @param source the status of what would be made: of a link the link's own if it stays one
  /// @param existing the status of what has the name, a link's own unless it is written through
  /// @param isOneName whether both are the same name in the same directory
  /// @throws Failure EXISTS if the copy of this entry fails
  String keptBecause(
      FileStatus source,
      FileStatus existing,
      boolean isOneName,
      Object sourceLabel,
      Object targetLabel)
      throws Failure {
    if (source.isSameFile(existing) && !mayReplaceItself(existing, isOneName)) {
      if (existing.isSymlink() && !isOneName) {
        return "is the same link as " + sourceLabel;
      }
      throw sameFile(targetLabel, sourceLabel);
    }
    if (policy.skipSame() && !existing.isDirectory() && FileAge.isSame(existing, source)) {
      return "has the size and the modification time of " + sourceLabel;
    }
    String kept = keptByPolicy(source, existing, sourceLabel, targetLabel);
    if (kept == null && existing.isDirectory()) {
      throw conflict(targetLabel, "is a directory");
    }
    return kept;
  }

  private String keptByPolicy(
      FileStatus source, FileStatus existing, Object sourceLabel, Object targetLabel)
      throws Failure {
    return switch (policy.existing()) {
      case REPLACE -> null;
      case KEEP -> "exists and is kept";
      case REFUSE -> throw conflict(targetLabel, "already exists");
      case OLDER -> FileAge.isOlder(existing, source) ? null : notOlder(sourceLabel);
      case ASK -> ask(targetLabel);
      case ASK_IF_OLDER ->
          FileAge.isOlder(existing, source) ? ask(targetLabel) : notOlder(sourceLabel);
    };
  }

  /// Whether a file may be replaced by a copy of itself. It must keep another name, or that of its
  /// backup, or its bytes would be lost.
  private boolean mayReplaceItself(FileStatus existing, boolean isOneName) {
    return isOneName
        ? policy.backup() != null && policy.force()
        : existing.links() > 1 && takesNames();
  }

  /// Whether a target is never written into but only loses its name. Then it may be another name of
  /// the source, or a link to it.
  boolean takesNames() {
    return policy.remove() || keepsBackups();
  }

  /// Whether what is replaced is kept under another name.
  boolean keepsBackups() {
    return policy.backup() != null;
  }

  private String ask(Object targetLabel) {
    return consent.isGiven("replace " + targetLabel + "?")
        ? null
        : "exists and is kept, as you said";
  }

  private static String notOlder(Object sourceLabel) {
    return "is not older than " + sourceLabel;
  }

  /// The name that what has `name` is kept under, or null if it is not kept, or under a name that
  /// nothing has.
  byte[] simpleBackupName(OpenDirectory directory, byte[] name) throws IOException {
    return backups == null ? null : backups.simpleName(directory, name);
  }

  static Failure sameFile(Object targetLabel, Object sourceLabel) {
    return conflict(targetLabel, "is the same file as " + sourceLabel).with("it is unharmed");
  }

  /// Whether a target that is a link is followed, and not replaced.
  boolean writesThroughLinks() {
    return policy.writeThroughLinks();
  }

  /// Whether further names of a source whose target is kept are linked to that target.
  boolean linksToKept() {
    // With -i the user may keep a file that is no copy.
    return policy.existing() == Existing.OLDER
        || policy.skipSame() && policy.existing() == Existing.REPLACE;
  }

  /// Sees to it that what has `name` stays there under the name of a backup, if backups are wanted,
  /// else does nothing. To be called right before something is renamed to `name`: if the file
  /// system has no hard links, nothing has the name in between.
  ///
  /// @throws IOException if there can be no backup; then nothing has changed
  void backUp(OpenDirectory directory, byte[] name) throws IOException {
    if (backups != null) {
      backups.make(directory, name);
    }
  }

  private static Failure conflict(Object targetLabel, String what) {
    return Failure.of(ExitCode.EXISTS, targetLabel.toString(), what);
  }
}
