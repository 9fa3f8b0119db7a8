package dev.zcp.copy;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.insight.CommandEnvironment.Consent;
import dev.zcp.insight.Insight;
import dev.zcp.linux.FileStatus;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Policy;
import dev.zcp.tree.Policy.Existing;
import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// Decides between a source and what has the target's name already. Any thread may call it.
///
/// It looks at nothing itself: it knows what it is told, and somebody may take the name the moment
/// after.
final class OverwritePolicy {

  private static final long NS_PER_SECOND = 1_000_000_000L;

  /// The steps in which file systems keep times, in nanoseconds, the coarsest first: FAT, ext3,
  /// exFAT, and those of protocols between.
  private static final long[] STEPS_NS = {
    2 * NS_PER_SECOND, NS_PER_SECOND, 10_000_000, 1_000_000, 1_000, 100
  };

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
      throw sameFile(targetLabel, sourceLabel);
    }
    if (existing.isDirectory()) {
      throw conflict(targetLabel, "is a directory");
    }
    if (policy.skipSame() && isSame(existing, source)) {
      return "has the size and the modification time of " + sourceLabel;
    }
    return switch (policy.existing()) {
      case REPLACE -> null;
      case KEEP -> "exists and is kept";
      case REFUSE -> throw conflict(targetLabel, "already exists");
      case OLDER -> isOlder(existing, source) ? null : notOlder(sourceLabel);
      case ASK -> ask(targetLabel);
      case ASK_IF_OLDER -> isOlder(existing, source) ? ask(targetLabel) : notOlder(sourceLabel);
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
    return policy.remove() || policy.backup() != null;
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

  /// Whether `existing` was modified before `source` was, as far as the file system of `existing`
  /// can tell: what was copied onto FAT, which keeps every second second, is no older than what it
  /// was copied from.
  static boolean isOlder(FileStatus existing, FileStatus source) {
    return existing.modified().toInstant().isBefore(keptTime(existing, source));
  }

  /// Whether `existing` has the type, the size and the time of `source`, a file or a symbolic link,
  /// as far as the file system of `existing` can tell.
  private static boolean isSame(FileStatus existing, FileStatus source) {
    return (source.isRegular() || source.isSymlink())
        && existing.type() == source.type()
        && existing.sizeBytes() == source.sizeBytes()
        && existing.modified().toInstant().equals(keptTime(existing, source));
  }

  /// When `source` was modified, as the file system of `existing` would keep it.
  private static Instant keptTime(FileStatus existing, FileStatus source) {
    long step = stepNs(existing);
    Instant then = source.modified().toInstant();
    long seconds = then.getEpochSecond();
    long nanos = then.getNano();
    if (step > NS_PER_SECOND) {
      seconds -= Math.floorMod(seconds, step / NS_PER_SECOND);
      nanos = 0;
    } else {
      nanos -= nanos % step;
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  /// The coarsest step in which both times of `existing` can be counted. A file system that keeps
  /// nanoseconds shows it in the time of the last change, which nobody can set: by chance that is a
  /// whole second once in a thousand million.
  private static long stepNs(FileStatus existing) {
    for (long step : STEPS_NS) {
      if (isMultiple(existing.modified(), step) && isMultiple(existing.changed(), step)) {
        return step;
      }
    }
    return 1;
  }

  private static boolean isMultiple(FileTime time, long stepNs) {
    Instant instant = time.toInstant();
    return stepNs > NS_PER_SECOND
        ? instant.getNano() == 0 && instant.getEpochSecond() % (stepNs / NS_PER_SECOND) == 0
        : instant.getNano() % stepNs == 0;
  }

  private static Failure conflict(Object targetLabel, String what) {
    return Failure.of(ExitCode.EXISTS, targetLabel.toString(), what);
  }
}
