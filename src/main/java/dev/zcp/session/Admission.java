package dev.zcp.session;

import dev.zcp.core.Level;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Policy.Deleting;
import dev.zcp.tree.Policy.Existing;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;
import dev.zcp.wire.Keep;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a receiver takes.
///
/// @param existing REPLACE with `--overwrite`, else REFUSE
/// @param keeps bits of [dev.zcp.wire.Keep]
/// @param verify how far it proves arrivals at least, or null for what each sender asks for
/// @param resumeVerify what of the bytes that are there from before it reads again
/// @param bytesMax of all sessions of a receiver together, or [#UNLIMITED]
/// @param filesMax entries of them, likewise, or [#UNLIMITED]
/// @param deletion what is deleted that the sender does not have, or null if nothing is
/// @param names what the first name of each path must be one of, or null for any: so a sender that
///   was asked for certain files can give no others
/// @param trees whether directories are taken, and what is in them
/// @param discard whether each file is thrown away where it would get its name; `existing` does not
///   matter then
/// @param former what unchanged files become names of
/// @param durable whether each file is on the device before it counts as received, and all else
///   before the session does
/// @param dryRun whether nothing is made: then a sender that is to have something made is refused
public record Admission(
    Existing existing,
    int keeps,
    Level verify,
    ResumeVerify resumeVerify,
    long bytesMax,
    long filesMax,
    boolean discard,
    Deletion deletion,
    Former former,
    Set<Name> names,
    boolean trees,
    boolean durable,
    boolean dryRun) {

  /// Entries of a directory are deleted if the sender's directory that is merged into it does not
  /// have them.
  ///
  /// @param deleting how many
  /// @param filter what it leaves out stays; paths are below a source
  /// @param isOfTarget whether the content of the only source comes, so that the receiver's
  ///   directory is one of those that lose entries, and paths begin there
  public record Deletion(Deleting deleting, Filter filter, boolean isOfTarget) {}

  /// Trees of former copies: see [dev.zcp.place.FormerCopies].
  ///
  /// @param trees none if there are no former copies
  /// @param target the copy of what is sent, which relative paths of trees begin at
  /// @param isOfName whether `target` is the first name of what is sent, and not the receiver's
  ///   directory
  public record Former(List<RawPath> trees, RawPath target, boolean isOfName) {

    public static final Former NONE = new Former(List.of(), null, false);
  }

  public static final long UNLIMITED = Long.MAX_VALUE;

  /// Of any names, and nothing is forced to the device.
  public Admission(
      Existing existing,
      int keeps,
      Level verify,
      ResumeVerify resumeVerify,
      long bytesMax,
      long filesMax,
      boolean discard) {
    this(
        existing,
        keeps,
        verify,
        resumeVerify,
        bytesMax,
        filesMax,
        discard,
        null,
        Former.NONE,
        null,
        true,
        false,
        false);
  }

  public static final Admission USUAL =
      new Admission(Existing.REFUSE, 0, null, ResumeVerify.ALL, UNLIMITED, UNLIMITED, false);

  /// @param isRecursive whether directories were asked for
  public Admission of(Set<Name> only, boolean isRecursive) {
    return with(deletion, former, only, isRecursive, durable, dryRun);
  }

  /// This, of the only source, which gets that name.
  public Admission ofTheOnly(Name name, boolean isRecursive) {
    Deletion below =
        deletion == null ? null : new Deletion(deletion.deleting(), deletion.filter(), false);
    Former named = new Former(former.trees(), former.target(), true);
    return with(below, named, Set.of(name), isRecursive, durable, dryRun);
  }

  public Admission deleting(Deletion what) {
    return with(what, former, names, trees, durable, dryRun);
  }

  public Admission linkingTo(Former what) {
    return with(deletion, what, names, trees, durable, dryRun);
  }

  public Admission durable(boolean isDurable) {
    return with(deletion, former, names, trees, isDurable, dryRun);
  }

  public Admission dryRun(boolean isDryRun) {
    return with(deletion, former, names, trees, durable, isDryRun);
  }

  private Admission with(
      Deletion what,
      Former linked,
      Set<Name> only,
      boolean takesTrees,
      boolean isDurable,
      boolean isDryRun) {
    return new Admission(
        existing,
        keeps,
        verify,
        resumeVerify,
        bytesMax,
        filesMax,
        discard,
        what,
        linked,
        only,
        takesTrees,
        isDurable,
        isDryRun);
  }

  /// Bits of [Keep]: what a sender asks for that takes and preserves this.
  public static int keepsOf(Selection selection, Preserve preserve) {
    return bit(Keep.LINKS, selection.links() != Links.FOLLOWED)
        | bit(Keep.SPECIALS, selection.specials())
        | bit(Keep.HARD_LINKS, preserve.links())
        | bit(Keep.MODE, preserve.mode())
        | bit(Keep.OWNER, preserve.owner())
        | bit(Keep.XATTR, preserve.xattr())
        | bit(Keep.ACL, preserve.acl());
  }

  private static int bit(Keep keep, boolean wanted) {
    return wanted ? keep.bit() : 0;
  }

  /// What a receiver may be told to take besides, as the command line has it.
  public static final List<String> KEEP_WORDS = words();

  /// The bit of one of [#KEEP_WORDS].
  public static int keepOf(String word) {
    for (Keep keep : Keep.values()) {
      if (keep.word().equals(word)) {
        return keep.bit();
      }
    }
    throw new IllegalArgumentException(word);
  }

  private static List<String> words() {
    List<String> words = new ArrayList<>();
    for (Keep keep : Keep.values()) {
      words.add(keep.word());
    }
    return List.copyOf(words);
  }
}
