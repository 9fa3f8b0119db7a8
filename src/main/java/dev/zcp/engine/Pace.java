package dev.zcp.engine;

/// How much to move at once: large enough that calls cost nothing, small enough that progress stays
/// live and a slow link is seen to be slow and not stalled.
///
/// A chunk doubles while it is done sooner than [#SOON_NS] and halves when it took longer than
/// [#LATE_NS]. On loopback sendfile(2) gets from the first to the largest chunk within some 30 ms;
/// on a link of 10 MB/s it stays below 4 MiB.
public final class Pace {

  /// The first chunk, where nothing is known yet.
  static final long CHUNK_BYTES_FIRST = 4L << 20;

  /// No chunk gets smaller than this however slow the ends are.
  static final long CHUNK_BYTES_MIN = 64L << 10;

  static final long SOON_NS = 20_000_000;
  static final long LATE_NS = 250_000_000;

  private final long chunkBytesMax;
  private final boolean fixed;
  private long chunkBytes;

  private Pace(long chunkBytes, long chunkBytesMax, boolean fixed) {
    this.chunkBytes = chunkBytes;
    this.chunkBytesMax = chunkBytesMax;
    this.fixed = fixed;
  }

  /// A pace that never asks for more than `chunkBytesMax`.
  public static Pace adaptive(long chunkBytesMax) {
    return new Pace(Math.min(CHUNK_BYTES_FIRST, chunkBytesMax), chunkBytesMax, false);
  }

  /// The pace for a user's choice and a strategy's preference. A strategy that prefers no limit, as
  /// a clone of extents does, gets none.
  static Pace of(Choice choice, long chunkBytesPreferred) {
    if (choice.chunkBytes() != Choice.ADAPTIVE) {
      return new Pace(choice.chunkBytes(), choice.chunkBytes(), true);
    }
    return chunkBytesPreferred == Long.MAX_VALUE
        ? new Pace(Long.MAX_VALUE, Long.MAX_VALUE, true)
        : adaptive(chunkBytesPreferred);
  }

  public long chunkBytes() {
    return chunkBytes;
  }

  /// Learns from a step. Only a step that moved its whole chunk says anything of larger ones.
  public void took(long bytes, long elapsedNs) {
    if (fixed) {
      return;
    }
    if (elapsedNs > LATE_NS) {
      chunkBytes = Math.max(chunkBytes / 2, Math.min(CHUNK_BYTES_MIN, chunkBytesMax));
    } else if (elapsedNs < SOON_NS && bytes >= chunkBytes) {
      chunkBytes = chunkBytes > chunkBytesMax / 2 ? chunkBytesMax : chunkBytes * 2;
    }
  }
}
