package dev.zcp.session.send;

/// A session of which each file is offered.
interface PartlessOutlet extends Outlet {

  @Override
  default int partFileBytesMax() {
    return -1;
  }

  @Override
  default long partBytesMax() {
    throw new AssertionError("there are no parts");
  }

  @Override
  default void queue(OutgoingPart part) {
    throw new AssertionError("there are no parts");
  }

  @Override
  default void offerAnew(Outgoing file) {
    throw new AssertionError("there are no parts");
  }
}
