package dev.zcp.session.send;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Name;
import dev.zcp.core.RawPath;
import dev.zcp.linux.FileStatus;
import dev.zcp.session.SendRequest;
import dev.zcp.tree.OpenDirectory;
import dev.zcp.tree.Reasons;
import dev.zcp.walk.OperandRoots;
import dev.zcp.walk.Selection.Links;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// What a send command was given.
///
/// @param name what it arrives as; null of a directory whose content does, as of `.`
/// @param status what it was when it was looked at; null for standard input
/// @param isRenamed whether the name is not its own
record OutgoingOperand(RawPath path, Name name, FileStatus status, boolean isRenamed) {

  private static final byte[] STANDARD_INPUT_NAME = "stdin".getBytes(StandardCharsets.US_ASCII);

  boolean isStandardInput() {
    return status == null;
  }

  /// Whether it gives its bytes only once, in order, and nobody knows how many.
  boolean isStream() {
    return status == null || !status.isRegular() && !status.isDirectory();
  }

  /// The name that it gets in place of its own; null if it keeps that.
  byte[] newName() {
    return isRenamed ? name.bytes() : null;
  }

  boolean isDirectory() {
    return status != null && status.isDirectory();
  }

  /// @throws Failure SOURCE if there is nothing, or it cannot be sent; USAGE if it is a directory
  ///   and only files were asked for, or has no name
  static OutgoingOperand of(SendRequest request, RawPath path) throws Failure {
    if (path.isStandardStream()) {
      Name name = request.as() == null ? Name.of(STANDARD_INPUT_NAME) : request.as();
      return new OutgoingOperand(path, name, null, false);
    }
    FileStatus status = look(request, path);
    boolean recursive = request.selection().recursive() || request.selection().names() != null;
    if (status.isDirectory() && !recursive) {
      throw Failure.of(ExitCode.USAGE, path.toString(), "is a directory").with("-r sends it");
    }
    if (!status.isDirectory() && path.endsInSlash()) {
      throw Failure.of(ExitCode.SOURCE, path.toString(), "not a directory");
    }
    if (!status.isDirectory() && request.selection().names() != null) {
      throw Failure.of(ExitCode.SOURCE, path.toString(), "not a directory")
          .with("--files-from lists what is in a directory");
    }
    if (status.isSocket()) {
      throw Failure.of(ExitCode.SOURCE, path.toString(), "is a socket, which holds no bytes");
    }
    if (request.as() != null) {
      return new OutgoingOperand(path, request.as(), status, true);
    }
    byte[] name = OperandRoots.name(path);
    if (status.isDirectory() && OperandRoots.isDots(name)) {
      return new OutgoingOperand(path, null, status, false);
    }
    return new OutgoingOperand(path, nameOf(path, name), status, false);
  }

  private static Name nameOf(RawPath path, byte[] name) throws Failure {
    try {
      return Name.of(name);
    } catch (IllegalArgumentException e) {
      throw Failure.of(ExitCode.USAGE, path.toString(), "cannot be sent: " + e.getMessage())
          .because(e);
    }
  }

  private static FileStatus look(SendRequest request, RawPath path) throws Failure {
    boolean follow = request.selection().links() != Links.KEPT || path.endsInSlash();
    try {
      if (follow) {
        return FileStatus.of(path);
      }
      try (OpenDirectory parent = OpenDirectory.open(path.parent())) {
        FileStatus status = parent.statusOf(OperandRoots.name(path));
        if (status == null) {
          throw Failure.of(ExitCode.SOURCE, path.toString(), "no such file or directory");
        }
        return status;
      }
    } catch (IOException e) {
      throw Reasons.source(path, e);
    }
  }
}
