package dev.zcp.linux;

/// What statx(2) says of a file: the fields of `struct statx` that `struct stat` has, too.
///
/// @param device `st_dev`, as makedev(3) puts it together
/// @param inode `st_ino`
/// @param mode `st_mode`: type and permission bits
/// @param links `st_nlink`
/// @param owner `st_uid`
/// @param group `st_gid`
/// @param represents `st_rdev`: the device that a device node stands for
/// @param sizeBytes `st_size`
/// @param blocks `st_blocks`: how many blocks of 512 bytes the file takes
/// @param accessedSeconds `st_atim`, as [Time] has it, and so on
/// @param modifiedSeconds `st_mtim`
/// @param changedSeconds `st_ctim`
public record Stat(
    long device,
    long inode,
    int mode,
    int links,
    int owner,
    int group,
    long represents,
    long sizeBytes,
    long blocks,
    long accessedSeconds,
    int accessedNanos,
    long modifiedSeconds,
    int modifiedNanos,
    long changedSeconds,
    int changedNanos) {

  /// A `struct timespec`.
  ///
  /// @param seconds since 1970, negative before
  /// @param nanos 0 to 999,999,999, counted forwards also before 1970
  public record Time(long seconds, int nanos) {}

  /// What the kernel left in the structure of this thread's `scratch`: linux/stat.h.
  static Stat in(Scratch scratch) {
    return new Stat(
        device(scratch.structInt(136), scratch.structInt(140)),
        scratch.structLong(32),
        scratch.structInt(28) & 0xffff,
        scratch.structInt(16),
        scratch.structInt(20),
        scratch.structInt(24),
        device(scratch.structInt(128), scratch.structInt(132)),
        scratch.structLong(40),
        scratch.structLong(48),
        scratch.structLong(64),
        scratch.structInt(72),
        scratch.structLong(112),
        scratch.structInt(120),
        scratch.structLong(96),
        scratch.structInt(104));
  }

  /// `gnu_dev_makedev` of the GNU C library: what `st_dev` is where Java reads it.
  private static long device(long major, long minor) {
    return (major & 0xfff) << 8
        | (major & 0xffff_f000L) << 32
        | minor & 0xff
        | (minor & 0xffff_ff00L) << 12;
  }
}
