package dev.zcp.bench;

import dev.zcp.core.RawPath;
import dev.zcp.session.KeySource;

/// What `zcp bench --tune` was asked to do.
///
/// @param source a regular file, or a directory in which one is made for the while
/// @param target a directory, in which trials are made and removed; else the address of a receiver
///   that keeps nothing
/// @param key where the receiver's key may come from
/// @param fileBytes how long the file is to be if one is made
/// @param runs how many runs of each way count
/// @param seed of the order in which ways take turns
/// @param profile where the figures go
public record TuneRequest(
    RawPath source,
    RawPath target,
    KeySource key,
    long fileBytes,
    int runs,
    long seed,
    RawPath profile,
    String zcpVersion) {

  /// Fewer do not tell chance from a difference.
  public static final int RUNS_MIN = 7;

  /// In a shorter file what is paid once hides what is paid for each MiB.
  static final long FILE_BYTES_MIN = 8L << 20;

  /// Hears how the tuning gets on, never while a clock runs.
  @FunctionalInterface
  public interface TuneListener {

    /// A race begins.
    ///
    /// @param what it is for, a phrase
    void begins(String what, int ways, int runs);

    /// A trial is about to run.
    ///
    /// @param way a strategy, with its chunk if it is not its own
    /// @param done how many trials of this race are over
    /// @param most how many there are at most: what cannot win is left out later
    default void running(String way, int done, int most) {}
  }
}
