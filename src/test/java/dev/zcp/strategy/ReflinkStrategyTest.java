package dev.zcp.strategy;

import dev.zcp.spi.TransferStrategy;

class ReflinkStrategyTest extends TransferStrategyContract {

  @Override
  protected TransferStrategy strategy() {
    return new ReflinkStrategy();
  }

  /// The temporary directory may be on a file system that shares nothing; [ReflinkOnLoopMountTest]
  /// has some that do.
  @Override
  protected boolean mayDecline() {
    return true;
  }
}
