package dev.zcp.testing;

import dev.zcp.tree.IgnorePatterns.Filter;
import dev.zcp.tree.Preserve;
import dev.zcp.walk.Selection;
import dev.zcp.walk.Selection.Links;

/// What `-a` asks for.
public final class Archive {

  /// All of a tree.
  public static final Selection TREE =
      new Selection(true, true, Links.KEPT, false, Filter.NONE, null);

  /// Everything is kept.
  public static final Preserve ALL = new Preserve(true, true, true, true, true, true, true);

  private Archive() {}
}
