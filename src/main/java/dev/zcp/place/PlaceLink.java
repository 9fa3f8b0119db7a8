package dev.zcp.place;

import dev.zcp.core.Failure;
import dev.zcp.linux.FileStatus;
import dev.zcp.place.Partials.Partial;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;

/// Gives a copy that is there further names. Any thread may call it.
public final class PlaceLink {

  private final Conflict conflict;
  private final Partials partials;
  private final Durability durability;
  private final Losses losses;
  private final SameFile same;

  /// @param losses what of the further names could not be
  /// @param same asked of what has the name if it has the copy's type, size and time
  public PlaceLink(
      Conflict conflict, Partials partials, Durability durability, Losses losses, SameFile same) {
    this.conflict = conflict;
    this.partials = partials;
    this.durability = durability;
    this.losses = losses;
    this.same = same;
  }

  /// Of former copies: what cannot be another name of one is copied, and nothing is lost by that.
  public static PlaceLink ofFormerCopies(
      Conflict conflict, Partials partials, Durability durability) {
    return new PlaceLink(conflict, partials, durability, new Losses(), (_, _, _, _) -> false);
  }

  /// Tells whether what has the name is as good as the copy, so that it loses the name whatever the
  /// policy: an earlier run may have copied it as a file of its own.
  @FunctionalInterface
  public interface SameFile {

    /// @param from the directory of the copy
    /// @param name the copy's there
    boolean isSame(Conflict.Claim claim, FileStatus existing, OpenDirectory from, byte[] name)
        throws IOException;
  }

  /// What came of giving a copy another name.
  public enum Linked {
    MADE,
    /// The copy had the name before.
    ALREADY,
    /// What has the name stays.
    KEPT,
    /// The copy can have no other name, as was told.
    OBSTACLE
  }

  /// Whether the name leads to the copy already. If not, it is decided what becomes of what has it.
  ///
  /// @param from the directory of the copy
  /// @param name the copy's there
  public boolean isThere(Conflict.Claim claim, OpenDirectory from, byte[] name)
      throws IOException, Failure {
    FileStatus existing = claim.directory().statusOf(claim.name());
    if (existing == null) {
      return false;
    }
    FileStatus copy = from.statusOf(name);
    if (copy != null && existing.isSameFile(copy)) {
      if (existing.links() < 2 || folded(claim.name()).equals(folded(name))) {
        // Both may be one name to the file system. Others need not be looked up: that takes a
        // listing.
        conflict.requireExact(claim, from, name);
      }
      return true;
    }
    if (isLike(existing, copy) && same.isSame(claim, existing, from, name)) {
      conflict.replace(claim, existing);
    } else {
      conflict.decide(claim, existing);
    }
    return false;
  }

  /// What spellings of a name have in common that file systems take for one name. FAT, exFAT, SMB
  /// and directories with the attribute `F` of chattr(1) ignore case; FAT and exFAT drop dots at
  /// the end; some file systems normalize Unicode. Upper case comes first: it is SS of both ss and
  /// the sharp s.
  private static String folded(byte[] name) {
    String text = new String(name, StandardCharsets.UTF_8);
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '.') {
      end--;
    }
    return Normalizer.normalize(text.substring(0, end), Form.NFC)
        .toUpperCase(Locale.ROOT)
        .toLowerCase(Locale.ROOT);
  }

  private static boolean isLike(FileStatus existing, FileStatus copy) {
    return copy != null
        && existing.type() == copy.type()
        && existing.sizeBytes() == copy.sizeBytes()
        && existing.modified().equals(copy.modified());
  }

  /// As [Conflict#keepsAlone], of what would lose the name.
  boolean keepsAlone(Conflict.Claim claim) {
    return conflict.keepsAlone(claim, claim.replaced());
  }

  /// Gives the copy the claim's name.
  public Linked link(Conflict.Claim claim, OpenDirectory from, byte[] name)
      throws IOException, Failure {
    OpenDirectory to = claim.directory();
    FileStatus copy = claim.replaced() == null ? null : from.statusOf(name);
    if (copy != null && copy.isSameFile(claim.replaced())) {
      // A rename to another name of the same file does nothing, and would leave the hidden one.
      conflict.remember(claim, copy);
      return Linked.ALREADY;
    }
    if (claim.replaced() == null) {
      try {
        return linked(claim, to.addNameIfPossible(claim.name(), from, name));
      } catch (FileAlreadyExistsException e) {
        // Somebody was faster: as if something had been there from the beginning.
      }
    }
    String[] obstacle = new String[1];
    Partial partial = partials.begin(to);
    try {
      partial.make(hidden -> obstacle[0] = to.addNameIfPossible(hidden, from, name));
      if (obstacle[0] == null) {
        conflict.reveal(claim, partial::reveal);
      }
    } finally {
      partial.discard();
    }
    return claim.isOver() ? Linked.KEPT : linked(claim, obstacle[0]);
  }

  /// @param obstacle why the copy can have no other name, or null if it has one more
  private Linked linked(Conflict.Claim claim, String obstacle) throws IOException {
    if (obstacle != null) {
      losses.add(Loss.LossKind.HARD_LINK, claim.sourceLabel(), obstacle);
      return Linked.OBSTACLE;
    }
    if (conflict.remembers(claim)) {
      conflict.remember(claim, claim.directory().statusOf(claim.name()));
    }
    durability.made(claim.directory());
    return Linked.MADE;
  }
}
