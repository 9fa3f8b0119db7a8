package dev.zcp.tree;

/// What the target of a copy is to its sources. Goes over the wire by its ordinal.
public enum Placement {
  /// The directory they go into, if it is one, else the name that the one source gets.
  AS_FOUND,
  /// The directory they go into, which must be there: `-t`.
  INSIDE,
  /// The name that the one source gets, be it a directory's or not: `-T`.
  EXACTLY
}
