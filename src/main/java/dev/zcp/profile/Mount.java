package dev.zcp.profile;

/// A mounted file system, as `/proc/self/mountinfo` tells of it: proc_pid_mountinfo(5). Each is
/// text in that file's own escapes, in which every byte that is not printable ASCII is `\` and
/// three octal digits.
///
/// The device's number is left out on purpose: tmpfs, overlay and NFS get another at each boot.
///
/// @param type `ext4`, `tmpfs`
/// @param source what is mounted: `/dev/sda1`, `server:/export`, or a word that says nothing
/// @param point where it is mounted
public record Mount(String type, String source, String point) {

  /// Whether the same is mounted at the same place. By hand, here and wherever else a copy
  /// compares: the first `equals` of a record costs a cold process 15 ms, since no AOT cache holds
  /// what it is made of.
  boolean isSameAs(Mount other) {
    return point.equals(other.point) && type.equals(other.type) && source.equals(other.source);
  }

  /// `ext4 at /home`.
  @Override
  public String toString() {
    return type + " at " + point;
  }
}
