package dev.zcp.session;

import dev.zcp.linux.FileStatus;
import dev.zcp.tree.AttributeSource.GivenAttribute;
import dev.zcp.tree.Losses;
import dev.zcp.tree.Losses.Loss;
import dev.zcp.wire.Keep;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/// What a sender would like kept of its entries besides their bytes, and the receiver's user does
/// not take: for each kind a [Loss], at both ends. Any thread may call it.
///
/// Modes are compared by their values, and owners where the receiver looks, since no sender knows
/// whose the files will be there. Extended attributes and access control lists are looked at where
/// they are read, since they do not travel.
public final class RefusedMetadata {

  /// Setuid, setgid and sticky: inode(7).
  private static final int SPECIAL = 07000;

  private static final String NOT_TAKEN = "not taken";

  private final int kinds;
  private final boolean mode;
  private final int masked;
  private final OwnUser self;
  private final Losses losses;

  /// Whose the files are that this process makes.
  record OwnUser(int owner, int group) {

    /// By who owns the process's directory in procfs: proc(5). Null if the system does not say.
    private static OwnUser ofProcess() {
      try {
        FileStatus process = FileStatus.of(Path.of("/proc/self"));
        return new OwnUser(process.owner(), process.group());
      } catch (IOException e) {
        // Then no owner is said to be lost.
        return null;
      }
    }
  }

  /// @param kinds bits of [Keep]
  /// @param umask what the receiver's process takes from permissions; 0 if that is not known
  public RefusedMetadata(int kinds, int umask, Losses losses) {
    this(kinds, umask, Keep.OWNER.isIn(kinds) ? OwnUser.ofProcess() : null, losses);
  }

  /// @param self who gets the entries; null if their owners are taken, and if that is unknown: no
  ///   owner counts as lost then
  RefusedMetadata(int kinds, int umask, OwnUser self, Losses losses) {
    this.kinds = kinds;
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
    if (self != null && (user != self.owner() || users != self.group())) {
      losses.add(Loss.LossKind.OWNER, name, NOT_TAKEN + remedy(Keep.OWNER));
    }
    if (mode && (bits & masked) != 0) {
      losses.add(
          Loss.LossKind.MODE, name, Keep.MODE.label() + " are not taken" + remedy(Keep.MODE));
    }
  }

  /// Looks at the extended attributes of an entry that is sent, access control lists among them.
  ///
  /// @param name as [Losses#add] has it
  /// @return those that are taken
  public List<GivenAttribute> taken(List<GivenAttribute> given, Object name) {
    if (given.isEmpty()) {
      return given;
    }
    List<GivenAttribute> taken = new ArrayList<>(given.size());
    EnumSet<Keep> missed = EnumSet.noneOf(Keep.class);
    for (GivenAttribute each : given) {
      Keep keep = each.isAccessList() ? Keep.ACL : Keep.XATTR;
      if (keep.isIn(kinds)) {
        missed.add(keep);
      } else {
        taken.add(each);
      }
    }
    for (Keep keep : missed) {
      Loss.LossKind kind = keep == Keep.ACL ? Loss.LossKind.ACL : Loss.LossKind.XATTR;
      losses.add(kind, name, NOT_TAKEN + remedy(keep));
    }
    return taken;
  }

  /// Adds that a receiver says that it did not take owners which were not its own.
  ///
  /// @param peer the receiver: nobody here knows which entries
  public static void tellOwners(Object peer, Losses losses) {
    losses.add(Loss.LossKind.OWNER, peer, NOT_TAKEN + remedy(Keep.OWNER));
  }

  private static String remedy(Keep keep) {
    return " (a receiver with --accept=" + keep.word() + " takes them)";
  }
}
