package dev.zcp.tree;

import dev.zcp.core.ExitCode;
import dev.zcp.core.Failure;
import dev.zcp.core.Printable;
import dev.zcp.engine.Choice;
import dev.zcp.engine.Engine.RefusedException;
import dev.zcp.engine.Transfer.TransferException;
import dev.zcp.linux.Errno;
import dev.zcp.linux.OwnProcess;
import dev.zcp.spi.MoveException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/// Turns what the system said into what a user reads.
public final class Reasons {

  private Reasons() {}

  /// The reason in an exception, without the path that its message may begin with.
  public static String of(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file or directory";
      case AccessDeniedException _ -> "permission denied";
      case FileAlreadyExistsException _ -> "already exists";
      case NotDirectoryException _ -> "not a directory";
      case FileSystemLoopException _ -> "too many levels of symbolic links";
      case FileSystemException f when f.getReason() != null -> phrase(f.getReason());
      default -> e.getMessage() == null ? e.getClass().getSimpleName() : phrase(e.getMessage());
    };
  }

  public static Failure source(Object subject, IOException e) {
    return Failure.of(ExitCode.SOURCE, subject, of(e)).because(e);
  }

  public static Failure destination(Object subject, IOException e) {
    return Failure.of(ExitCode.DESTINATION, subject, of(e)).because(e);
  }

  /// What was thrown while a target was made: a failure as it is, what else fails at the target, or
  /// a [#defect].
  public static Failure atTarget(Object subject, Exception e) {
    if (e instanceof Failure failure) {
      return failure;
    }
    return e instanceof IOException io ? destination(subject, io) : defect(subject, e);
  }

  /// What failed at one end of a move; at the target if it does not say at which.
  public static Failure move(Object source, Object target, IOException e) {
    MoveException move = e instanceof MoveException m ? m : null;
    IOException cause = move != null && move.getCause() instanceof IOException io ? io : e;
    return move != null && move.end() == MoveException.End.SOURCE
        ? source(source, cause)
        : destination(target, cause);
  }

  /// A local transfer that failed at one end.
  public static Failure transfer(Object source, Object target, TransferException e) {
    return e.end() == MoveException.End.SOURCE
        ? source(source, e.failure())
        : destination(target, e.failure());
  }

  /// A strategy that was asked for and would not serve, with one that would.
  public static Failure refused(Object subject, RefusedException e) {
    Failure failure =
        Failure.of(
                ExitCode.STRATEGY,
                subject,
                "strategy " + e.strategy() + " cannot serve here: " + e.reason())
            .because(e);
    return switch (e.alternative()) {
      case "" -> failure;
      case Choice.AUTO -> failure.with("--strategy=auto falls back to one that can");
      default -> failure.with("--strategy=" + e.alternative() + " can, and so can auto");
    };
  }

  /// A defect of this program, which ends what it was about and nothing else.
  public static Failure defect(Object subject, Throwable e) {
    String message = e.getMessage() == null ? "" : ": " + Printable.of(e.getMessage());
    String what =
        e instanceof OutOfMemoryError ? "out of memory" : e.getClass().getSimpleName() + message;
    return Failure.of(ExitCode.INTERNAL, subject, "internal error: " + what).because(e);
  }

  /// Whether `cause`, which an end or [OpenDirectory] threw, says that a file system takes no more:
  /// no space, no quota, or mounted read-only. Every other file there would fail alike. Root has no
  /// quota of its own: what it lacks is that of a user whom it gives a file.
  public static boolean isOfFullTarget(Throwable cause) {
    if (!(cause instanceof IOException failure)) {
      return false;
    }
    int errno = Errno.of(failure);
    return errno == Errno.ENOSPC
        || errno == Errno.EROFS
        || errno == Errno.EDQUOT && OwnProcess.user() != 0;
  }

  /// As a phrase in a sentence: strerror(3) begins with a capital letter.
  private static String phrase(String reason) {
    String safe = Printable.of(reason);
    boolean isWord = safe.length() > 1 && Character.isLowerCase(safe.charAt(1));
    return isWord ? Character.toLowerCase(safe.charAt(0)) + safe.substring(1) : safe;
  }
}
