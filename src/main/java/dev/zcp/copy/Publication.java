package dev.zcp.copy;

import dev.zcp.core.Failure;
import dev.zcp.io.NativeFile;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;

/// A file that is complete under a partial name, and what is left to be done for it.
///
/// Whoever it is given to calls [#reveal] once at most, then exactly one of [#done] and [#failed],
/// from any thread. Until then the file stays open, but for what [#reveal] closes, and [#directory]
/// may be asked for.
interface Publication {

  /// The file, for messages.
  Object label();

  /// The file, open for writing.
  NativeFile file();

  /// The directory that it gets its name in, open.
  OpenDirectory directory() throws IOException;

  /// Closes the file and gives it its final name.
  void reveal() throws IOException, Failure;

  /// It has its name, and is as safe as was asked for. May give further publications away.
  void done();

  /// It is not, and no further step is taken for it. It may have its name all the same, where it
  /// was revealed and the name could not be forced.
  void failed(Failure failure);
}
