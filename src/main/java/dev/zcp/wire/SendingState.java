package dev.zcp.wire;

import dev.zcp.core.ExitCode;

/// What a sender may hear next: the course of the receiver's frames.
///
/// ```
/// ANSWERING --(the sender's own DONE)--> CLOSING --DONE--> ENDED
/// ANSWERING --DONE, not OK--> ENDED
/// ```
public enum SendingState {
  /// From the start. To CLOSING by the sender's own DONE, to ENDED by the DONE of a receiver that
  /// gives up.
  ANSWERING,
  /// From ANSWERING by the sender's own DONE: the last answers are due. To ENDED by DONE.
  CLOSING,
  /// By DONE. To nowhere.
  ENDED;

  /// The state after `frame`, which the receiver said.
  ///
  /// @throws ProtocolException where `frame` has no place here
  SendingState after(Frame frame) throws ProtocolException {
    SendingState next =
        switch (frame.type()) {
          case ACK, NACK, BEAT -> this == ENDED ? null : this;
          case DONE -> afterDone((Done) frame);
          case META, DATA, TRAILER -> null;
        };
    if (next == null) {
      throw new ProtocolException(frame.type() + " from the receiver in state " + this);
    }
    return next;
  }

  /// The state after the sender's own DONE.
  SendingState afterOwnDone() {
    return this == ENDED ? ENDED : CLOSING;
  }

  private SendingState afterDone(Done done) {
    boolean early = this == ANSWERING && done.exitCode() == ExitCode.OK;
    return this == ENDED || early ? null : ENDED;
  }
}
