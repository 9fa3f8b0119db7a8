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
  private final boolean isOfPeer;

  private Failure(
      ExitCode exitCode, String subject, String reason, Throwable cause, boolean isOfPeer) {
    super(subject.isEmpty() ? reason : subject + ": " + reason, cause);
    this.exitCode = exitCode;
    this.subject = subject;
    this.reason = reason;
    this.isOfPeer = isOfPeer;
  }

  /// A failure of `subject`; `what` is a phrase without a full stop.
  public static Failure of(ExitCode exitCode, Object subject, String what) {
    return new Failure(exitCode, subject.toString(), what, null, false);
  }

  /// A failure of no path and no address, such as a usage error.
  public static Failure of(ExitCode exitCode, String what) {
    return new Failure(exitCode, "", what, null, false);
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
    return new Failure(exitCode, subject, reason + " (" + remedy + ")", getCause(), isOfPeer);
  }

  /// The same failure with the exception behind it, which `--debug` shows.
  public Failure because(Throwable cause) {
    return new Failure(exitCode, subject, reason, cause, isOfPeer);
  }

  /// The same failure, found by the other end of a session, which tells its own user.
  public Failure ofPeer() {
    return new Failure(exitCode, subject, reason, getCause(), true);
  }

  public boolean isOfPeer() {
    return isOfPeer;
  }
}
