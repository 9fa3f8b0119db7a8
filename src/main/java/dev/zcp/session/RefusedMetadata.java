package dev.zcp.session;

import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.wire.Keep;

/// What a sender would like kept of its entries besides their bytes, and the receiver's user does
/// not take: for each kind a [Loss], at both ends. Any thread may call it.
///
/// Modes are compared by their values, and owners where the receiver looks, since no sender knows
/// whose the files will be there. Whether there were attributes and lists nobody looks. What is not
/// looked for is named once and not counted.
public final class RefusedMetadata {

  /// Setuid, setgid and sticky: inode(7).
  private static final int SPECIAL = 07000;

  private final boolean owner;
  private final boolean mode;
  private final int masked;
  private final OwnUser self;
  private final Losses losses;

  /// @param kinds bits of [Keep]
  /// @param umask what the receiver's process takes from permissions; 0 if that is not known
  public RefusedMetadata(int kinds, int umask, Losses losses) {
    this(kinds, umask, Keep.OWNER.isIn(kinds) ? OwnUser.ofProcess() : null, losses);
  }

  /// @param self who gets the entries, and where that is unknown no owner counts as lost; null
  ///   where their owners are taken
  RefusedMetadata(int kinds, int umask, OwnUser self, Losses losses) {
    this.owner = Keep.OWNER.isIn(kinds) && self.isKnown();
    this.mode = Keep.MODE.isIn(kinds);
    this.masked = SPECIAL | umask;
    this.self = self;
    this.losses = losses;
  }

  /// Looks at an entry that arrives.
  ///
  /// @param bits the mode without the type; 0 of a symbolic link, whose mode says nothing
  /// @param name as [Losses#add] has it
  public void look(int bits, int user, int users, Object name) {
    if (owner && (user != self.owner() || users != self.group())) {
      losses.add(Loss.LossKind.OWNER, name, "not taken" + remedy(Keep.OWNER));
    }
    if (mode && (bits & masked) != 0) {
      losses.add(
          Loss.LossKind.MODE, name, Keep.MODE.label() + " are not taken" + remedy(Keep.MODE));
    }
  }

  /// Names a kind that nobody looked for.
  ///
  /// @param kinds bits of [Keep]: what is not taken
  /// @param where as [Losses#add] has a name: what stands for all entries
  public static void name(Keep keep, Loss.LossKind kind, int kinds, Object where, Losses losses) {
    if (keep.isIn(kinds)) {
      String which = keep == Keep.OWNER ? "if they are not the receiver's own" : "if there are any";
      losses.add(kind, where, "not taken, " + which + remedy(keep));
    }
  }

  private static String remedy(Keep keep) {
    return " (a receiver with --accept=" + keep.word() + " takes them)";
  }
}
