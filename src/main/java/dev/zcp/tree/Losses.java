package dev.zcp.tree;

import java.util.ArrayList;
import java.util.List;

/// What targets could not keep, by its kind. Any thread may call it.
public final class Losses {

  private final Loss[] byKind = new Loss[Loss.Kind.values().length];

  /// @param name the entry; its text is asked for where it is the first of its kind, and printable
  /// @param reason a phrase without a full stop
  public synchronized void add(Loss.Kind kind, Object name, String reason) {
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
}
