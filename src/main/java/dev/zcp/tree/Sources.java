package dev.zcp.tree;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import java.io.IOException;

/// What can be said of a source before it is opened.
public final class Sources {

  private Sources() {}

  /// The status of `source`.
  ///
  /// @throws Failure SOURCE where it is missing or cannot be copied, USAGE where it is a directory
  public static FileStatus inspect(RawPath source) throws Failure {
    return inspect(source, "this version moves files, not trees");
  }

  /// As [#inspect].
  ///
  /// @param ifDirectory the way out where it is a directory
  public static FileStatus inspect(RawPath source, String ifDirectory) throws Failure {
    FileStatus status;
    try {
      status = FileStatus.of(source);
    } catch (IOException e) {
      throw Reasons.source(source, e);
    }
    if (status.isDirectory()) {
      throw Failure.of(ExitCode.USAGE, source.toString(), "is a directory").with(ifDirectory);
    }
    if (source.endsInSlash()) {
      throw Failure.of(ExitCode.SOURCE, source.toString(), "not a directory");
    }
    if (status.isSocket()) {
      throw Failure.of(ExitCode.SOURCE, source.toString(), "is a socket, which holds no bytes");
    }
    return status;
  }
}
