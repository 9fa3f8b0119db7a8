package dev.zcp.insight;

/// What became of a tree's entries, those files apart that were copied or failed.
///
/// @param directories made, not those that were there
/// @param symlinks made
/// @param hardLinks made to files that were copied before
/// @param specials FIFOs and devices made
/// @param kept files of the target that were left as they were, since that was asked for
/// @param skipped entries that were left out, such as sockets
public record Entries(
    long directories, long symlinks, long hardLinks, long specials, long kept, long skipped) {

  public static final Entries NONE = new Entries(0, 0, 0, 0, 0, 0);

  /// Whether anything was made.
  public boolean isAnyMade() {
    return directories + symlinks + hardLinks + specials > 0;
  }
}
