package dev.zcp.wire;

/// What one direction of one connection may bring next: the part of the order that needs no
/// knowledge of the session, which `dev.zcp.exchange` has. Both ends hold what they hear and what
/// they say against it. `PROTOCOL.md` has the tables.
public enum ConnectionPhase {
  /// From the start, or IN_BLOCK by TRAILER. To IN_BLOCK by DATA, to ENDED by DONE or LIMITED.
  OPEN,
  /// From OPEN by DATA: its bytes are on their way, its trailer is due. To OPEN by TRAILER.
  IN_BLOCK,
  /// From OPEN by DONE or LIMITED. Only LIMITED may follow.
  ENDED;

  /// The state after this frame.
  ///
  /// @throws ProtocolException if `speaker` may not say it now
  public ConnectionPhase after(Side speaker, Frame frame) throws ProtocolException {
    boolean isOfSender = frame instanceof Done done && (done.isEarly() || done.lacksNames());
    boolean isAllowed = frame.type().isOf(speaker) && !(isOfSender && speaker == Side.RECEIVER);
    ConnectionPhase next = isAllowed ? after(frame) : null;
    if (next == null) {
      throw new ProtocolException(frame.type() + " from the " + speaker + " in state " + this);
    }
    return next;
  }

  private ConnectionPhase after(Frame frame) {
    return switch (frame.type()) {
      case DATA -> this != OPEN ? null : ((Data) frame).isHole() ? OPEN : IN_BLOCK;
      case TRAILER -> this == IN_BLOCK ? OPEN : null;
      case BEAT -> this == ENDED ? null : this;
      case DONE -> this != OPEN ? null : ((Done) frame).isEarly() ? OPEN : ENDED;
      case LIMITED -> this == IN_BLOCK ? null : ENDED;
      case MANIFEST,
          ACCEPT,
          OFFER,
          REPLY,
          WANTS,
          PART,
          SHOW,
          CHUNKS,
          END,
          LOST,
          VERDICTS,
          SURPLUS ->
          this == OPEN ? OPEN : null;
    };
  }
}
