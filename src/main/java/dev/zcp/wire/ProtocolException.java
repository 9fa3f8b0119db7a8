package dev.zcp.wire;

import dev.zcp.core.ExitCode;

/// The peer broke the protocol, or what it sent was damaged on the way. The connection is of no
/// more use: where the next frame begins is not known.
///
/// The message is a phrase without a full stop. What it repeats of the peer's words is printable.
public final class ProtocolException extends Exception {

  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  private ProtocolException(ExitCode exitCode, String reason) {
    super(reason);
    this.exitCode = exitCode;
  }

  /// The peer said what zcp/1 does not allow: trying again will not help.
  public ProtocolException(String reason) {
    this(ExitCode.PROTOCOL, reason);
  }

  /// A check over the bytes did not fit, so they are not what the peer sent: another try may
  /// succeed.
  public static ProtocolException damaged(String reason) {
    return new ProtocolException(ExitCode.INTEGRITY, reason);
  }

  /// The peer lets nobody in, for a reason that has an exit code of its own.
  static ProtocolException refused(ExitCode exitCode, String reason) {
    return new ProtocolException(exitCode, reason);
  }

  /// [ExitCode#PROTOCOL], or [ExitCode#INTEGRITY] if the bytes are not those that the peer sent, or
  /// what a [refusal][Welcome#requireAccepted] says.
  public ExitCode exitCode() {
    return exitCode;
  }
}
