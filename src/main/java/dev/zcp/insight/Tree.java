package dev.zcp.insight;

import java.util.List;
import java.util.Map;

/// What a tree came to, besides the bytes of its files.
///
/// @param bytesDurable bytes that were known to be on the device before the end, or -1 where nobody
///   saw to that
/// @param entries what became of its other entries
/// @param plan what a dry run would have done, or null where this was none
/// @param losses what targets could not keep of their sources, one of each kind
/// @param declined what the receiver does not take, one of each kind
/// @param paths by how many files each path of a copy was taken, by its label
public record Tree(
    long bytesDurable,
    Entries entries,
    Plan plan,
    List<Event.Lost> losses,
    List<Event.Declined> declined,
    Map<String, Long> paths) {

  /// Nothing but files.
  public static final Tree NONE = new Tree(-1, Entries.NONE, null, List.of(), List.of(), Map.of());
}
