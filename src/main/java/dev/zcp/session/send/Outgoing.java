package dev.zcp.session.send;

import dev.zcp.core.Span;
import dev.zcp.io.NativeFile;
import dev.zcp.spi.Source;
import dev.zcp.wire.Offered;
import java.io.IOException;
import java.util.List;

/// One entry that is to be sent. What it says of itself is what it was when it was looked at.
///
/// Any thread may call any method, and several may at once.
interface Outgoing {

  /// The source's path, printable by its `toString`, which is only called where it is told.
  Object label();

  /// What is offered of it, without its bytes.
  ///
  /// @param fileId its id in the session; another one where it is offered a second time
  Offered offered(long fileId);

  /// Where its source keeps no room for its bytes, in ascending order; of what is no regular file,
  /// and where holes are not to be kept, none.
  List<Span> holes();

  /// A descriptor of its own on a regular file, to be closed by the caller.
  NativeFile open() throws IOException;

  /// What a stream of unknown length comes from, to be closed by the caller.
  Source stream() throws IOException;

  /// Whether `file`, which [#open] gave, is the file that was looked at, and nobody wrote to it
  /// since.
  boolean isUnchanged(NativeFile file) throws IOException;

  /// The same entry, looked at again, so that it can be offered once more after it had changed.
  Outgoing lookedAtAgain() throws IOException;

  /// It is over. Called once, of the last try of it.
  ///
  /// @param fileId the id that it was offered by last
  /// @param well whether the receiver has it
  void over(long fileId, boolean well);
}
