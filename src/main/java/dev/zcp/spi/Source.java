package dev.zcp.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// Where bytes come from. Used by one thread at a time, except that [#read] at distinct offsets of
/// a seekable source may be called by several.
public interface Source extends Closeable {

  Route.Traits traits();

  /// Reads at least one byte into `target`, which has room, and returns how many.
  ///
  /// @param offset where to read; an end that cannot seek ignores it and reads what comes next
  /// @return the count, or -1 at the end
  /// @throws IOException if reading fails
  int read(ByteBuffer target, long offset) throws IOException;

  /// The channel behind this end: a [java.nio.channels.FileChannel] if the end is seekable. A
  /// strategy must leave the position of a seekable channel as it found it, or not rely on it.
  ReadableByteChannel channel();

  /// The descriptor's number, for ends with [Route.Traits#hasDescriptor]. It stays open as long as
  /// this source does.
  int descriptor();
}
