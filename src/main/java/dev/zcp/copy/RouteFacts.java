package dev.zcp.copy;

import dev.zcp.core.RawPath;
import dev.zcp.linux.PageCache;
import dev.zcp.linux.SocketLimits;
import dev.zcp.profile.Mounts;
import dev.zcp.profile.Mounts.Mount;
import dev.zcp.spi.Route;
import dev.zcp.spi.Route.Kind;
import dev.zcp.tree.OpenDirectory;
import java.io.IOException;
import java.nio.file.Path;

/// What this machine has for a transfer, asked before anything moves.
///
/// @param source the file system of the source, or null if it is no file, or cannot be told
/// @param target the same of the directory that the target is made in
/// @param cachedShare how much of the source is in the page cache, 0 to 1; NaN if nobody can tell
/// @param freeBytes what this user may write to the target's file system; -1 if it has none, or
///   nobody can tell
/// @param sockets the limits of a connection, or null if there is none
public record RouteFacts(
    Mount source, Mount target, double cachedShare, long freeBytes, SocketLimits sockets) {

  static RouteFacts of(Route route, RawPath source, RawPath target) {
    Path from = route.source().kind() == Kind.FILE ? source.toPath() : null;
    Path directory =
        route.sink().kind() == Kind.FILE
            ? known(target.toPath(), Explanation::directoryOf, null)
            : null;
    return new RouteFacts(
        known(from, path -> Mounts.read().of(path), null),
        known(directory, path -> Mounts.read().of(path), null),
        known(from, PageCache::cachedShare, Double.NaN),
        known(directory, RouteFacts::freeBytes, -1L),
        route.sink().kind() == Kind.SOCKET ? SocketLimits.read() : null);
  }

  @FunctionalInterface
  private interface PathQuestion<T> {
    T of(Path path) throws IOException;
  }

  /// What cannot be found out is not known; a copy would say why.
  ///
  /// @param path null if there is none
  private static <T> T known(Path path, PathQuestion<T> question, T unknown) {
    try {
      return path == null ? unknown : question.of(path);
    } catch (IOException e) {
      return unknown;
    }
  }

  private static long freeBytes(Path directory) throws IOException {
    try (OpenDirectory open = OpenDirectory.open(RawPath.of(directory))) {
      return open.room().bytes();
    }
  }
}
