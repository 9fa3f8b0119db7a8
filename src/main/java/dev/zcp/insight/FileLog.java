package dev.zcp.insight;

import dev.zcp.core.Failure;
import dev.zcp.core.Level;
import dev.zcp.engine.Transfer.Observer;

/// What happens to one file: the observer of its transfer, and the place where the operations on it
/// are booked.
public interface FileLog extends Observer, Samples {

  /// In place of an offset.
  long OFFSET_UNKNOWN = -1;

  /// As [#sample], of an operation on these bytes of the file.
  void sample(Stage stage, long offset, long bytes, long elapsedNs);

  /// So many bytes of it were moved by a step that moved other files, too. The time of that step is
  /// booked once, by [#sample].
  void moved(String strategy, long bytes);

  /// How the bytes of this file move, in the words of a report.
  void path(String label);

  /// The file is complete; books [Stage#FILE] too. The first of this and [#failed] counts; what is
  /// said of the file's end after it is ignored.
  void done(Level verified);

  void failed(Failure failure);

  /// The file was not taken, for a reason that is told elsewhere: it counts neither as done nor as
  /// failed.
  void left();
}
