package dev.zcp.strategy;

import dev.zcp.spi.Route;
import dev.zcp.spi.Verdict;

/// The measured cost of a strategy on each kind of route, in nanoseconds for each MiB.
///
/// @param fileToFile both ends files
/// @param fileToSocket a file to a loopback connection whose other end discards
/// @param fileToPipe a file to a pipe of 64 KiB whose other end discards
/// @param socketToFile a loopback connection, fed by sendfile, to a file
/// @param other anything else, measured from a pipe to a file
record CopyCosts(
    long fileToFile, long fileToSocket, long fileToPipe, long socketToFile, long other) {

  /// Allocating a buffer, opening a stream: what a strategy costs before its first byte.
  static final long BUFFER_NS = 2_000;

  Verdict.Cost on(Route route, long startUpNs) {
    return new Verdict.Cost(startUpNs, nsPerMiB(route));
  }

  private long nsPerMiB(Route route) {
    Route.Kind source = route.source().kind();
    Route.Kind sink = route.sink().kind();
    if (source == Route.Kind.SOCKET && sink == Route.Kind.FILE) {
      return socketToFile;
    }
    if (source != Route.Kind.FILE) {
      return other;
    }
    return switch (sink) {
      case FILE -> fileToFile;
      case SOCKET -> fileToSocket;
      case PIPE -> fileToPipe;
      case STREAM -> other;
    };
  }
}
