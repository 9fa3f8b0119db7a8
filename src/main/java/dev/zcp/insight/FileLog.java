package dev.zcp.insight;

import dev.zcp.core.Failure;
import dev.zcp.engine.Transfer.Observer;

/// What happens to one file: the observer of its transfer, and the place where the file's own
/// stages are booked.
public interface FileLog extends Observer {

  /// One sample of a stage that is not a step: publishing, a digest.
  void sample(Stage stage, long elapsedNs);

  /// How the bytes of this file move, in the words of a report.
  void path(String label);

  /// The file is complete; books [Stage#FILE] too. The first of this and [#failed] counts; what is
  /// said of the file's end after it is ignored.
  void done(Verified verified);

  /// The file is not complete, and this is why.
  void failed(Failure failure);
}
