package dev.zcp.core;

/// Something that ends a transfer, in the words a user reads and the code a script reads.
///
/// The message has the form `SUBJECT: what happened (what was kept, what to do)`. The subject is a
/// path or an address, already [printable][Printable].
public final class Failure extends Exception {

  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;
  private final String subject;
  private final String reason;

  private Failure(ExitCode exitCode, String subject, String reason, Throwable cause) {
    super(subject.isEmpty() ? reason : subject + ": " + reason, cause);
    this.exitCode = exitCode;
    this.subject = subject;
    this.reason = reason;
  }

  /// A failure of `subject`; `what` is a phrase without a full stop.
  public static Failure of(ExitCode exitCode, Object subject, String what) {
    return new Failure(exitCode, subject.toString(), what, null);
  }

  /// A failure of no path and no address, such as a usage error.
  public static Failure of(ExitCode exitCode, String what) {
    return new Failure(exitCode, "", what, null);
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  /// What failed; empty if it is no path and no address.
  public String subject() {
    return subject;
  }

  /// The message without its subject: what happened, and what to do.
  public String reason() {
    return reason;
  }

  /// The same failure with its consequence and the way out, in brackets after the message.
  public Failure with(String remedy) {
    return new Failure(exitCode, subject, reason + " (" + remedy + ")", getCause());
  }

  /// The same failure with the exception behind it, which `--debug` shows.
  public Failure because(Throwable cause) {
    return new Failure(exitCode, subject, reason, cause);
  }
}
