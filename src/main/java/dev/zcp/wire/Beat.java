package dev.zcp.wire;

/// This end lives. A count that grows says that it is at work, in a transfer or in a system call
/// that does not return.
///
/// @param count raw bytes that this end has sent or received so far over this connection; a
///   receiver adds the beats while it had something to do
public record Beat(long count) implements Frame {

  static final int PAYLOAD_BYTES = 8;

  public Beat {
    Limits.requireSize(count);
  }
}
