package dev.zcp.insight;

import dev.zcp.core.ByteSize;

/// A connection to a peer that has proved the key.
///
/// @param peer the other end, printable
/// @param discards whether the receiving end throws away what it takes
/// @param buffer the kernel's buffer on this end, as the connection began
public record Link(String peer, boolean discards, SocketBuffer buffer) {

  /// The kernel's buffer of a socket, on the way that data takes: socket(7).
  ///
  /// @param option `SO_SNDBUF` or `SO_RCVBUF`
  /// @param askedBytes what was asked for, or 0 if the kernel tunes the buffer by itself
  /// @param givenBytes what getsockopt(2) says of it, which is twice what the kernel took: the
  ///   other half is for its own bookkeeping
  /// @param sysctl the setting that limits what the kernel takes
  public record SocketBuffer(String option, int askedBytes, long givenBytes, String sysctl) {

    /// Whether somebody asked.
    public boolean isAsked() {
      return askedBytes > 0;
    }

    /// Whether the kernel took less than what was asked for.
    public boolean isCapped() {
      return isAsked() && takenBytes() < askedBytes;
    }

    String whyCapped() {
      return "--socket-buffer: the kernel took "
          + new ByteSize(takenBytes())
          + " of the "
          + new ByteSize(askedBytes)
          + " asked for ("
          + sysctl
          + " is its limit)";
    }

    private long takenBytes() {
      return givenBytes / 2;
    }
  }
}
