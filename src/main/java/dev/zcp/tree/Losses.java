package dev.zcp.tree;

import dev.zcp.insight.Event;
import java.util.ArrayList;
import java.util.List;

/// What targets could not keep, by its kind. Any thread may call it.
public final class Losses {

  private final Loss[] byKind = new Loss[Loss.LossKind.values().length];

  /// @param name the entry; its text is asked for if it is the first of its kind, and printable
  /// @param reason a phrase without a full stop
  public synchronized void add(Loss.LossKind kind, Object name, String reason) {
    Loss before = byKind[kind.ordinal()];
    byKind[kind.ordinal()] =
        before == null
            ? new Loss(kind, 1, name.toString(), reason)
            : new Loss(kind, before.files() + 1, before.firstName(), before.reason());
  }

  /// One for each kind that was lost.
  public synchronized List<Loss> all() {
    List<Loss> all = new ArrayList<>();
    for (Loss loss : byKind) {
      if (loss != null) {
        all.add(loss);
      }
    }
    return all;
  }

  /// Something that a target could not keep of its sources.
  ///
  /// @param kind what it is
  /// @param files of how many entries
  /// @param firstName the first of them, printable
  /// @param reason why, of the first: a phrase without a full stop
  public record Loss(LossKind kind, long files, String firstName, String reason) {

    /// What a user is told.
    public Event.Lost told() {
      boolean isUsual = kind == LossKind.OWNER_OF_USER;
      return new Event.Lost(kind.label(), files, firstName, reason, isUsual);
    }

    /// Of each kind a user is told once.
    public enum LossKind {
      MODE("permissions"),
      OWNER("owner and group"),

      /// The kernel lets root alone give files away, chown(2), and this is another user.
      OWNER_OF_USER("owner and group"),
      TIMES("times"),
      XATTR("extended attributes"),
      ACL("access control lists"),
      HARD_LINK("hard links");

      private final String label;

      LossKind(String label) {
        this.label = label;
      }

      /// What is lost, as a message names it.
      public String label() {
        return label;
      }
    }
  }
}
