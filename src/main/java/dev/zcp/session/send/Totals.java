package dev.zcp.session.send;

/// What is to come, in all.
///
/// @param entries how many of all kinds, or -1 if that is not known
/// @param bytes the sum of the sizes of regular files, or -1
/// @param dataBytes the same without holes, or -1
/// @param files how many regular files, or -1
record Totals(long entries, long bytes, long dataBytes, long files) {

  static final Totals UNKNOWN = new Totals(-1, -1, -1, -1);
}
