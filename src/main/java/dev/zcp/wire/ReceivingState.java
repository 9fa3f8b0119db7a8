package dev.zcp.wire;

/// What a receiver may hear next: the course of the sender's frames.
///
/// ```
/// WAIT_FILE --META--> IN_FILE --DATA--> IN_BLOCK --TRAILER--> IN_FILE
///     ^                  |                  |
///     +--TRAILER LAST----+---TRAILER LAST---+
/// WAIT_FILE --DONE--> ENDED
/// ```
public enum ReceivingState {
  /// From the start, or a LAST trailer. To IN_FILE by META, to ENDED by DONE.
  WAIT_FILE,
  /// From WAIT_FILE by META, or IN_BLOCK by a trailer that is not LAST. To IN_BLOCK by DATA, to
  /// WAIT_FILE by a LAST trailer of no block.
  IN_FILE,
  /// From IN_FILE by DATA: its bytes are on their way, its trailer is due. To IN_FILE or, where it
  /// is LAST, to WAIT_FILE by that trailer.
  IN_BLOCK,
  /// From WAIT_FILE by DONE. To nowhere.
  ENDED;

  /// The state after `frame`.
  ///
  /// @throws ProtocolException where `frame` has no place here
  ReceivingState after(Frame frame) throws ProtocolException {
    ReceivingState next =
        switch (frame.type()) {
          case META -> this == WAIT_FILE ? IN_FILE : null;
          case DATA -> this == IN_FILE ? IN_BLOCK : null;
          case TRAILER -> afterTrailer((Trailer) frame);
          case DONE -> this == WAIT_FILE ? ENDED : null;
          case BEAT -> this == ENDED ? null : this;
          case ACK, NACK -> null;
        };
    if (next == null) {
      throw new ProtocolException(frame.type() + " from the sender in state " + this);
    }
    return next;
  }

  private ReceivingState afterTrailer(Trailer trailer) {
    if (this != (trailer.block().isEmpty() ? IN_FILE : IN_BLOCK)) {
      return null;
    }
    return trailer.last() ? WAIT_FILE : IN_FILE;
  }
}
