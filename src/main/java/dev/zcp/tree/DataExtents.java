package dev.zcp.tree;

import dev.zcp.core.Span;
import dev.zcp.linux.NativeFile;
import java.io.IOException;

/// Where a file has data, one run after the other: what lies between is holes. A file system that
/// does not tell has one run of data from end to end.
public final class DataExtents {

  private final NativeFile file;
  private final long size;

  /// The run to give next, or null at the end.
  private Span next;

  /// @param size how long the file is taken to be; what it has after that is left alone
  public DataExtents(NativeFile file, long size) {
    this(file, size, 0);
  }

  /// Of the file from `offset` on.
  public DataExtents(NativeFile file, long size, long offset) {
    this.file = file;
    this.size = size;
    this.next = from(offset);
  }

  /// Whether there is no hole, as is so of compressed files. To be asked before the first run.
  public boolean coverAll() {
    return next != null && next.length() == size;
  }

  /// The next run, or null if there is none before the end.
  public Span next() {
    Span given = next;
    if (given != null) {
      next = from(given.end());
    }
    return given;
  }

  private Span from(long offset) {
    try {
      long data = offset < size ? file.dataFrom(offset) : -1;
      if (data < 0 || data >= size) {
        return null;
      }
      long hole = file.holeFrom(data);
      long end = hole < 0 ? size : Math.min(hole, size);
      return new Span(data, end - data);
    } catch (IOException e) {
      // Only who reads knows then.
      return new Span(offset, size - offset);
    }
  }
}
