package dev.zcp.session.send;

import dev.zcp.core.Failure;
import dev.zcp.core.Span;
import dev.zcp.io.FileStatus;
import dev.zcp.spi.Source;
import dev.zcp.wire.EntryKind;
import dev.zcp.wire.Offered;
import java.util.List;

/// An entry on its way: what is offered of it, and what its bytes are read from. Any thread may
/// call it.
final class Outgoing {

  /// The entry as the receiver gets to know it. To be called once, by [Outlet#offer].
  Offered offered(long fileId) {
    throw new UnsupportedOperationException();
  }

  /// The id that it was offered under.
  long fileId() {
    throw new UnsupportedOperationException();
  }

  EntryKind kind() {
    throw new UnsupportedOperationException();
  }

  /// Of a regular file; [Offered#SIZE_UNKNOWN] of a stream, else 0.
  long size() {
    throw new UnsupportedOperationException();
  }

  /// What it was when it was offered; null for standard input.
  FileStatus status() {
    throw new UnsupportedOperationException();
  }

  /// Its name for messages, put together only where it is shown.
  Object label() {
    throw new UnsupportedOperationException();
  }

  /// Opens it to read from, for the caller to close: a file, which can be read at any place by
  /// several threads, or a stream.
  ///
  /// @throws Failure SOURCE where it is missing, is another file than the one that was offered, or
  ///   may not be read
  Source open() throws Failure {
    throw new UnsupportedOperationException();
  }

  /// Whether its name still leads to the same file, and nobody wrote to that since it was looked
  /// at. Streams cannot tell and count as unchanged.
  boolean isUnchanged() {
    throw new UnsupportedOperationException();
  }

  /// The holes in a file that is sparse and whose holes are to be kept, in ascending order.
  ///
  /// @throws Failure as [#open]
  List<Span> holes() throws Failure {
    throw new UnsupportedOperationException();
  }

  /// The same entry as it is now, to be offered anew in place of this one, which is not told to be
  /// over then.
  ///
  /// @throws Failure SOURCE where it is missing, or no regular file any more
  Outgoing anew() throws Failure {
    throw new UnsupportedOperationException();
  }

  /// Whether a directory that it is in was not taken: that was told, and this need not be.
  boolean isBelowRefused() {
    throw new UnsupportedOperationException();
  }

  /// The entry is over, in whatever way. To be called once for each that was offered, and not while
  /// something is held that [Outlet#ended] takes.
  ///
  /// @param well whether the receiver has it
  void over(boolean well) {
    throw new UnsupportedOperationException();
  }
}
