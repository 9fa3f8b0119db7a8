package dev.zcp.tree;

import dev.zcp.core.Level;
import dev.zcp.linux.NativeFile;
import dev.zcp.linux.PageCache;
import java.io.Closeable;
import java.io.IOException;

/// A file that was written, open to be read back.
///
/// @param file what to read: the target itself, or the same file once more if it `isOwn`
/// @param isOwn whether `file` was opened for this
/// @param reached what reading it proves
public record MediaReading(NativeFile file, boolean isOwn, Level reached) implements Closeable {

  /// The way to read `target` that proves most, and no more than `asked`.
  ///
  /// For [Level#MEDIA] the file is written to its device and put out of the page cache; if pages
  /// stay it is read past them. A file that lives in memory has no media to be read from.
  ///
  /// @throws IOException if it cannot be written to its device
  public static MediaReading of(Level asked, NativeFile target) throws IOException {
    if (asked != Level.MEDIA || PageCache.isInMemory(target.descriptor())) {
      return new MediaReading(target, false, Level.READBACK);
    }
    if (PageCache.putOut(target)) {
      return new MediaReading(target, false, Level.MEDIA);
    }
    NativeFile direct = PageCache.direct(target);
    return direct == null
        ? new MediaReading(target, false, Level.READBACK)
        : new MediaReading(direct, true, Level.MEDIA);
  }

  @Override
  public void close() throws IOException {
    if (isOwn) {
      file.close();
    }
  }
}
