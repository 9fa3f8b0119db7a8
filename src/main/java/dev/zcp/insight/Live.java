package dev.zcp.insight;

/// How far a command is, at any moment and from any thread: what would cost too much to tell of
/// each file, and is asked for ten times a second at most.
public interface Live {

  /// The bytes that were moved so far; where there is a peer, those that arrived for good.
  long bytesMoved();

  /// How many of them are known to be on the device, or -1 where nobody sees to that.
  long bytesDurable();

  /// The files that are done or have failed so far.
  long filesEnded();

  /// How many files there are, or -1 as long as that is not known.
  long filesAll();

  /// How many bytes there are to move, those that the peer had from before apart, or -1 as long as
  /// that is not known.
  long bytesAll();

  /// The name of the file that has been under way for longest, printable; empty where there is
  /// none.
  String current();
}
