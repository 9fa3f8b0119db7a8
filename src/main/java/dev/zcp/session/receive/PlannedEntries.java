package dev.zcp.session.receive;

import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Conflict.Claim;
import dev.zcp.place.PlaceOther;
import dev.zcp.tree.FileAge;
import dev.zcp.tree.Handle;
import dev.zcp.wire.Answer;
import dev.zcp.wire.Answer.AnswerKind;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.EntryPath;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What would become of the entries of a session that is a dry run. It looks, and makes and changes
/// nothing. Any thread may call it.
final class PlannedEntries {

  private final Terms terms;
  private final Folders folders;
  private final FirstNames firstNames;
  private final PlaceOther other;

  /// Null if there are no former copies.
  private final FormerFiles former;

  /// Directories under way that are not there.
  private final Set<EntryPath> missing = ConcurrentHashMap.newKeySet();

  PlannedEntries(
      Terms terms, Folders folders, FirstNames firstNames, PlaceOther other, FormerFiles former) {
    this.terms = terms;
    this.folders = folders;
    this.firstNames = firstNames;
    this.other = other;
    this.former = former;
  }

  /// @throws Failure if it could not be taken
  Answer directory(Offered entry) throws IOException, Failure {
    EntryPath path = entry.path();
    if (!path.isTop() && isMissing(entry)) {
      missing.add(path);
      return Answer.of(entry.fileId(), AnswerKind.NEW);
    }
    try (Folders.HeldFolder folder = folders.hold(path, false)) {
      FileStatus now = folder.directory().now();
      Given given = terms.replaces() && entry.kind() != EntryKind.WAY ? terms.given(entry) : null;
      Handle target = Handle.of(folder.directory());
      boolean isCorrected =
          given != null
              && terms.metadata().differs(given.attributes(), given.status(), target, now);
      return Answer.of(entry.fileId(), isCorrected ? AnswerKind.CORRECT : AnswerKind.ALL);
    }
  }

  private boolean isMissing(Offered entry) throws IOException, Failure {
    try (Folders.HeldFolder above = above(entry)) {
      if (above == null) {
        return true;
      }
      Claim claim = above.claim(new Claim(), entry.path(), terms.status(entry));
      if (terms.conflict().clear(claim)) {
        return true;
      }
      PlaceOther.refuseOtherThanDirectory(claim);
      return claim.directory().statusOf(claim.name()) == null;
    }
  }

  /// The directory that it is in; null if that is not there. Whoever looks at it may be at it
  /// later.
  private Folders.HeldFolder above(Offered entry) throws IOException, Failure {
    EntryPath parent = entry.path().parent();
    if (parent != null && missing.contains(parent)) {
      return null;
    }
    try {
      return folders.hold(parent, false);
    } catch (NoSuchFileException e) {
      // See above.
      return null;
    } catch (NotDirectoryException e) {
      if (terms.admission().deletion() == null) {
        throw e;
      }
      // It makes way, or its directory tells that it does not.
      return null;
    }
  }

  /// All in a directory is over.
  ///
  /// @return whether it is there
  boolean complete(EntryPath path) {
    return !missing.remove(path);
  }

  /// Of what is no directory.
  ///
  /// @throws Failure if it could not be taken
  Answer entry(Offered entry) throws IOException, Failure {
    try (Folders.HeldFolder folder = terms.discards() ? null : above(entry)) {
      return Answer.of(entry.fileId(), plan(entry, folder));
    }
  }

  /// @param folder null if it is not there
  private AnswerKind plan(Offered entry, Folders.HeldFolder folder) throws IOException, Failure {
    if (folder == null) {
      byte[] name = entry.path().name().bytes();
      Claim claim = new Claim().begin(null, null, name, terms.status(entry), true, false);
      return made(entry, claim, AnswerKind.CREATE);
    }
    Claim claim = folder.claim(new Claim(), entry.path(), terms.status(entry));
    FileStatus there = claim.directory().statusOf(claim.name());
    return there == null ? made(entry, claim, AnswerKind.CREATE) : plan(entry, claim, there);
  }

  /// @param kind if it is not to be another name of a former copy
  private AnswerKind made(Offered entry, Claim claim, AnswerKind kind) throws IOException {
    boolean isFormer =
        former != null
            && entry.kind() == EntryKind.FILE
            && former.has(claim, entry.path().parent(), terms.given(entry).attributes());
    return isFormer ? AnswerKind.KEPT : kind;
  }

  private AnswerKind plan(Offered entry, Claim claim, FileStatus there)
      throws IOException, Failure {
    if (entry.kind() == EntryKind.HARD_LINK) {
      return planLink(entry, claim, there);
    }
    Failure refused = terms.conflict().decideIfReplaced(claim, there);
    boolean isKept =
        claim.isOver()
            || isSame(entry, claim, there, refused != null)
                && other.keepSame(claim, there, () -> terms.given(entry).attributes());
    if (isKept) {
      firstNames.arrived(entry);
      boolean isCorrected =
          claim.isSame()
              && terms.replaces()
              && other.needsCorrection(claim, terms.given(entry).attributes());
      return isCorrected ? AnswerKind.CORRECT : AnswerKind.KEPT;
    }
    if (refused != null) {
      throw refused;
    }
    return made(entry, claim, AnswerKind.REPLACE);
  }

  /// Whether what is there would stay. A file with size and time of its source would be compared,
  /// which takes reading both: here it counts as the same.
  private boolean isSame(Offered entry, Claim claim, FileStatus there, boolean isRefused)
      throws IOException {
    if (entry.kind() == EntryKind.FILE) {
      return entry.hasSize() && FileAge.isSame(there, claim.status());
    }
    byte[] link = entry.kind() == EntryKind.LINK ? entry.content().bytes() : null;
    return (isRefused || terms.conflict().skipsSame()) && other.isThere(claim, there, link);
  }

  /// Of another name of a file: whether it is that already.
  private AnswerKind planLink(Offered entry, Claim claim, FileStatus there)
      throws IOException, Failure {
    EntryPath first = firstNames.of(entry.firstId());
    if (first != null) {
      try (Folders.HeldFolder folder = folders.hold(first.parent(), false)) {
        FileStatus kept = folder.directory().statusOf(first.name().bytes());
        if (kept != null && kept.isSameFile(there)) {
          return AnswerKind.KEPT;
        }
      }
    }
    if (terms.conflict().skipsSame() && !there.isDirectory() && terms.replaces()) {
      return AnswerKind.REPLACE;
    }
    terms.conflict().decide(claim, there);
    return claim.isOver() ? AnswerKind.KEPT : AnswerKind.REPLACE;
  }
}
