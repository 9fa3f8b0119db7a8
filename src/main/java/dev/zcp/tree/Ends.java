package dev.zcp.tree;

import dev.zcp.core.Address;
import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.linux.FileType;
import dev.zcp.spi.Route;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;

/// What the ends of a route would be able to do, told from their names alone.
public final class Ends {

  private Ends() {}

  public static Route.Traits ofSource(RawPath source) throws Failure {
    if (source.isStandardStream()) {
      return traits(Route.Kind.PIPE, Route.Traits.NO_DEVICE);
    }
    return traitsOf(statusOf(source));
  }

  private static FileStatus statusOf(RawPath source) throws Failure {
    FileStatus status;
    try {
      status = FileStatus.of(source);
    } catch (IOException e) {
      throw Reasons.source(source, e);
    }
    if (status.isDirectory()) {
      throw Failure.of(ExitCode.USAGE, source, "is a directory").with("name a file that is in it");
    }
    if (source.endsInSlash()) {
      throw Failure.of(ExitCode.SOURCE, source, "not a directory");
    }
    if (status.isSocket()) {
      throw Failure.of(ExitCode.SOURCE, source, "is a socket, which holds no bytes");
    }
    return status;
  }

  /// How many bytes the source has, or [Long#MAX_VALUE] if nobody knows.
  public static long bytesOf(RawPath source) throws Failure {
    if (source.isStandardStream()) {
      return Long.MAX_VALUE;
    }
    FileStatus status = statusOf(source);
    return status.isRegular() ? status.sizeBytes() : Long.MAX_VALUE;
  }

  /// Whether the source has fewer blocks than bytes.
  public static boolean mayHaveHoles(RawPath source) throws Failure {
    FileStatus status = statusOf(source);
    return status.isRegular() && !status.hasAllBlocks();
  }

  public static Route.Traits ofTarget(RawPath target) throws Failure {
    if (target.isStandardStream()) {
      return traits(Route.Kind.PIPE, Route.Traits.NO_DEVICE);
    }
    try {
      FileStatus status = FileStatus.ofExisting(target);
      if (status != null && status.isSocket()) {
        throw Failure.of(ExitCode.DESTINATION, target, "is a socket");
      }
      if (status != null) {
        return traitsOf(status);
      }
      if (isAddress(target)) {
        return socket(false);
      }
      return traits(Route.Kind.FILE, FileStatus.of(target.parent()).device());
    } catch (NoSuchFileException e) {
      String why = "its directory does not exist";
      throw Failure.of(ExitCode.DESTINATION, target, why).with("create it first");
    } catch (IOException e) {
      throw Reasons.destination(target, e);
    }
  }

  /// A connection to a peer.
  ///
  /// @param encrypted whether bytes must pass through user space for it
  public static Route.Traits socket(boolean encrypted) {
    return new Route.Traits(Route.Kind.SOCKET, !encrypted, encrypted, Route.Traits.NO_DEVICE);
  }

  /// What a file is sent from: itself, or memory if its length is not known before its end.
  ///
  /// @param bytes the length, or -1
  public static Route.Traits sent(long bytes) {
    return bytes < 0
        ? new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE)
        : traits(Route.Kind.FILE, Route.Traits.NO_DEVICE);
  }

  /// What a file is received into.
  ///
  /// @param directory whether it comes down in a directory, and not on standard output
  public static Route.Traits received(boolean directory) {
    return directory
        ? traits(Route.Kind.FILE, Route.Traits.NO_DEVICE)
        : new Route.Traits(Route.Kind.STREAM, false, false, Route.Traits.NO_DEVICE);
  }

  /// The address that `target` is. It must have a port or be a URL: otherwise it is the name of a
  /// file.
  ///
  /// @throws IllegalArgumentException if it is none
  public static Address address(RawPath target) {
    String text = new String(target.bytes(), StandardCharsets.ISO_8859_1);
    if (text.indexOf(':') < 0) {
      throw new IllegalArgumentException("'" + target + "' has no port");
    }
    return Address.parse(text);
  }

  private static boolean isAddress(RawPath target) {
    try {
      address(target);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Route.Traits traitsOf(FileStatus status) {
    return switch (status.type()) {
      case FileType.REGULAR, FileType.DIRECTORY -> traits(Route.Kind.FILE, status.device());
      case FileType.FIFO -> traits(Route.Kind.PIPE, Route.Traits.NO_DEVICE);
      default -> traits(Route.Kind.STREAM, Route.Traits.NO_DEVICE);
    };
  }

  private static Route.Traits traits(Route.Kind kind, long device) {
    return new Route.Traits(kind, true, false, device);
  }
}
