package dev.zcp.bench.tune;

import dev.zcp.core.RawPath;
import dev.zcp.session.Address;
import dev.zcp.session.KeySource;

/// What `zcp bench --tune` was asked to do.
///
/// @param source a regular file, or a directory in which one is made for the while
/// @param fileBytes how long that is to be
/// @param runs how many runs of each way count
/// @param seed of the order in which ways take turns
/// @param profile where the figures go
/// @param zcpVersion as `zcp --version` says it
public record TuneRequest(
    RawPath source,
    Target target,
    long fileBytes,
    int runs,
    long seed,
    RawPath profile,
    String zcpVersion) {

  /// Fewer do not tell chance from a difference.
  public static final int RUNS_MIN = 7;

  /// In a shorter file what is paid once hides what is paid for each MiB.
  public static final long FILE_BYTES_MIN = 8L << 20;

  /// Where the trials go.
  public sealed interface Target {

    /// A directory, in which trials are made and removed.
    record Directory(RawPath path) implements Target {}

    /// A receiver that keeps nothing.
    ///
    /// @param plain whether a connection off this machine may go unencrypted
    /// @param connectTimeoutNs how long to wait for the connection
    /// @param stallTimeoutNs how long the peer may make no progress
    record Peer(
        Address address, KeySource key, boolean plain, long connectTimeoutNs, long stallTimeoutNs)
        implements Target {}
  }
}
