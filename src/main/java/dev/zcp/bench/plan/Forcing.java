package dev.zcp.bench.plan;

/// When what was written is forced to its device: fdatasync(2), or msync(2) for a mapping.
///
/// @param everyBytes after how many bytes, each time; [#NEVER], or [Long#MAX_VALUE] for once at the
///   end
/// @param asynchronous whether a thread of its own does it while writing goes on; the run ends when
///   both have
public record Forcing(long everyBytes, boolean asynchronous) {

  public static final Forcing NEVER = new Forcing(0, false);
  public static final Forcing AT_THE_END = new Forcing(Long.MAX_VALUE, false);

  public Forcing {
    if (everyBytes < 0) {
      throw new IllegalArgumentException("a force every " + everyBytes + " bytes");
    }
  }

  /// What it comes to for a file of this size: once at the end where its first time is not before.
  Forcing of(long fileBytes) {
    return everyBytes >= Math.max(1, fileBytes) ? AT_THE_END : this;
  }
}
