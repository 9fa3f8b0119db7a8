package dev.zcp.linux;

/// What this machine still has to write to its devices: `/proc/vmstat` of proc(5).
///
/// @param bytes what is dirty or being written
/// @param slowedFromBytes from how many on the kernel slows writers down: halfway between what it
///   writes in the background and what it allows, as `dirty_freerun_ceiling` of Linux has it
public record DirtyPages(long bytes, long slowedFromBytes) {

  /// null if the kernel does not tell.
  public static DirtyPages now() {
    String text = ProcFile.text("/proc/vmstat");
    long pageBytes = OwnProcess.pageBytes();
    try {
      long dirty = ProcFile.number(text, "\nnr_dirty ");
      long underWrite = ProcFile.number(text, "\nnr_writeback ");
      long background = ProcFile.number(text, "\nnr_dirty_background_threshold ");
      long max = ProcFile.number(text, "\nnr_dirty_threshold ");
      return pageBytes <= 0
          ? null
          : new DirtyPages((dirty + underWrite) * pageBytes, (background + max) / 2 * pageBytes);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
