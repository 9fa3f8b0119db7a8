package dev.zcp.strategy;

import dev.zcp.linux.Libc;
import dev.zcp.spi.Route;
import dev.zcp.spi.Verdict;
import java.util.Optional;

/// What strategies ask of a route when the kernel alone is to move the bytes. Each answer is the
/// reason of a refusal, or empty.
final class KernelRoute {

  /// What a strategy of system calls costs before its first byte: a pipe, or an ioctl.
  static final long START_UP_NS = 10_000;

  private KernelRoute() {}

  /// Whether both ends are files, of two file systems: copy_file_range(2) mostly fails with EXDEV
  /// there.
  static boolean isAcrossFileSystems(Route route) {
    return route.source().seekable()
        && route.sink().seekable()
        && route.source().device() != route.sink().device();
  }

  static Verdict verdict(Optional<String> refusal, Verdict.Usable otherwise) {
    return refusal.isPresent() ? new Verdict.Refused(refusal.get()) : otherwise;
  }

  /// Needs system calls of our own on both descriptors.
  static Optional<String> refusal(Route route) {
    return Libc.obstacle().or(() -> encryption(route)).or(() -> missingDescriptor(route));
  }

  /// Needs that nobody has to see the bytes on their way.
  static Optional<String> encryption(Route route) {
    return route.source().encrypted() || route.sink().encrypted()
        ? Optional.of("needs a plain connection, and this one is encrypted")
        : Optional.empty();
  }

  static Optional<String> noFile(Route route) {
    return route.source().seekable() || route.sink().seekable()
        ? Optional.empty()
        : Optional.of(
            "needs a file at one end, and the source is "
                + route.source().kind().phrase()
                + " and the target "
                + route.sink().kind().phrase());
  }

  static Optional<String> notFiles(Route route) {
    if (!route.source().seekable()) {
      return Optional.of(
          "needs a file at both ends, and the source is " + route.source().kind().phrase());
    }
    if (!route.sink().seekable()) {
      return Optional.of(
          "needs a file at both ends, and the target is " + route.sink().kind().phrase());
    }
    return Optional.empty();
  }

  private static Optional<String> missingDescriptor(Route route) {
    boolean hasSource = route.source().hasDescriptor();
    return hasSource && route.sink().hasDescriptor()
        ? Optional.empty()
        : Optional.of(
            "needs a descriptor at both ends, and the "
                + (hasSource ? "target" : "source")
                + " has none");
  }
}
