package dev.zcp.core;

/// Something that ends a transfer, in the words a user reads and the code a script reads.
///
/// The message has the form `SUBJECT: what happened (what was kept, what to do)`. The subject is a
/// path or an address, already [printable][Printable].
public final class Failure extends Exception {

  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  private Failure(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /// A failure of `subject`; `what` is a phrase without a full stop.
  public static Failure of(ExitCode exitCode, String subject, String what) {
    return new Failure(exitCode, subject + ": " + what, null);
  }

  /// A failure of no path and no address, such as a usage error.
  public static Failure of(ExitCode exitCode, String what) {
    return new Failure(exitCode, what, null);
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  /// The same failure with its consequence and the way out, in brackets after the message.
  public Failure with(String remedy) {
    return new Failure(exitCode, getMessage() + " (" + remedy + ")", getCause());
  }

  /// The same failure with the exception behind it, which `--debug` shows.
  public Failure because(Throwable cause) {
    return new Failure(exitCode, getMessage(), cause);
  }
}
