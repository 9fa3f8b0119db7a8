package dev.zcp.wire;

/// What one direction of one connection may bring next: the part of the order that needs no
/// knowledge of the session, which `dev.zcp.exchange` has. Both ends hold what they hear and what
/// they say against it.
///
/// ```
/// OPEN --DATA--> IN_BLOCK --TRAILER--> OPEN
/// OPEN --DONE--> ENDED
/// ```
public enum Course {
  /// From the start, or IN_BLOCK by TRAILER. To IN_BLOCK by DATA, to ENDED by DONE.
  OPEN,
  /// From OPEN by DATA: its bytes are on their way, its trailer is due. To OPEN by TRAILER.
  IN_BLOCK,
  /// From OPEN by DONE. To nowhere.
  ENDED;

  /// The state after a frame of this type.
  ///
  /// @throws ProtocolException if `speaker` may not say it now
  public Course after(Side speaker, FrameType type) throws ProtocolException {
    Course next = type.isOf(speaker) ? after(type) : null;
    if (next == null) {
      throw new ProtocolException(type + " from the " + speaker + " in state " + this);
    }
    return next;
  }

  private Course after(FrameType type) {
    return switch (type) {
      case DATA -> this == OPEN ? IN_BLOCK : null;
      case TRAILER -> this == IN_BLOCK ? OPEN : null;
      case BEAT -> this == ENDED ? null : this;
      case DONE -> this == OPEN ? ENDED : null;
      case MANIFEST, ACCEPT, OFFER, REPLY, BATCH, HOLE, END, LOST, ACK, NACK, AGAIN ->
          this == OPEN ? OPEN : null;
    };
  }
}
