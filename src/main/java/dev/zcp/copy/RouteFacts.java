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

  /// What cannot be found out is not known; a copy would say why.
  static RouteFacts of(Route route, RawPath source, RawPath target) {
    boolean isFromFile = route.source().kind() == Kind.FILE;
    Path directory = route.sink().kind() == Kind.FILE ? directoryOf(target) : null;
    return new RouteFacts(
        isFromFile ? mountOf(source.toPath()) : null,
        directory == null ? null : mountOf(directory),
        isFromFile ? cachedShare(source.toPath()) : Double.NaN,
        directory == null ? -1 : freeBytes(directory),
        route.sink().kind() == Kind.SOCKET ? SocketLimits.read() : null);
  }

  private static Path directoryOf(RawPath target) {
    try {
      return Explanation.directoryOf(target.toPath());
    } catch (IOException e) {
      return null;
    }
  }

  private static Mount mountOf(Path path) {
    try {
      return Mounts.read().of(path);
    } catch (IOException e) {
      return null;
    }
  }

  private static double cachedShare(Path source) {
    try {
      return PageCache.cachedShare(source);
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  private static long freeBytes(Path directory) {
    try (OpenDirectory open = OpenDirectory.open(RawPath.of(directory))) {
      return open.room().bytes();
    } catch (IOException e) {
      return -1;
    }
  }
}
