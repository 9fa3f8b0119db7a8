package dev.zcp.session;

import dev.zcp.core.Name;
import dev.zcp.insight.Verified;
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
/// @param bytesMax of a session at most, or [#UNLIMITED]
/// @param filesMax entries of a session at most, or [#UNLIMITED]
/// @param names what the first name of each path must be one of, or null for any: so a sender that
///   was asked for certain files can give no others
/// @param discard whether each file is thrown away where it would get its name; `existing` does not
///   matter then
/// @param durable whether each file is on the device before it counts as received, and all else
///   before the session does
public record Admission(
    Existing existing,
    int keeps,
    Verified verify,
    ResumeVerify resumeVerify,
    long bytesMax,
    long filesMax,
    boolean discard,
    Set<Name> names,
    boolean durable) {

  public static final long UNLIMITED = Long.MAX_VALUE;

  /// Of any names, and nothing is forced to the device.
  public Admission(
      Existing existing,
      int keeps,
      Verified verify,
      ResumeVerify resumeVerify,
      long bytesMax,
      long filesMax,
      boolean discard) {
    this(existing, keeps, verify, resumeVerify, bytesMax, filesMax, discard, null, false);
  }

  public static final Admission USUAL =
      new Admission(Existing.REFUSE, 0, null, ResumeVerify.ALL, UNLIMITED, UNLIMITED, false);

  /// This, of certain names only.
  public Admission of(Set<Name> only) {
    return new Admission(
        existing, keeps, verify, resumeVerify, bytesMax, filesMax, discard, only, durable);
  }

  /// This, as [#durable] or not.
  public Admission durable(boolean isDurable) {
    return new Admission(
        existing, keeps, verify, resumeVerify, bytesMax, filesMax, discard, names, isDurable);
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
